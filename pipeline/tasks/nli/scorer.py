"""Scoring of NLI: accuracy (Section 3.3.2), the same in both variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Variant
from pipeline.scoring.metrics.classes import accuracy_measure
from pipeline.scoring.scorer import Scorer


def _gold(example: Example) -> str:
    return rows.gold_label(example.label)


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    return Prediction(example.id, rows.label(*rows.given(row, ("label",)), spec))


def _measures(
    golds: Sequence[str], predictions: Sequence[Prediction], spec: TaskSpec, _variant: Variant
) -> dict[str, Measure | str]:
    rows.check_golds(golds, spec)
    return {"accuracy": accuracy_measure(golds, [one.label for one in predictions])}


def _labels(example: Example) -> tuple[str, ...]:
    return (_gold(example),)


def _length(example: Example) -> int:
    return len(example.fields["premise"]) + len(example.fields["hypothesis"])


SCORER = Scorer(
    task="nli",
    names=("accuracy",),
    columns=(),
    gold=_gold,
    read=_read,
    measures=_measures,
    labels=_labels,
    length=_length,
)
