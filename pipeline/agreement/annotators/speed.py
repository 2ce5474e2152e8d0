"""Test of speed: answers far faster than those of the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from pipeline.agreement.annotators.finding import Finding
from pipeline.agreement.annotators.norms import norm_of, number_below
from pipeline.agreement.votes.ratings import Real, Whole

#: Standard deviation between people of the logarithm of their time, before it is seen.
_PRIOR: Final = 0.25
_FAST: Final = 0.4


def speed(seconds: Real, timed: Whole, *, fewest: int) -> Iterator[Finding]:
    """Yield how fast each annotator of `fewest` votes with times is, (raters,); median seconds."""
    known = (timed >= fewest) & (seconds > 0)
    if known.sum() < 3:
        return
    logs = np.where(known, np.log(np.where(known, seconds, 1.0)), np.nan)
    sampling = 1 / np.maximum(timed, 1)
    norm = norm_of(logs[known], sampling[known], prior=_PRIOR)
    p, usual = number_below(logs, norm, sampling), float(np.exp(norm.middle))
    for rater in np.flatnonzero(known).tolist():
        own = float(seconds[rater])
        yield Finding(
            rater,
            "fast",
            float(p[rater]),
            own,
            own - usual,
            own < _FAST * usual,
            f"Takes {own:.1f} seconds a vote; the median annotator takes {usual:.1f}.",
        )
