"""Pairs of structured answers (spans, trees, states): sums over pairs, and ratios of these sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.coefficients.estimates import Estimate, generator, undefined, with_interval
from pipeline.agreement.votes.pairs import MOST_CELLS, Floats, Ints, count_pairs, lags, quotient
from pipeline.agreement.votes.ratings import Ratings

#: Numbers in a block of resamples: 8 MiB of float64.
_BLOCK: Final = 1 << 20
#: Beyond so many pairs, or pairs x measures of `MOST_CELLS`, structured answers are not compared.
MOST_PAIRS: Final = 1_000_000
#: What two answers have in common: names to (agreeing, out of), such as {"las": (5, 8)}.
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
        agree, total = (
            {name: part[name][keep] for name in names} for part in (self.agree, self.total)
        )
        return Pairs(self.unit[keep], self.left[keep], self.right[keep], agree, total, self.reason)


def too_many_pairs(ratings: Ratings, measures: int = 1) -> str | None:
    """Return why there are too many pairs of answers to compare them, or None."""
    number = count_pairs(ratings)
    most = min(MOST_PAIRS, MOST_CELLS // max(measures, 1))
    if number <= most:
        return None
    return (
        f"{number} pairs of whole answers are too many to compare, at most {most} are: audit fewer"
        " answers an item, or fewer items at a time"
    )


def compare_answers(ratings: Ratings, compare: Compare, names: tuple[str, ...]) -> Pairs:
    """Compare all answers to each item; a measure that `compare` leaves out counts 0 of 0.

    Two answers are compared once, however many items they share. Where that would be too much
    (see `too_many_pairs`) there is no pair, and the reason.
    """
    reason = too_many_pairs(ratings, len(names))
    places = [np.zeros((2, 0), np.int64), *(map(np.stack, lags(ratings)) if not reason else ())]
    left, right = np.concatenate(places, axis=1)
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    low, high = np.sort([ratings.value[left], ratings.value[right]], axis=0).astype(np.int64)
    size = max(len(ratings.values), 1)
    distinct, pair = np.unique(low * size + high, return_inverse=True)
    sums = np.zeros((2, len(names), len(distinct)))
    row_of = {name: row for row, name in enumerate(names)}
    for place, key in enumerate(distinct.tolist()):
        first, second = (ratings.values[code] for code in divmod(key, size))
        for name, counts in compare(first, second).items():
            sums[:, row_of[name], place] = counts
    agree, total = ({name: part[row][pair] for name, row in row_of.items()} for part in sums)
    rater = ratings.rater.astype(np.int64)
    unit = ratings.unit[left].astype(np.int64)
    return Pairs(unit, rater[left], rater[right], agree, total, reason or NO_PAIR)


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
    values = {
        name: Estimate(float(top / bottom), n=len(unit)) if bottom else nothing
        for name, top, bottom in zip(names, agree.sum(axis=0), total.sum(axis=0), strict=True)
    }
    if not bootstrap:
        return values
    blocks = [quotient(d @ agree, d @ total) for d in _resamples(len(unit), bootstrap, seed)]
    samples = np.concatenate(blocks)
    return {
        name: value if value.value is None else with_interval(value, samples[:, column])
        for column, (name, value) in enumerate(values.items())
    }


def _resamples(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    chance = generator(seed, "answers")
    height = max(1, min(resamples, _BLOCK // units))
    for begin in range(0, resamples, height):
        rows = np.empty((min(height, resamples - begin), units))
        for row in rows:
            row[:] = np.bincount(chance.integers(0, units, units), minlength=units)
        yield rows


def agreement_matrix(pairs: Pairs, name: str, raters: int) -> tuple[Floats, Ints]:
    """Return agreement and shared items of every two named raters, (raters, raters); NaN: none."""
    named = (pairs.left >= 0) & (pairs.right >= 0)
    cells = pairs.left[named] * raters + pairs.right[named]
    counts = np.ones(len(cells))
    agree, total, items = (
        np.bincount(cells, weights, raters**2).reshape(raters, raters)
        for weights in (pairs.agree[name][named], pairs.total[name][named], counts)
    )
    return quotient(agree + agree.T, total + total.T), (items + items.T).astype(np.int64)


def per_unit(pairs: Pairs, name: str, units: int) -> Floats:
    """Return 1 - agreement of every item, (units,); NaN without two answers."""
    agree = np.bincount(pairs.unit, weights=pairs.agree[name], minlength=units)
    total = np.bincount(pairs.unit, weights=pairs.total[name], minlength=units)
    paired = np.bincount(pairs.unit, minlength=units) > 0
    share = np.divide(agree, total, out=np.ones(units), where=total > 0)
    return np.where(paired, 1 - share, np.nan)


def per_rater(pairs: Pairs, name: str, raters: int) -> tuple[Floats, Ints]:
    """Return each rater's agreement with the others and the items shared, (raters,)."""
    side = np.concatenate([pairs.left, pairs.right])
    named = side >= 0
    agree, total = (
        np.bincount(side[named], np.tile(part[name], 2)[named], raters)
        for part in (pairs.agree, pairs.total)
    )
    shared = np.unique(np.stack([side, np.tile(pairs.unit, 2)])[:, named], axis=1)
    return quotient(agree, total), np.bincount(shared[0], minlength=raters).astype(np.int64)
