"""Scoring of NLI: accuracy (Section 3.3.2), the same in both variants."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.contracts.example import Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Variant
from pipeline.scoring.metrics.classes import accuracy_measure
from pipeline.scoring.scorer import Scorer


def _measures(
    golds: Sequence[str], predictions: Sequence[Prediction], spec: TaskSpec, _variant: Variant
) -> dict[str, Measure | str]:
    rows.check_golds(golds, spec)
    return {"accuracy": accuracy_measure(golds, [one.label for one in predictions])}


SCORER = Scorer(
    task="nli",
    names=("accuracy",),
    measures=_measures,
    length=rows.characters("premise", "hypothesis"),
)
