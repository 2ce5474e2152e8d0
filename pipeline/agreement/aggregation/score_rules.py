"""The rules that count scores: mean and median.

Mean (Section 3.2.1): the paper says that the score is "rounded up to the first decimal place"; all
519 pairs of KLUE-STS dev are rounded to the nearest tenth instead. A mean that lies halfway between
two steps (four votes: 2.25) goes to the upper one; with five, six or seven votes there is none. All
is computed in fractions, so that no order of additions and no binary fraction decides anything.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final, cast

from pipeline.agreement.aggregation.outcome import Outcome, queue_outcome
from pipeline.agreement.aggregation.tally import Tally, exact
from pipeline.contracts.aggregation_rules import Mean, Median
from pipeline.contracts.spec import TaskSpec
from pipeline.core.jsontext import canonical

MEAN: Final = "gold.mean@1"
MEDIAN: Final = "gold.median@1"


def mean(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `mean` of the spec.

    Fewer than `minimum` votes: unresolved, queue votes. A population standard deviation above
    `drop_deviation`: removed. Otherwise gold, {"label", "real-label", "binary-label"}; its
    agreement is 1 - deviation / half the scale, if the spec has one.
    """
    rule = cast(Mean, spec.aggregation)
    n = tally.votes
    if n < rule.minimum:
        return queue_outcome(MEAN, n, "too_few_votes", "votes", tally.evidence())
    average, variance = _moments(tally)
    evidence = tally.evidence(deviation=round(math.sqrt(variance), 6))
    if rule.drop_deviation is not None and variance > exact(rule.drop_deviation) ** 2:
        return Outcome("removed", MEAN, n, reason="deviation", evidence=evidence)
    label, share = score_label(average, spec), _closeness(variance, spec)
    return Outcome("gold", MEAN, n, label, agreement=share, evidence=evidence)


def median(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `median` of the spec.

    Fewer than `minimum` votes: unresolved, queue votes; two different middle scores on the ordinal
    level: queue expert. Otherwise gold, {"label", "real-label"}; agreement is that of the mean.
    """
    rule, n = cast(Median, spec.aggregation), tally.votes
    if n < rule.minimum:
        return queue_outcome(MEDIAN, n, "too_few_votes", "votes", tally.evidence())
    variance = _moments(tally)[1]
    evidence = tally.evidence(deviation=round(math.sqrt(variance), 6))
    scores = [value for value, k in tally.counts for _ in range(k)]
    low, high = scores[(n - 1) // 2], scores[n // 2]
    if low != high and spec.agreement.level == "ordinal":
        return queue_outcome(MEDIAN, n, "two_medians", "expert", evidence)
    label, share = score_label((low + high) / 2, spec), _closeness(variance, spec)
    return Outcome("gold", MEDIAN, n, label, agreement=share, evidence=evidence)


def _moments(tally: Tally) -> tuple[Fraction, Fraction]:
    """Return the mean of the scores and their population variance."""
    average = sum((value * k for value, k in tally.counts), Fraction()) / tally.votes
    squares = sum((value * value * k for value, k in tally.counts), Fraction())
    return average, squares / tally.votes - average**2


def _closeness(variance: Fraction, spec: TaskSpec) -> float | None:
    """Return 1 - deviation / half the scale, not below 0; None where the spec has no scale."""
    if spec.scale is None:
        return None
    return max(0.0, 1 - math.sqrt(variance) / ((spec.scale.high - spec.scale.low) / 2))


def score_label(score: Fraction, spec: TaskSpec) -> str:
    """Return the gold label of a score as JSON: `label`, rounded by a mean's `step`; as it is.

    A mean with `binary_at` also has the `binary-label`, whether the score is high enough.
    """
    rule, rounded = spec.aggregation, score
    label: dict[str, float] = {}
    if isinstance(rule, Mean):
        step = exact(rule.step)
        rounded = math.floor(score / step + Fraction(1, 2)) * step
        if rule.binary_at is not None:
            label["binary-label"] = int(score >= exact(rule.binary_at))
    label["label"] = float(rounded)
    label["real-label"] = float(f"{float(score):.16g}")  # as the official file prints it
    return canonical(label)
