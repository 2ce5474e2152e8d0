"""Pairs of whole answers (spans, trees, states): sums over pairs, and ratios with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.coefficients.bootstrap import generator, with_interval
from pipeline.agreement.coefficients.estimate import Estimate, undefined
from pipeline.agreement.votes.pairs import MOST_CELLS, Floats, Ints, count_pairs, lags
from pipeline.agreement.votes.ratings import Ratings

#: Numbers in a block of resamples: 8 MiB of float64.
_BLOCK: Final = 1 << 20
#: Beyond so many pairs, or pairs x measures of `MOST_CELLS`, whole answers are not compared.
MOST_PAIRS: Final = 1_000_000
#: What two answers are counted by: names to (agreeing, out of), such as {"las": (5, 8)}.
Compare = Callable[[Any, Any], dict[str, tuple[float, float]]]
NO_PAIR: Final = "no item has the answers of two people"


@dataclass(frozen=True)
class Pairs:
    """Every two answers to one item by different people; all arrays are parallel.

    `unit` is the item, `left` and `right` the raters (-1 anonymous), `agree` and `total` what each
    measure counts, (pairs,). `reason` says why there is no pair where there is none.
    """

    unit: Ints
    left: Ints
    right: Ints
    agree: dict[str, Floats]
    total: dict[str, Floats]
    reason: str = NO_PAIR

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.unit)

    def only(self, keep: npt.NDArray[np.bool_], names: tuple[str, ...]) -> Pairs:
        """Return the pairs where `keep` is true, with the measures named."""
        return Pairs(
            self.unit[keep],
            self.left[keep],
            self.right[keep],
            {name: self.agree[name][keep] for name in names},
            {name: self.total[name][keep] for name in names},
            self.reason,
        )


def crowded(ratings: Ratings, measures: int = 1) -> str | None:
    """Return why there are too many pairs of answers to compare them, or None."""
    number = count_pairs(ratings)
    most = min(MOST_PAIRS, MOST_CELLS // max(measures, 1))
    if number <= most:
        return None
    return (
        f"{number} pairs of whole answers are too many to compare, at most {most} are: audit fewer"
        " answers an item, or fewer items at a time"
    )


def compared(ratings: Ratings, compare: Compare, names: tuple[str, ...]) -> Pairs:
    """Compare all answers to each item; a measure that `compare` leaves out counts 0 of 0.

    Two answers are compared once, in how many items they ever meet. Where that would be too much
    (see `crowded`) there is no pair, and the reason.
    """
    reason = crowded(ratings, len(names))
    one, two = _places(ratings if reason is None else ratings.only(np.zeros(len(ratings), bool)))
    low, high = np.sort([ratings.value[one], ratings.value[two]], axis=0).astype(np.int64)
    met, of = np.unique(low * max(len(ratings.values), 1) + high, return_inverse=True)
    sums = np.zeros((2, len(names), len(met)))
    row_of = {name: row for row, name in enumerate(names)}
    for place, key in enumerate(met.tolist()):
        left, right = divmod(key, len(ratings.values))
        for name, both in compare(ratings.values[left], ratings.values[right]).items():
            sums[:, row_of[name], place] = both
    agree, total = ({name: part[row][of] for name, row in row_of.items()} for part in sums)
    rater = ratings.rater.astype(np.int64)
    unit = ratings.unit[one].astype(np.int64)
    return Pairs(unit, rater[one], rater[two], agree, total, reason or NO_PAIR)


def _places(ratings: Ratings) -> tuple[Ints, Ints]:
    found = list(lags(ratings))
    none = np.zeros(0, np.int64)
    left = np.concatenate([none, *(one for one, _ in found)])
    right = np.concatenate([none, *(two for _, two in found)])
    order = np.lexsort((right, left))
    return left[order], right[order]


def estimates(pairs: Pairs, *, bootstrap: int, seed: int) -> dict[str, Estimate]:
    """Return, for every measure, the sum of what agrees over the sum it is out of.

    With `bootstrap` the interval holds the 2.5th to the 97.5th percentile over so many resamples of
    the items with two answers, the same ones for all measures.
    """
    unit, items = np.unique(pairs.unit, return_inverse=True)
    names = list(pairs.agree)
    if not len(unit):
        return dict.fromkeys(names, undefined(pairs.reason))
    agree, total = (
        np.stack([np.bincount(items, weights=part[name]) for name in names], axis=1)
        for part in (pairs.agree, pairs.total)
    )
    nothing = undefined("there is nothing to agree on in these answers", len(unit))
    made = {
        name: Estimate(float(top / bottom), n=len(unit)) if bottom else nothing
        for name, top, bottom in zip(names, agree.sum(axis=0), total.sum(axis=0), strict=True)
    }
    if not bootstrap:
        return made
    blocks = [_share(d @ agree, d @ total) for d in _drawn(len(unit), bootstrap, seed)]
    samples = np.concatenate(blocks)
    return {
        name: found if found.value is None else with_interval(found, samples[:, column])
        for column, (name, found) in enumerate(made.items())
    }


def _share(top: Floats, bottom: Floats) -> Floats:
    found: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    return found


def _drawn(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    chance = generator(seed, "answers")
    height = max(1, min(resamples, _BLOCK // units))
    for begin in range(0, resamples, height):
        rows = np.empty((min(height, resamples - begin), units))
        for row in rows:
            row[:] = np.bincount(chance.integers(0, units, units), minlength=units)
        yield rows


def matrix(pairs: Pairs, name: str, raters: int) -> tuple[Floats, Ints]:
    """Return agreement and shared items of every two named raters, (raters, raters); NaN: none."""
    named = (pairs.left >= 0) & (pairs.right >= 0)
    cells = pairs.left[named] * raters + pairs.right[named]
    agree, total = (
        _both(np.bincount(cells, weights=part[name][named], minlength=raters**2), raters)
        for part in (pairs.agree, pairs.total)
    )
    items = _both(np.bincount(cells, minlength=raters**2).astype(np.float64), raters)
    share = np.divide(agree, total, out=np.full(agree.shape, np.nan), where=total > 0)
    return share, items.astype(np.int64)


def _both(flat: npt.NDArray[Any], raters: int) -> Floats:
    square = flat.reshape(raters, raters).astype(np.float64)
    return square + square.T


def per_unit(pairs: Pairs, name: str, units: int) -> Floats:
    """Return 1 - agreement of every item, (units,); NaN without two answers."""
    agree = np.bincount(pairs.unit, weights=pairs.agree[name], minlength=units)
    total = np.bincount(pairs.unit, weights=pairs.total[name], minlength=units)
    paired = np.bincount(pairs.unit, minlength=units) > 0
    share = np.divide(agree, total, out=np.ones(units), where=total > 0)
    return np.where(paired, 1 - share, np.nan)


def per_rater(pairs: Pairs, name: str, raters: int) -> tuple[Floats, Ints]:
    """Return each rater's agreement with the others and the items shared, (raters,)."""
    agree, total, items = np.zeros((3, raters))
    for side in (pairs.left, pairs.right):
        named = side >= 0
        agree += np.bincount(side[named], weights=pairs.agree[name][named], minlength=raters)
        total += np.bincount(side[named], weights=pairs.total[name][named], minlength=raters)
    seen = np.concatenate(
        [
            np.stack([side[side >= 0], pairs.unit[side >= 0]], axis=1)
            for side in (pairs.left, pairs.right)
        ]
    )
    if len(seen):
        items = np.bincount(np.unique(seen, axis=0)[:, 0], minlength=raters).astype(np.float64)
    share = np.divide(agree, total, out=np.full(raters, np.nan), where=total > 0)
    return share, items.astype(np.int64)
