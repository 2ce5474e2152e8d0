"""Each vote against the other votes on its item, and alpha without each annotator in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.votes.pairs import Floats, Ints, ratio_metric
from pipeline.agreement.votes.ratings import Patterns, Ratings
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


#: Above this many different values only nominal and interval alpha are taken, by sums.
MOST_VALUES: Final = 200
#: Numbers in a block of coincidences: 64 MiB of float64.
_BLOCK: Final = 1 << 23


def alpha_without(ratings: Ratings, level: Level) -> Floats | None:
    """Return the alpha of all votes but one annotator's, for each annotator; (raters,).

    NaN where what is left has no alpha; None where ordinal or ratio data have too many different
    values. Takes time in proportion to the votes, not to votes x annotators.
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
    change = _Change(ratings.patterns.pairable)
    pattern, cell, rater = change.votes(ratings)
    width, raters = len(ratings.values), len(ratings.raters)
    out = np.full(raters, np.nan)
    height = max(1, _BLOCK // max(width * width, 1))
    for top in range(0, raters, height):
        mine = (rater >= top) & (rater < top + height)
        rows = min(height, raters - top)
        moved = change.by_rater(rater[mine] - top, pattern[mine], cell[mine], rows)
        for row, moved_by in enumerate(moved):
            left = change.whole + moved_by.reshape(width, width)
            left = np.where(np.abs(left) < 1e-9, 0.0, left)
            out[top + row] = alpha_of(left, level, ratings.values)
    return out


class _Change:
    """What one vote less does to the coincidences of a unit, for every pattern and value of it.

    With counts n of a pattern of m votes and N = n n' - diag(n), a unit adds N / (m - 1), and once
    a vote e is gone (N - e n' - n e' + 2 e e') / (m - 2), nothing where m is 2.
    """

    def __init__(self, units: Patterns) -> None:
        from scipy.sparse import csr_array

        self.units = units
        width = units.categories
        one, two = _cell_pairs(units.owner)
        flat = units.value[one] * width + units.value[two]
        product = units.count[one] * units.count[two] - np.where(one == two, units.count[one], 0)
        more = np.maximum(units.votes - 2, 1)
        kept = units.votes > 2
        shape = (len(units), width * width)
        pairs = csr_array((product.astype(np.float64), (units.owner[one], flat)), shape=shape)
        share = units.units / (units.votes - 1)
        self.whole = (pairs.T @ share).reshape(width, width)
        self.stays = pairs.multiply((kept / more - 1 / (units.votes - 1))[:, None]).tocsr()
        lost = (kept / more)[units.owner[one]]
        back = units.value[two] * width + units.value[one]
        gone = np.where(one == two, units.count[one] - 1, units.count[two]) * lost
        entries = np.concatenate([-gone, -gone]), np.concatenate([one, one])
        columns = np.concatenate([flat, back])
        self.goes = csr_array(
            (entries[0], (entries[1], columns)), shape=(len(units.owner), shape[1])
        )

    def votes(self, ratings: Ratings) -> tuple[Ints, Ints, Ints]:
        """Return pattern, cell and rater of every named vote on a unit with another vote."""
        pattern = self.units.of_unit[ratings.unit]
        use = (pattern >= 0) & (ratings.rater >= 0)
        width = max(self.units.categories, 1)
        keys = self.units.owner * width + self.units.value
        cell = np.searchsorted(keys, pattern[use] * width + ratings.value[use])
        return pattern[use], cell.astype(np.int64), ratings.rater[use].astype(np.int64)

    def by_rater(self, rater: Ints, pattern: Ints, cell: Ints, raters: int) -> Floats:
        """Return what is added to the coincidences without each rater, (raters, values^2)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(rater))
        of_pattern = csr_array((ones, (rater, pattern)), shape=(raters, len(self.units)))
        of_cell = csr_array((ones, (rater, cell)), shape=(raters, len(self.units.owner)))
        moved: Floats = (of_pattern @ self.stays).toarray() + (of_cell @ self.goes).toarray()
        return moved


def _cell_pairs(owner: Ints) -> tuple[Ints, Ints]:
    """Return all ordered pairs of cells of one pattern, a cell with itself among them."""
    start = np.searchsorted(owner, owner, side="left")
    size = np.searchsorted(owner, owner, side="right") - start
    one = np.repeat(np.arange(len(owner)), size)
    within = np.arange(len(one)) - np.repeat(np.cumsum(size) - size, size)
    return one, start[one] + within


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
