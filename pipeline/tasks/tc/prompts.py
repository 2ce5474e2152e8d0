"""Prompts of TC: the topic of a headline, as one of seven words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.scoring.harness.prompts import Doc, Prompt, Prompts, classes, read_word

#: The words of the form polyglot that differ from the labels.
_SHORT = {"IT과학": "과학", "생활문화": "생활"}


def _ask(doc: Doc) -> str:
    topics = ", ".join(doc.labels)
    return (
        f"뉴스 제목의 주제를 {topics} 가운데 하나로 답하세요.\n제목: {doc.fields['title']}\n주제:"
    )


def _words(labels: Mapping[str, str]) -> dict[str, str]:
    return {name: name for name in labels}


def _short_words(labels: Mapping[str, str]) -> dict[str, str]:
    return {_SHORT.get(name, name): name for name in labels}


def _items(fields: Mapping[str, Any], label: Any) -> list[tuple[dict[str, Any], Any]]:
    return [(dict(fields), label[0] if label else None)]


PROMPTS = Prompts(
    prompts=(
        Prompt("plain", "mc", _ask, lambda gold, _doc: str(gold), choices=_words),
        Prompt(
            "plain",
            "gen",
            _ask,
            lambda gold, _doc: str(gold),
            lambda text, doc: read_word(text, _words(doc.labels)),
        ),
        Prompt(
            "polyglot",
            "mc",
            lambda doc: str(doc.fields["title"]),
            lambda gold, _doc: f"({_SHORT.get(gold, gold)})",
            choices=_short_words,
        ),
    ),
    payloads=lambda gold, answer, _doc: {"macro_f1": classes(gold, answer)},
    aggregations={"macro_f1": "macro_f1"},
    items=_items,
)
