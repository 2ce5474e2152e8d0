"""Pairs of votes on one item, and Krippendorff's alpha over chosen pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.agreement.votes.ratings import Ratings
from pipeline.contracts.spec import Level

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: Beyond these sizes pairs are not gone through, and what rests on them says so.
MOST_PAIRS: Final = 20_000_000
MOST_CELLS: Final = 10_000_000


class Event(NamedTuple):
    """Pairs of votes: the group each belongs to, both values (codes), and the weight."""

    group: Ints
    left: Ints
    right: Ints
    weight: Floats


def lags(ratings: Ratings) -> Iterator[tuple[Ints, Ints]]:
    """Yield all pairs of votes on one unit, each once, as two arrays of places in the ratings."""
    unit = ratings.unit
    places = np.arange(len(unit), dtype=np.int64)
    last = np.searchsorted(unit, unit, side="right") - 1
    lag, left = 1, places[places < last]
    while len(left):
        yield left, left + lag
        lag += 1
        left = left[left + lag <= last[left]]


def count_pairs(ratings: Ratings) -> int:
    """Return the number of pairs of votes on one unit."""
    votes = np.bincount(ratings.unit, minlength=1).astype(np.int64)
    return int((votes * (votes - 1) // 2).sum())


def alphas(
    events: Callable[[], Iterator[Event]],
    groups: int,
    *,
    level: Level,
    values: tuple[Any, ...],
) -> Floats:
    """Return Krippendorff's alpha of every group of pairs; NaN where it has no value.

    A group is like data of two raters whose pairs are given, with weights: n is twice their sum,
    expected disagreement comes from the group's own values (Krippendorff, Content Analysis, ch.
    12). `events` is called twice. Ordinal, ratio and nominal need groups x values numbers.
    """
    if level == "interval":
        return _interval(events, groups, np.asarray(values, np.float64))
    counts = np.zeros((groups, len(values)))
    for event in events():
        for side in (event.left, event.right):
            add(counts.reshape(-1), event.group * len(values) + side, event.weight)
    total = counts.sum(axis=1)
    if level == "nominal":
        expected = total**2 - (counts**2).sum(axis=1)
        return _alpha(_observed(events, groups, _unequal), expected, total)
    numbers = np.asarray(values, np.float64)
    if level == "ordinal":
        ranks = counts.cumsum(axis=1) - counts / 2
        mean = (counts * ranks).sum(axis=1)
        expected = 2 * (total * (counts * ranks**2).sum(axis=1) - mean**2)
        width = len(values)
        flat = ranks.ravel()
        observed = _observed(
            events,
            groups,
            lambda e: (flat[e.group * width + e.left] - flat[e.group * width + e.right]) ** 2,
        )
        return _alpha(observed, expected, total)
    metric = ratio_metric(numbers)
    expected = ((counts @ metric) * counts).sum(axis=1)
    return _alpha(_observed(events, groups, lambda e: metric[e.left, e.right]), expected, total)


def ratio_metric(numbers: Floats) -> Floats:
    """Return the squared ratio differences ((a - b) / (a + b))^2 of all pairs; 0 for 0 and 0."""
    total = numbers[:, None] + numbers[None, :]
    apart = numbers[:, None] - numbers[None, :]
    return np.divide(apart, total, out=np.zeros_like(apart), where=total != 0) ** 2


def _interval(events: Callable[[], Iterator[Event]], groups: int, numbers: Floats) -> Floats:
    numbers = numbers - numbers.mean() if len(numbers) else numbers
    total, first, second, observed = np.zeros((4, groups))
    for e in events():
        left, right = numbers[e.left], numbers[e.right]
        add(total, e.group, 2 * e.weight)
        add(first, e.group, e.weight * (left + right))
        add(second, e.group, e.weight * (left**2 + right**2))
        add(observed, e.group, e.weight * (left - right) ** 2)
    expected = 2 * (total * second - first**2)
    varies = expected > 1e-9 * total * second
    return _alpha(observed, np.where(varies, expected, 0.0), total)


def _unequal(event: Event) -> Floats:
    return np.asarray(event.left != event.right, np.float64)


def _observed(
    events: Callable[[], Iterator[Event]], groups: int, metric: Callable[[Event], Floats]
) -> Floats:
    found = np.zeros(groups)
    for event in events():
        add(found, event.group, event.weight * metric(event))
    return found


def add(into: Floats, cells: Ints, weight: Floats) -> None:
    """Add weights to the cells of a flat array, in place."""
    if 4 * len(cells) < len(into):
        np.add.at(into, cells, weight)
    else:
        into += np.bincount(cells, weights=weight, minlength=len(into))


def _alpha(observed: Floats, expected: Floats, total: Floats) -> Floats:
    """Return 1 - (n - 1) observed / expected; observed counts every pair once."""
    out = np.full(len(total), np.nan)
    good = expected > 0
    out[good] = 1 - (total[good] - 1) * 2 * observed[good] / expected[good]
    return out


def quotient(top: npt.NDArray[Any], bottom: npt.NDArray[Any]) -> Floats:
    """Return top / bottom of every cell; NaN where bottom is 0."""
    share: Floats = np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=bottom > 0)
    return share


def correlation(n: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    """Return Pearson's r from sums; NaN where one side does not vary or n is below 2."""
    left, right = n * xx - x**2, n * yy - y**2
    good = (left > 1e-9 * np.maximum(n * xx, 1e-12)) & (right > 1e-9 * np.maximum(n * yy, 1e-12))
    out = np.full(len(n), np.nan)
    scale = np.sqrt(np.where(good, left * right, 1.0))
    out[good] = np.clip((n * xy - x * y)[good] / scale[good], -1.0, 1.0)
    return out
