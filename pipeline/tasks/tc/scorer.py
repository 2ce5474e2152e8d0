"""Scoring of TC: macro F1 of the first topic (Section 3.1.2), the same in both variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import shown
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Variant
from pipeline.scoring.metrics.classes import macro_f1_measure
from pipeline.scoring.scorer import Scorer


def _gold(example: Example) -> str:
    """Return the first topic."""
    if not isinstance(example.label, list) or not example.label:
        raise rows.unanswered(f"its label is {shown(example.label)}, not a list of topics")
    return rows.gold_label(example.label[0])


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    return Prediction(example.id, rows.label(*rows.given(row, ("label",)), spec))


def _measures(
    golds: Sequence[str], predictions: Sequence[Prediction], spec: TaskSpec, _variant: Variant
) -> dict[str, Measure | str]:
    rows.check_golds(golds, spec)
    return {"macro_f1": macro_f1_measure(golds, [one.label for one in predictions])}


def _labels(example: Example) -> tuple[str, ...]:
    return (_gold(example),)


def _length(example: Example) -> int:
    return len(example.fields["title"])


SCORER = Scorer(
    task="tc",
    names=("macro_f1",),
    columns=(),
    gold=_gold,
    read=_read,
    measures=_measures,
    labels=_labels,
    length=_length,
)
