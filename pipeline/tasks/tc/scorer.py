"""Scoring of TC: macro F1 of the first topic (Section 3.1.2), the same in both variants."""

from __future__ import annotations

from collections.abc import Sequence
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
    if not isinstance(topic := example.label[0], str):
        raise rows.unanswered(f"its label is {shown(topic)}, not a text")
    return topic


def _measures(
    golds: Sequence[str], predictions: Sequence[Prediction], spec: TaskSpec, _variant: Variant
) -> dict[str, Measure | str]:
    rows.check_golds(golds, spec)
    return {"macro_f1": macro_f1_measure(golds, [one.label for one in predictions])}


def _labels(example: Example) -> tuple[str, ...]:
    return (_gold(example),)


def _first(vote: Any) -> Any:
    """Return the first topic of a vote."""
    return vote[0] if isinstance(vote, list) and vote else vote


SCORER = Scorer(
    task="tc",
    names=("macro_f1",),
    measures=_measures,
    length=rows.characters("title"),
    gold=_gold,
    labels=_labels,
    answer=_first,
)
