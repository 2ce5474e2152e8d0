"""What one test says of one annotator, and how the rate of false discoveries is held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from pipeline.agreement.votes.ratings import Real

Code = Literal[
    "random",
    "low_agreement",
    "reversed",
    "constant",
    "habit",
    "unused_label",
    "biased",
    "compressed",
    "drift",
    "copying",
    "fast",
]
#: Among the flags of an audit at most this share is expected to be false.
FALSE_DISCOVERY: Final = 0.05
#: So many items are named as evidence.
EVIDENCE: Final = 10


@dataclass(frozen=True)
class Finding:
    """What a test found of one annotator, whether or not it is worth a flag.

    `p` is the probability of a result as odd as this from a usual annotator of the pool. `value` is
    what the test measured, `effect` its difference to the usual annotator's, in the same unit;
    `matters` says whether the effect is large enough to act on. `items` are codes of items that
    show it, the clearest first. `by_rows` says that it rests on the order of rows, for want of
    times; `partner` is the other of two who copy.
    """

    rater: int
    code: Code
    p: float
    value: float
    effect: float
    matters: bool
    text: str
    items: tuple[int, ...] = ()
    by_rows: bool = False
    partner: int = -1


#: How much a test weighs among all: faults that are common in crowds are looked for harder.
_WEIGHTS: Final[dict[Code, float]] = {
    "random": 3.0,
    "low_agreement": 3.0,
    "reversed": 3.0,
    "unused_label": 0.5,
}


def weighted_rates(findings: Sequence[Finding]) -> Real:
    """Return the least false discovery rate at which each finding is a discovery, (findings,).

    Findings by the order of rows are rated apart, so that this order changes no other.

    Source: C. R. Genovese, K. Roeder and L. Wasserman, False Discovery Control with p-Value
    Weighting, 2006: p-values are divided by weights of mean 1 that were set before they were seen.
    """
    weights = np.array([_WEIGHTS.get(finding.code, 1.0) for finding in findings])
    p = np.array([finding.p for finding in findings])
    by_rows = np.array([finding.by_rows for finding in findings], bool)
    for family in (by_rows, ~by_rows):
        if family.any():
            own = weights[family]
            p[family] = _rates(np.minimum(p[family] * own.mean() / own, 1.0))
    return p


def _rates(p: Real) -> Real:
    """Return the rates of plain p-values.

    Source: Y. Benjamini and Y. Hochberg, Controlling the False Discovery Rate, 1995; the step-up
    procedure, which holds for independent and positively dependent tests.
    """
    order = np.argsort(p, kind="stable")[::-1]
    ranks = np.arange(len(p), 0, -1)
    steps = np.minimum.accumulate(p[order] * len(p) / ranks)
    out = np.empty(len(p))
    out[order] = np.minimum(steps, 1.0)
    return out
