"""Ranks that are sure at once: all pairs of systems that a paired bootstrap can tell apart.

A pair is told apart if its difference, in standard errors, exceeds what the greatest of all pairs
reaches by chance (max-t, step by step: pairs that were told apart leave the maximum). With the
given confidence no pair of a table is told apart in the wrong order. The rank of a system is then
between 1 + the number of systems that are surely better and the number of all less those that are
surely worse.

Source: J. Romano and M. Wolf, Exact and Approximate Stepdown Methods for Multiple Hypothesis
Testing, JASA 100 (2005); M. Mogstad, J. Romano, A. Shaikh and D. Wilhelm, Inference for Ranks with
Applications to Mobility across Neighbourhoods and Academic Achievement across Countries, The Review
of Economic Studies 91 (2024).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.scoring.measure import Floats
from pipeline.scoring.ranking.errors import difference_errors, on_scale_of_t

Signs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RankRange:
    """The ranks that a system may have among `of` systems: `low` is the best, from 1.

    `better` and `worse` count the systems that surely are.
    """

    low: int
    high: int
    of: int

    @property
    def better(self) -> int:
        return self.low - 1

    @property
    def worse(self) -> int:
        return self.of - self.high


def rank_ranges(
    scores: Sequence[float | None], draws: Sequence[Floats], *, examples: int, confidence: float
) -> list[RankRange | None]:
    """Return the ranks that each system may have; None for one without a score.

    `scores` are those of one metric over `examples` examples, `draws` the bootstrap samples of
    each system over the same draws. Systems without a score (None, NaN) do not count among the
    others. Equal systems are never told apart.
    """
    values = np.array([math.nan if score is None else score for score in scores])
    there = np.flatnonzero(np.isfinite(values)).tolist()
    found: list[RankRange | None] = [None] * len(values)
    if not there:
        return found
    drawn = np.column_stack([draws[place] for place in there])
    signs = significant_signs(values[there], drawn, examples=examples, confidence=confidence)
    better, worse = (signs < 0).sum(axis=1), (signs > 0).sum(axis=1)
    for row, place in enumerate(there):
        found[place] = RankRange(1 + int(better[row]), len(there) - int(worse[row]), len(there))
    return found


def significant_signs(scores: Floats, drawn: Floats, *, examples: int, confidence: float) -> Signs:
    """Return, systems x systems, 1 where the first is surely better, -1 worse, 0 not known.

    `drawn` has the shape draws x systems.
    """
    systems = len(scores)
    first, second = np.triu_indices(systems, 1)
    signs = np.zeros((systems, systems), dtype=np.int64)
    if not len(first):
        return signs
    differences = scores[first] - scores[second]
    between = drawn[:, first] - drawn[:, second]
    errors = difference_errors(differences, between, examples)
    known = np.isfinite(errors) & (errors > 0)
    with np.errstate(invalid="ignore"):
        chance = np.abs(between[:, known] - differences[known]) / errors[known]
    chance[~np.isfinite(chance)] = 0
    sure = np.zeros(len(first), dtype=np.bool_)
    sure[known] = _stepdown(
        np.abs(differences[known]) / errors[known], chance, examples, confidence
    )
    signs[first, second] = np.where(sure, np.sign(differences), 0)
    return signs - signs.T


def _stepdown(
    ratios: Floats, chance: Floats, examples: int, confidence: float
) -> npt.NDArray[np.bool_]:
    """Return which ratios exceed what the greatest of those that do not reaches by chance."""
    from scipy.stats import norm

    least = float(norm.isf((1 - confidence) / 2))  # of one pair; few examples may not vary at all
    open_ = np.ones(len(ratios), dtype=np.bool_)
    while open_.any():
        greatest = _quantile(chance[:, open_].max(axis=1), confidence)
        beyond = open_ & (ratios > on_scale_of_t(max(greatest, least), examples))
        if not beyond.any():
            break
        open_ &= ~beyond
    return ~open_


def _quantile(numbers: Floats, share: float) -> float:
    """Return the number that a share of draws does not exceed, the data counting as one more."""
    place = math.ceil(share * (len(numbers) + 1))
    return math.inf if place > len(numbers) else float(np.partition(numbers, place - 1)[place - 1])
