"""Prompts of RE: the relation of two entities, by its Korean title in the spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.scoring.harness.prompts import NO_CLASS, Doc, Prompt, Prompts, read_word

_NO_RELATION = "no_relation"


def _ask(doc: Doc) -> str:
    subject, thing = doc.fields["subject"]["word"], doc.fields["object"]["word"]
    return (
        "문장에 따르면 객체는 주체에게 무엇입니까? 다음 가운데 하나로 답하세요:"
        f" {', '.join(doc.labels.values())}\n"
        f"문장: {doc.fields['sentence']}\n주체: {subject}\n객체: {thing}\n관계:"
    )


def _choices(labels: Mapping[str, str]) -> dict[str, str]:
    return {title: name for name, title in labels.items()}


def _write(gold: str, doc: Doc) -> str:
    return doc.labels[gold]


def _count(gold: str, answer: str, doc: Doc) -> dict[str, Any]:
    # an answer that was not read is a wrong relation: not found, and falsely found
    real = [label != _NO_RELATION for label in (gold, answer)]
    hits = 2 * (gold == answer and gold != _NO_RELATION)
    payloads: dict[str, Any] = {"micro_f1": [float(hits), float(sum(real))]}
    if doc.probabilities is not None:
        payloads["auprc"] = (list(doc.labels).index(gold), list(doc.probabilities))
    return payloads


PROMPTS = Prompts(
    prompts=(
        Prompt("plain", "mc", _ask, _write, choices=_choices),
        Prompt(
            "plain", "gen", _ask, _write, lambda text, doc: read_word(text, _choices(doc.labels))
        ),
    ),
    payloads=_count,
    aggregations={"micro_f1": "ratio", "auprc": "auprc"},
    wrong=lambda _gold, _doc: NO_CLASS,
    choices_only=("auprc",),
)
