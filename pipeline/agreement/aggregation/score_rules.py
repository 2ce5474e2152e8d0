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
from pipeline.contracts.aggregation_rules import Scores
from pipeline.contracts.spec import TaskSpec
from pipeline.core.jsontext import canonical

MEAN: Final = "gold.mean@1"
MEDIAN: Final = "gold.median@1"


def mean(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `mean` of the spec.

    Fewer than `minimum` votes: unresolved, queue votes. A population standard deviation above
    `drop_deviation`: removed. Otherwise gold (see `score_label`); its agreement is 1 - deviation /
    half the scale, if the spec has one.
    """
    return _outcome(MEAN, tally, spec, tally.moments[0])


def median(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `median` of the spec.

    As of the mean; two different middle scores on the ordinal level: queue expert.
    """
    scores = [value for value, n in tally.counts for _ in range(n)] or [Fraction()]
    low, high = scores[(len(scores) - 1) // 2], scores[len(scores) // 2]
    is_open = low != high and spec.agreement.level == "ordinal"
    return _outcome(MEDIAN, tally, spec, None if is_open else (low + high) / 2)


def _outcome(name: str, tally: Tally, spec: TaskSpec, score: Fraction | None) -> Outcome:
    rule, n = cast(Scores, spec.aggregation), tally.votes
    if n < rule.minimum:
        return queue_outcome(name, n, "too_few_votes", "votes", tally.evidence())
    variance = tally.moments[1]
    deviation = math.sqrt(variance)
    evidence = tally.evidence(deviation=round(deviation, 6))
    if rule.drop_deviation is not None and variance > exact(rule.drop_deviation) ** 2:
        return Outcome("removed", name, n, reason="deviation", evidence=evidence)
    if score is None:
        return queue_outcome(name, n, "two_medians", "expert", evidence)
    agreement = None
    if spec.scale is not None:
        agreement = max(0.0, 1 - deviation / ((spec.scale.high - spec.scale.low) / 2))
    label = score_label(score, spec)
    return Outcome("gold", name, n, label, agreement=agreement, evidence=evidence)


def score_label(score: Fraction, spec: TaskSpec) -> str:
    """Return the gold label of a score as JSON: the number alone, or an object of several.

    The object has the score rounded to the rule's `step` (`label`), as it is (`real-label`), and
    whether it is `binary_at` or more (`binary-label`), each if the rule says so.
    """
    rule = cast(Scores, spec.aggregation)
    real = float(f"{float(score):.16g}")  # as the official file prints it
    if rule.step is None and rule.binary_at is None:
        return canonical(int(score) if score.denominator == 1 else real)
    step = exact(rule.step) if rule.step is not None else None
    rounded = math.floor(score / step + Fraction(1, 2)) * step if step is not None else real
    label = {"label": float(rounded), "real-label": real}
    if rule.binary_at is not None:
        label["binary-label"] = int(score >= exact(rule.binary_at))
    return canonical(label)
