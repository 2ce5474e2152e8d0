"""What is usual in a pool: the middle and the spread of its people, and how far a tail reaches."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from scipy.special import betainc, stdtr

from pipeline.agreement.votes.ratings import Real

#: The prior spread between people weighs as much as so many of them.
PRIOR_PEOPLE: Final = 10


#: Robust deviations that a difference counts at most, and what makes up for it in a normal pool.
_FAR, _WINSORISED = 2.5, 1.035


class Norm(NamedTuple):
    """The middle of a measure among the people of a pool, and the variance between them."""

    middle: float
    variance: float
    people: int


def norm_of(measure: Real, sampling: Real, *, prior: float) -> Norm:
    """Return the median of a measure and the variance between people beyond that of sampling.

    Arrays (people,); `sampling` is the variance that each measure has by the draw of its votes.
    Differences count up to `_FAR` robust deviations, so that a few odd people do not hide each
    other, and the spread is drawn towards the standard deviation `prior`, since a handful of people
    cannot tell.
    """
    known = np.isfinite(measure) & np.isfinite(sampling)
    measure, sampling = measure[known], sampling[known]
    people = len(measure)
    if not people:
        return Norm(0.0, prior**2, 0)
    middle = float(np.median(measure))
    away = np.abs(measure - middle)
    spread = _WINSORISED * float((np.minimum(away, _FAR * 1.4826 * np.median(away)) ** 2).mean())
    between = max(spread - float(np.mean(sampling)), 0.0)
    weighed = PRIOR_PEOPLE * prior**2 + people * between
    return Norm(middle, weighed / (PRIOR_PEOPLE + people), people)


def share_below(share: Real, mean: Real, variance: Real) -> Real:
    """Return the probability of a share as low as this; beta distribution of mean and variance."""
    mean = np.clip(mean, 1e-6, 1 - 1e-6)
    room = mean * (1 - mean)
    size = np.maximum(room / np.clip(variance, 1e-12, 0.99 * room) - 1, 1e-3)
    return np.asarray(betainc(mean * size, (1 - mean) * size, np.clip(share, 0.0, 1.0)))


def share_above(share: Real, mean: Real, variance: Real) -> Real:
    """Return the probability of a share as high as this; see `share_below`."""
    return share_below(1 - share, 1 - mean, variance)


def number_below(number: Real, norm: Norm, sampling: Real) -> Real:
    """Return the probability of a number as low as this among the people of a norm; Student's t."""
    z = (number - norm.middle) / np.sqrt(np.maximum(norm.variance + sampling, 1e-300))
    return np.asarray(stdtr(norm.people + PRIOR_PEOPLE - 1, z))
