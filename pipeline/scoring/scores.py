"""The scores of a system: gold answers, predictions, and a number a metric or why there is none."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.core.errors import InputError, RecordError
from pipeline.scoring.measure import Floats, Measure, Variant
from pipeline.scoring.scorer import Scorer

#: The metrics of a system by name, or why one cannot be had.
Measures = Mapping[str, Measure | str]
#: Digits of a score that is told, so that the order in which a sum was taken does not show.
DIGITS: Final = 9
UNDEFINED: Final = "is not defined over these examples (constant values, or none of a class)"


@dataclass(frozen=True)
class Gold:
    """What predictions are compared with: examples by guid, and the answer of each."""

    scorer: Scorer
    spec: TaskSpec
    examples: tuple[Example, ...]
    answers: tuple[Any, ...]

    def __len__(self) -> int:
        """Return the number of examples."""
        return len(self.examples)

    def measures(self, predictions: Sequence[Prediction], variant: Variant) -> Measures:
        """Return the metrics over one prediction for each example, in their order.

        Raises ValueError for predictions that are not aligned with the examples.
        """
        if [one.id for one in predictions] != [one.id for one in self.examples]:
            raise ValueError("predictions and examples are not of the same guids in one order")
        return self.scorer.measures(self.answers, predictions, self.spec, variant)


@dataclass(frozen=True)
class Scores:
    """A number a metric (0 to 100, Pearson from -100), or None with its reason."""

    values: dict[str, float | None]
    reasons: dict[str, str] = field(default_factory=dict)


def gold_of(examples: Iterable[Example], scorer: Scorer, spec: TaskSpec) -> Gold:
    """Return examples as gold, in the order of their guids.

    Raises InputError when there is none, a guid stands twice, or examples lack an answer; it tells
    how many.
    """
    ordered = sorted(examples, key=lambda one: one.id)
    if not ordered:
        raise InputError("the gold holds no example; there is nothing to score")
    twice = [name for name, many in Counter(one.id for one in ordered).items() if many > 1]
    if twice:
        raise InputError(
            f"guids that stand in the gold more than once: {len(twice):,}, the first is {twice[0]};"
            " predictions are matched by guid: keep one of each"
        )
    answers, faults = [], []
    for one in ordered:
        try:
            answers.append(scorer.gold(one))
        except RecordError as fault:
            faults.append((one.id, fault.reason))
    if faults:
        name, reason = faults[0]
        raise InputError(
            f"{len(faults):,} of {len(ordered):,} examples of the gold have no answer to compare"
            f" with, the first is {name}: {reason}; give gold with its labels"
        )
    return Gold(scorer, spec, tuple(ordered), tuple(answers))


def scores(measures: Measures, n: int) -> Scores:
    """Return the scores over n examples that count once each."""
    found = scores_over(measures, np.ones((1, n)))[0]
    reasons = {
        name: (one if isinstance(one, str) else UNDEFINED)
        for name, one in measures.items()
        if found[name] is None
    }
    return Scores(found, reasons)


def scores_over(measures: Measures, weights: Floats) -> list[dict[str, float | None]]:
    """Return, for each row of weights (rows x examples), a number a metric or None."""
    columns = {
        name: [None] * len(weights) if isinstance(one, str) else one(weights).tolist()
        for name, one in measures.items()
    }
    return [
        {name: told(column[row]) for name, column in columns.items()} for row in range(len(weights))
    ]


def told(number: float | None) -> float | None:
    """Return a number as it is reported: None for NaN, without its last digits, never -0.0."""
    if number is None or not math.isfinite(number):
        return None
    return round(float(number), DIGITS) + 0.0
