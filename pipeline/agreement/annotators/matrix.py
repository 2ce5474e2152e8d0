"""Who agrees with whom: agreement and alpha of every two annotators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isnan
from typing import Any, Final

import numpy as np

from pipeline.agreement.coefficients.distances import nominal, ratio
from pipeline.agreement.votes.ratings import MOST_CELLS, MOST_PAIRS, Ratings, Real, Whole, lags
from pipeline.contracts.spec import Level

#: Above this many annotators the matrix is for machines, no longer for the eye.
MANY: Final = 60
#: Above this many there is no matrix: its record alone would take gigabytes.
MOST: Final = 1_000
#: Yields pairs of votes: the group that each belongs to, and both values (codes).
Pairs = Callable[[], Iterator[tuple[Whole, Whole, Whole]]]


@dataclass(frozen=True)
class Matrix:
    """Agreement of every two annotators: NaN where they share no item or it has no value.

    `measure` names `agreement`: the share of equal labels, or Pearson's r for numbers. `alpha` is
    None where it was too large to compute; `items` counts shared items. All are (raters, raters).
    """

    measure: str
    agreement: Real
    alpha: Real | None
    items: Whole


def matrix(ratings: Ratings, level: Level) -> Matrix:
    """Compare every two named annotators on the items they share (see `why_no_matrix`)."""
    width = len(ratings.raters)
    shared = np.zeros(width * width)
    for cell, _, _ in _pairs(ratings):
        np.add.at(shared, cell, 1.0)
    present = np.flatnonzero(shared)
    place = np.zeros(width * width, np.int64)
    place[present] = np.arange(len(present))

    def pairs() -> Iterator[tuple[Whole, Whole, Whole]]:
        for cell, left, right in _pairs(ratings):
            yield place[cell], left, right

    def square(values: Real) -> Real:
        full = np.full(width * width, np.nan)
        full[present] = values
        both = full.reshape(width, width)
        return np.where(np.isnan(both), both.T, both)

    alpha = None
    if level != "interval" and len(present) * len(ratings.values) <= MOST_CELLS:
        alpha = alphas(pairs, len(present), level, ratings.values)
    if level == "nominal":
        measure, agreement = "percent_agreement", np.zeros(len(present))
        for group, left, right in pairs():
            np.add.at(agreement, group, left == right)
        agreement /= shared[present]
    else:
        measure, sums = "pearson", _sums(pairs, len(present), np.asarray(ratings.values))
        agreement = _correlation(*sums)
        if level == "interval":
            alpha = _interval_alpha(*sums)
    counts = shared.reshape(width, width).astype(np.int64)
    return Matrix(
        measure, square(agreement), None if alpha is None else square(alpha), counts + counts.T
    )


def why_no_matrix(ratings: Ratings) -> str | None:
    """Return why there is no matrix of annotators, or None."""
    if len(ratings.raters) < 2:
        return "fewer than two annotators are named"
    if len(ratings.raters) > MOST:
        return f"{len(ratings.raters)} annotators; a matrix of at most {MOST} is made"
    number = ratings.pair_count
    return f"{number} pairs of votes are too many for a matrix" if number > MOST_PAIRS else None


def _pairs(ratings: Ratings) -> Iterator[tuple[Whole, Whole, Whole]]:
    # pairs of votes of two named raters: the cell of the raters, smaller code first, and the values
    rater, value = ratings.rater.astype(np.int64), ratings.value.astype(np.int64)
    for first, second in lags(ratings.unit):
        named = (rater[first] >= 0) & (rater[second] >= 0)
        swap = rater[first] > rater[second]
        left, right = np.where(swap, second, first)[named], np.where(swap, first, second)[named]
        yield rater[left] * len(ratings.raters) + rater[right], value[left], value[right]


def alphas(pairs: Pairs, groups: int, level: Level, values: tuple[Any, ...]) -> Real:
    """Return Krippendorff's alpha of every group of pairs, (groups,); NaN where it has no value.

    A group is like data of two raters: n is twice its pairs, expected disagreement comes from the
    group's own values (Krippendorff, Content Analysis, ch. 12). The level is nominal, ordinal or
    ratio; memory is groups x values numbers. `pairs` is called twice.
    """
    size = len(values)
    counts = np.zeros((groups, size))
    for group, left, right in pairs():
        for side in (left, right):
            np.add.at(counts.reshape(-1), group * size + side, 1.0)
    total = counts.sum(axis=1)
    distance = ratio(np.asarray(values, np.float64)) if level == "ratio" else nominal()
    expected = (counts * distance.against(counts.T).T).sum(axis=1)
    ranks = counts.cumsum(axis=1) - counts / 2
    if level == "ordinal":
        mean, power = ((counts * ranks**k).sum(axis=1) for k in (1, 2))
        expected = 2 * (total * power - mean**2)
    observed = np.zeros(groups)
    for group, left, right in pairs():
        if level == "ordinal":
            np.add.at(observed, group, (ranks[group, left] - ranks[group, right]) ** 2)
        else:
            np.add.at(observed, group, distance.between(left, right))
    return _alpha(observed, expected, total)


def _alpha(observed: Real, expected: Real, total: Real) -> Real:
    # 1 - (n - 1) observed / expected; observed counts every pair once
    alpha = np.full(len(total), np.nan)
    good = expected > 0
    alpha[good] = 1 - (total[good] - 1) * 2 * observed[good] / expected[good]
    return alpha


def _sums(pairs: Pairs, groups: int, values: Real) -> Real:
    # n, x, y, xx, yy and xy of every group, (6, groups)
    numbers = values - values.mean() if len(values) else values
    sums = np.zeros((6, groups))
    for group, left, right in pairs():
        x, y = numbers[left], numbers[right]
        for total, part in zip(sums, (np.ones(len(x)), x, y, x**2, y**2, x * y), strict=True):
            np.add.at(total, group, part)
    return sums


def _correlation(n: Real, x: Real, y: Real, xx: Real, yy: Real, xy: Real) -> Real:
    # Pearson's r; NaN where one side does not vary or n is below 2
    left, right = n * xx - x**2, n * yy - y**2
    good = (left > 1e-9 * np.maximum(n * xx, 1e-12)) & (right > 1e-9 * np.maximum(n * yy, 1e-12))
    scale = np.sqrt(np.where(good, left * right, 1.0))
    return np.where(good, np.clip((n * xy - x * y) / scale, -1.0, 1.0), np.nan)


def _interval_alpha(n: Real, x: Real, y: Real, xx: Real, yy: Real, xy: Real) -> Real:
    total, second = 2 * n, xx + yy
    expected = 2 * (total * second - (x + y) ** 2)
    varies = expected > 1e-9 * total * second
    return _alpha(second - 2 * xy, np.where(varies, expected, 0.0), total)


def absent(reason: str) -> dict[str, Any]:
    """Return the record of a matrix that could not be made, and why."""
    empty: dict[str, Any] = {name: [] for name in ("annotators", "values", "alpha", "items")}
    return {"measure": None, **empty, "reason": reason}


def matrix_record(ratings: Ratings, matrix: Matrix) -> dict[str, Any]:
    """Return a matrix as plain data; null is a pair without a value, and `reason` says why."""
    record: dict[str, Any] = {
        "annotators": list(ratings.raters),
        "measure": matrix.measure,
        "values": _rows(matrix.agreement),
        "alpha": [] if matrix.alpha is None else _rows(matrix.alpha),
        "items": matrix.items.tolist(),
        "reason": "null: the two share no item, or their answers on it never vary; an annotator is"
        " not compared with themselves",
    }
    if len(ratings.raters) > MANY:
        record["note"] = f"more than {MANY} annotators: for machines rather than for the eye"
    return record


def _rows(values: Real) -> list[list[float | None]]:
    rounded = (np.round(values, 4) + 0.0).tolist()
    return [[None if isnan(value) else value for value in row] for row in rounded]
