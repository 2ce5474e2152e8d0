"""Prompts of NLI: whether a hypothesis follows from its premise, in one of three words."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.scoring.harness.prompts import Doc, Prompt, Prompts, read_word

_WORDS = {"entailment": "참", "neutral": "중립", "contradiction": "거짓"}


def _ask(doc: Doc) -> str:
    return (
        "전제가 사실일 때 가설이 반드시 사실이면 참, 사실일 수 없으면 거짓, 알 수 없으면 중립으로"
        f" 답하세요.\n전제: {doc.fields['premise']}\n가설: {doc.fields['hypothesis']}\n답:"
    )


def _ask_polyglot(doc: Doc) -> str:
    hypothesis = doc.fields["hypothesis"].strip().removesuffix(".")
    return f"{doc.fields['premise']}\n질문: {hypothesis}. 참, 거짓, 중립 중 어느 것인가요?\n정답:"


def _choices(labels: Mapping[str, str]) -> dict[str, str]:
    return {_WORDS[name]: name for name in labels}


def _write(gold: str, _doc: Doc) -> str:
    return _WORDS[gold]


PROMPTS = Prompts(
    prompts=(
        Prompt("plain", "mc", _ask, _write, choices=_choices),
        Prompt(
            "plain", "gen", _ask, _write, lambda text, doc: read_word(text, _choices(doc.labels))
        ),
        Prompt("polyglot", "mc", _ask_polyglot, _write, choices=_choices),
    ),
    payloads=lambda gold, answer, _doc: {"accuracy": [float(gold == answer), 1.0]},
    aggregations={"accuracy": "ratio"},
)
