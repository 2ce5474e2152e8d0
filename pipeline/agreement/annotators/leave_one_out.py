"""Each vote against the other votes on its item, and alpha without each annotator in turn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.votes.pairs import Floats, Ints, ratio_metric
from pipeline.agreement.votes.ratings import Ratings
from pipeline.contracts.spec import Level


@dataclass(frozen=True)
class Others:
    """One entry a vote of a named annotator on an item with another vote; all arrays are parallel.

    `place` is the vote's place in the ratings and `rater` its annotator. `agree` is the share of
    the other votes equal to it, `among` the share of equal pairs among the others (NaN with one
    other); `majority` is 1 where it equals what most others said, 0 where not, NaN at a tie. For
    numbers `rest` is the mean of the others and `deviation` their standard deviation (NaN with one
    other); None for categories.
    """

    place: Ints
    rater: Ints
    agree: Floats
    among: Floats
    majority: Floats
    rest: Floats | None = None
    deviation: Floats | None = None


def others(ratings: Ratings, *, numeric: bool) -> Others:
    """Compare every named vote with the other votes on its item."""
    width = len(ratings.units)
    votes = np.bincount(ratings.unit, minlength=width).astype(np.float64)
    place = np.flatnonzero((votes[ratings.unit] > 1) & (ratings.rater >= 0)).astype(np.int64)
    unit, m = ratings.unit[place], votes[ratings.unit[place]]
    cells = ratings.unit.astype(np.int64) * max(len(ratings.values), 1) + ratings.value
    found, at, count = np.unique(cells, return_inverse=True, return_counts=True)
    cell_unit = found // max(len(ratings.values), 1)
    squares = np.bincount(cell_unit, weights=count.astype(np.float64) ** 2, minlength=width)
    same = count[at][place].astype(np.float64)
    left = squares[unit] - 2 * same + 1  # squares of the counts of the others
    pairs = (m - 1) * (m - 2)
    return Others(
        place,
        ratings.rater[place].astype(np.int64),
        (same - 1) / (m - 1),
        np.divide(left - (m - 1), pairs, out=np.full(len(m), np.nan), where=pairs > 0),
        _majority(same, *(top[unit] for top in _tops(cell_unit, count, width))),
        *(_scores(ratings, place, m) if numeric else ()),
    )


def _tops(unit: Ints, count: npt.NDArray[np.intp], width: int) -> Floats:
    """Return the three largest counts of every unit, 0 where it has fewer values; (3, units)."""
    order = np.lexsort((-count, unit))
    first = np.searchsorted(unit[order], np.arange(width))
    rank = np.arange(len(order)) - first[unit[order]]
    top = np.zeros((3, width))
    high = rank < 3
    top[rank[high], unit[order][high]] = count[order][high]
    return top


def _majority(same: Floats, first: Floats, second: Floats, third: Floats) -> Floats:
    """Tell whether each vote is what most of the others said; NaN where two lead together.

    A vote below the top meets the top; one alone at the top keeps the lead without itself unless
    the next is one behind; of two at the top the other leads.
    """
    alone = (same == first) & (second < first)
    shared = (same == first) & (second == first)
    below = same < first
    out = np.full(len(same), np.nan)
    out[alone & (second < first - 1)] = 1.0
    out[shared & (third < first)] = 0.0
    out[below & (second < first)] = 0.0
    return out


def _scores(ratings: Ratings, place: Ints, m: Floats) -> tuple[Floats, Floats]:
    numbers = ratings.numbers
    width = len(ratings.units)
    total = np.bincount(ratings.unit, weights=numbers, minlength=width)
    unit, own = ratings.unit[place], numbers[place]
    rest = np.round((total[unit] - own) / (m - 1), 12)
    squares = np.bincount(ratings.unit, weights=numbers**2, minlength=width)
    spread = np.maximum((squares[unit] - own**2) / (m - 1) - rest**2, 0.0)
    return rest, np.where(m > 2, np.sqrt(spread), np.nan)


#: Above this many different values only interval alpha is taken, by sums.
MOST_VALUES: Final = 200


def alpha_without(ratings: Ratings, level: Level) -> Floats | None:
    """Return the alpha of all votes but one annotator's, for each annotator; (raters,).

    NaN where what is left has no alpha; None where ordinal or ratio data have too many different
    values. Only the units of an annotator are computed anew, so time does not grow with votes x
    annotators.
    """
    if len(ratings.values) <= MOST_VALUES:
        return _by_coincidences(ratings, level)
    return _by_sums(ratings) if level == "interval" else None


def alpha_of(coincidence: Floats, level: Level, values: tuple[Any, ...]) -> float:
    """Return alpha of a coincidence matrix; NaN where there is one value or no pair."""
    margin = coincidence.sum(axis=0)
    metric = _metric(margin, level, values)
    expected = float(margin @ metric @ margin)
    if expected <= 1e-9 * margin.sum() ** 2 * metric.max(initial=0.0):
        return float("nan")
    return 1 - float((margin.sum() - 1) * (coincidence * metric).sum() / expected)


def _metric(margin: Floats, level: Level, values: tuple[Any, ...]) -> Floats:
    if level == "nominal":
        return 1 - np.eye(len(values))
    numbers = np.asarray(values, np.float64)
    if level == "ratio":
        return ratio_metric(numbers)
    if level == "ordinal":
        numbers = margin.cumsum() - margin / 2
    return np.asarray((numbers[:, None] - numbers[None, :]) ** 2)


def _by_coincidences(ratings: Ratings, level: Level) -> Floats:
    """Take the units of each annotator out of all coincidences, and put the others' votes back."""
    from scipy.sparse import csr_array

    units = ratings.patterns
    whole = _coincidences(units.table, units.units)
    order = np.argsort(ratings.rater, kind="stable")
    ends = np.searchsorted(ratings.rater[order], np.arange(len(ratings.raters) + 1))
    out = np.full(len(ratings.raters), np.nan)
    for rater, (start, stop) in enumerate(pairwise(ends.tolist())):
        own = order[start:stop]
        votes = units.table[units.of_unit[ratings.unit[own]]]
        ones, rows = np.ones(len(own)), np.arange(len(own))
        rest = votes - csr_array((ones, (rows, ratings.value[own])), shape=votes.shape)
        left = whole - _coincidences(votes, ones) + _coincidences(rest, ones)
        left = np.where(np.abs(left) < 1e-9, 0.0, left)
        out[rater] = alpha_of(left, level, ratings.values)
    return out


def _coincidences(counts: Any, times: Any) -> Floats:
    """Return the coincidences of units (units, values) that occur so many times.

    With counts n of m votes a unit adds (n n' - diag(n)) / (m - 1).
    """
    votes = counts.sum(axis=1)
    weight = np.where(votes > 1, times / np.maximum(votes - 1, 1), 0.0)
    pairs: Floats = (counts.T @ (counts * weight[:, None]).tocsr()).toarray()
    pairs[np.diag_indices_from(pairs)] -= counts.T @ weight
    return pairs


def _by_sums(ratings: Ratings) -> Floats:
    """Return interval alpha without each annotator from sums over units: any number of values."""
    numbers = ratings.numbers
    numbers = numbers - numbers.mean() if len(numbers) else numbers
    unit, width = ratings.unit, len(ratings.units)
    m, s, q = (
        np.bincount(unit, weights=numbers**k, minlength=width).astype(np.float64) for k in range(3)
    )
    own = np.flatnonzero(ratings.rater >= 0)
    u, x = unit[own], numbers[own]
    change = _terms(m[u] - 1, s[u] - x, q[u] - x**2) - _terms(m[u], s[u], q[u])
    whole = _terms(m, s, q).sum(axis=1)
    left = np.array(
        [
            total + np.bincount(ratings.rater[own], weights=part, minlength=len(ratings.raters))
            for total, part in zip(whole, change, strict=True)
        ]
    )
    disagreement, n, first, second = left
    expected = 2 * (n * second - first**2)
    out = np.full(len(ratings.raters), np.nan)
    good = expected > 1e-9 * n * second
    out[good] = 1 - ((n - 1) * disagreement)[good] / expected[good]
    return out


def _terms(m: Floats, s: Floats, q: Floats) -> Floats:
    """Return disagreement, pairable votes, their sum and sum of squares of units, (4, units)."""
    pairable = m > 1.5
    within = np.divide(2 * (m * q - s**2), m - 1, out=np.zeros_like(m), where=pairable)
    return np.array([within, m * pairable, s * pairable, q * pairable])
