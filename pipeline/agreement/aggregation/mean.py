"""Mean: the average of the scores, rounded, without pairs on which people differ too much.

Section 3.2.1. The paper says that the score is "rounded up to the first decimal place"; all 519
pairs of KLUE-STS dev are rounded to the nearest tenth instead. A mean that lies halfway between two
steps (four votes: 2.25) goes to the upper one; with five, six or seven votes there is none. All is
computed in fractions, so that no order of additions and no binary fraction decides anything.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final, cast

from pipeline.agreement.aggregation.outcome import Outcome
from pipeline.agreement.aggregation.pool import Pool, Tally
from pipeline.contracts.spec import Mean, TaskSpec
from pipeline.core.jsontext import canonical

RULE: Final = "gold.mean@1"


def decide(pool: Pool) -> list[Outcome]:
    """Return the outcome of every item under the rule `mean` of the spec.

    Fewer than `minimum` votes: unresolved, queue votes. A population standard deviation above
    `drop_deviation`: removed. Otherwise gold, {"label", "real-label", "binary-label"}.
    """
    return pool.decide(lambda tally: outcome(tally, pool.spec))


def outcome(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return what becomes of an item with these votes; its agreement is 1 - sd / half the scale."""
    rule = cast(Mean, spec.aggregation)
    n = tally.votes
    if n < rule.minimum:
        return Outcome(
            "unresolved", RULE, n, reason="too_few_votes", queue="votes", evidence=tally.evidence()
        )
    mean = sum((value * k for value, k in tally.counts), Fraction()) / n
    variance = sum((value * value * k for value, k in tally.counts), Fraction()) / n - mean * mean
    deviation = math.sqrt(variance)
    evidence = tally.evidence(deviation=round(deviation, 6))
    if variance > exact(rule.drop_deviation) ** 2:
        return Outcome("removed", RULE, n, reason="deviation", evidence=evidence)
    return Outcome(
        "gold",
        RULE,
        n,
        label=label(mean, rule),
        agreement=max(0.0, 1 - deviation / _half(spec)),
        evidence=evidence,
    )


def label(mean: Fraction, rule: Mean) -> str:
    """Return the gold label of a mean as JSON: rounded, as it is, and whether it is high enough."""
    step = exact(rule.step)
    return canonical(
        {
            "label": float(math.floor(mean / step + Fraction(1, 2)) * step),
            "real-label": float(f"{float(mean):.16g}"),  # as the official file prints it
            "binary-label": int(mean >= exact(rule.binary_at)),
        }
    )


def exact(number: Any) -> Fraction:
    """Return a number of a spec as it is written there: 0.1 is one tenth."""
    return Fraction(str(number))


def _half(spec: TaskSpec) -> float:
    low, high = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
    return (high - low) / 2
