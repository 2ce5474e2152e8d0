"""Which pairs of systems a version tells apart, what ranks are sure, and how near people are.

A pair is told apart where the mean of its differences over the examples is not 0 by a paired t
test, with Holm's correction over all pairs of the version. The rank of a system is between one more
than the number of systems that are told to be better and the number of those not told to be worse.

Source: S. Holm, Scandinavian Journal of Statistics 6 (1979); M. Mogstad, J. Romano, A. Shaikh and
D. Wilhelm, Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
Achievement across Countries, The Review of Economic Studies 91 (2024) for the ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.scoring.measure import Floats
from pipeline.scoring.versions.scores import Examples

Signs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Saturation:
    """People's score, the best system's and what is between; systems that reach people's."""

    human: float
    best: float
    headroom: float
    reached: int


def order_signs(values: Floats) -> Signs:
    """Return for each pair, systems x systems, 1 where the first has the higher score, else -1."""
    return np.sign(values[:, None] - values[None, :]).astype(np.int64)


def significant_signs(examples: Examples, confidence: float) -> Signs:
    """Return the signs of the pairs that examples tell apart, 0 for the others."""
    from scipy.stats import t

    systems, count = examples.cells.shape
    first, second = np.triu_indices(systems, 1)
    if count < 2 or not len(first):
        return np.zeros((systems, systems), dtype=np.int64)
    means = examples.cells.mean(axis=1)
    covariance = np.atleast_2d(np.cov(examples.cells)) / count
    spread = np.diag(covariance)
    variance = np.maximum(spread[first] + spread[second] - 2 * covariance[first, second], 0)
    difference = means[first] - means[second]
    tiny = np.finfo(np.float64).eps * (spread[first] + spread[second]) + np.finfo(np.float64).tiny
    certain = np.where(difference != 0, np.inf, 0.0)
    ratio = np.where(variance > tiny, np.abs(difference) / np.sqrt(variance + tiny), certain)
    sure = _holm(2 * t.sf(ratio, count - 1), 1 - confidence)
    signs = np.zeros((systems, systems), dtype=np.int64)
    signs[first, second] = np.where(sure, np.sign(difference), 0)
    return signs - signs.T


def _holm(p: Floats, level: float) -> npt.NDArray[np.bool_]:
    order = np.argsort(p, kind="stable")
    passes = p[order] <= level / np.arange(len(p), 0, -1)
    last = len(p) if passes.all() else int(np.argmin(passes))
    rejected = np.zeros(len(p), dtype=np.bool_)
    rejected[order[:last]] = True
    return rejected


def ranks(values: Floats) -> Floats:
    """Return the rank of each score, 1 the highest; equal ones share the mean of theirs."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-values))


def rank_bounds(apart: Signs) -> list[tuple[int, int]]:
    """Return the first and the last rank that each system may have."""
    better, worse = (apart < 0).sum(axis=1), (apart > 0).sum(axis=1)
    return [(1 + int(b), len(apart) - int(w)) for b, w in zip(better, worse, strict=True)]


def pair_counts(
    values: tuple[Floats, Floats], apart: tuple[Signs | None, Signs | None]
) -> dict[str, Any]:
    """Return how many pairs there are, how two versions order them, and which are told apart.

    Counts of pairs told apart are None for a version without examples; `both_opposite` are the
    pairs that both versions are sure of, in opposite orders.
    """
    old, new = (order_signs(of) for of in values)
    upper = np.triu_indices(len(old), 1)
    product = (old * new)[upper]
    first, second = (None if signs is None else signs[upper] for signs in apart)
    both = None if first is None or second is None else first * second
    return {
        "all": len(product),
        "same_order": int((product > 0).sum()),
        "opposite_order": int((product < 0).sum()),
        "tied": int((product == 0).sum()),
        "told_apart": {
            "old": None if first is None else int(np.count_nonzero(first)),
            "new": None if second is None else int(np.count_nonzero(second)),
            "both_same": None if both is None else int((both > 0).sum()),
            "both_opposite": None if both is None else int((both < 0).sum()),
        },
    }


def saturation(values: Sequence[float], human: float) -> Saturation:
    """Return how near systems are to people."""
    best = max(values)
    return Saturation(human, best, human - best, sum(value >= human for value in values))
