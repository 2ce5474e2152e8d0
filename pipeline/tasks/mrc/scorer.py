"""Scoring of MRC: exact match and ROUGE-W (Section 3.7.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import nfc, shown
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Variant
from pipeline.scoring.metrics.answers import exact_match_measure, rouge_w_measure
from pipeline.scoring.scorer import Scorer
from pipeline.tasks.mrc.task import UNANSWERABLE

#: The types of questions, as the columns of Table 21 call them.
TYPES: Final = {1: "paraphrase", 2: "multi-sentence", UNANSWERABLE: "unanswerable"}


def _gold(example: Example) -> tuple[str, ...]:
    """Return the gold answers in NFC; none says that the passage has none. Never plausible ones."""
    held = example.label.get("answers") if isinstance(example.label, dict) else None
    if not isinstance(held, list):
        raise rows.unanswered(f"its `answers` are {shown(held)}, not a list")
    return tuple(nfc(one["text"]) for one in held)


def _read(row: Mapping[str, Any], example: Example, _spec: TaskSpec) -> Prediction:
    name, value = rows.given(row, ("label", "answer", "answers"))
    if name == "answers":
        name, value = "answers.text", _first(value)
    return Prediction(example.id, rows.text(name, value))


def _first(answers: object) -> object:
    """Return the first text of answers as a release holds them; "" where there is none."""
    held = answers.get("text") if isinstance(answers, dict) else None
    if not isinstance(held, list):
        raise rows.wrong("form", f"`answers` is an object with a list `text`, not {shown(answers)}")
    return held[0] if held else ""


def _measures(
    golds: Sequence[tuple[str, ...]],
    predictions: Sequence[Prediction],
    _spec: TaskSpec,
    variant: Variant,
) -> dict[str, Measure | str]:
    said = [one.label for one in predictions]
    return {
        "em": exact_match_measure(golds, said),
        "rouge_w": rouge_w_measure(golds, said, variant=variant),
    }


def _labels(example: Example) -> tuple[str, ...]:
    """Return the type of question; the flat official file tells unanswerable ones alone."""
    kind = example.label.get("type") if _gold(example) else UNANSWERABLE
    return (TYPES[kind],) if kind in TYPES else ()


def _length(example: Example) -> int:
    return len(example.fields["context"])


SCORER = Scorer(
    task="mrc",
    names=("em", "rouge_w"),
    columns=("answer", "answers"),
    gold=_gold,
    read=_read,
    measures=_measures,
    labels=_labels,
    length=_length,
)
