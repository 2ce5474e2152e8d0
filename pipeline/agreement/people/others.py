"""What the others said: for every vote that has company, the other votes on the same item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.agreement.votes.pairs import Floats, Ints
from pipeline.agreement.votes.ratings import Ratings


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
