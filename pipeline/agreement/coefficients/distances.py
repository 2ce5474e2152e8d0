"""Distances between values: levels of measurement, weights of partial agreement, sets of labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from numbers import Real as Number
from typing import Any, Literal

import numpy as np

from pipeline.agreement.votes.ratings import Real, Whole
from pipeline.contracts.spec import Level

Named = Literal["identity", "linear", "quadratic", "ordinal"]
#: Weights by name, or a distance of two values: 0 for full agreement, symmetric, never negative.
Weights = Named | Callable[[Any, Any], float]

#: Entries of a block of a distance matrix that is never held as a whole.
_BLOCK = 1 << 20
#: The ratio distance takes its matrix for so many values, or where their range is a share of the
#: largest one below _NARROW; else the trapezoidal rule with a step of _STEP.
_FEW = 1_000
_NARROW = 1e-3
_STEP = 0.25
#: A distance given as a function is called for every pair of at most so many values.
MOST_VALUES = 4_000


@dataclass(frozen=True, eq=False)
class Distance:
    """How far two values are apart, 0 for equal ones.

    `between` takes two arrays of value codes that broadcast and gives their distances. `against`
    takes counts or shares of the categories, (categories,) or (categories, samples), and gives, in
    the same shape, the sum of the distances of each category to all others, so weighted. Neither
    holds an array of categories x categories, except `table`, which was given one.
    """

    between: Callable[[Whole, Whole], Real]
    against: Callable[[Real], Real]

    def total(self, categories: int) -> float:
        """Return the sum of the distances of all ordered pairs of categories."""
        return float(self.against(np.ones(categories)).sum())


def nominal() -> Distance:
    """Return the distance 1 between any two different values."""
    return Distance(
        lambda left, right: np.asarray(left != right, np.float64),
        lambda shares: shares.sum(axis=0) - shares,
    )


def square_distance(scale: Real) -> Distance:
    """Return the squared difference of the numbers that the codes stand for."""
    place = scale - scale.mean() if len(scale) else scale

    def against(shares: Real) -> Real:
        at = place.reshape(-1, *[1] * (shares.ndim - 1))
        first, second = (at * shares).sum(axis=0), (at * at * shares).sum(axis=0)
        return np.asarray(at * at * shares.sum(axis=0) - 2 * at * first + second, np.float64)

    return Distance(lambda left, right: np.square(place[left] - place[right]), against)


def level_distance(level: Level, values: Sequence[Any]) -> Distance | None:
    """Return the distance of a level; None for ordinal, whose ranks depend on the votes."""
    if level == "nominal":
        return nominal()
    if level == "ordinal":
        return None
    scale = np.asarray(values, np.float64)
    return ratio(scale) if level == "ratio" else square_distance(small(scale))


def absolute_distance(scale: Real) -> Distance:
    """Return the absolute difference of the numbers that the codes stand for."""
    order = np.argsort(scale, kind="stable")
    back = np.argsort(order, kind="stable")

    def against(shares: Real) -> Real:
        at = scale[order].reshape(-1, *[1] * (shares.ndim - 1))
        below = np.cumsum(shares[order], axis=0)
        weighed = np.cumsum(at * shares[order], axis=0)
        sums: Real = at * (2 * below - below[-1:]) - (2 * weighed - weighed[-1:])
        return np.asarray(sums[back], np.float64)

    return Distance(lambda left, right: np.abs(scale[left] - scale[right]), against)


def ratio(scale: Real) -> Distance:
    """Return ((a - b) / (a + b)) squared, 0 where both are 0; for numbers of at least 0.

    Up to `_FEW` values, or where they hardly differ, sums run over the matrix, made block by block.
    Otherwise they run over about 120 functions of one value: 1 minus the distance is
    4 a b / (a + b)^2, and that is the integral of (2 t a exp(-t a)) (2 t b exp(-t b)) over ln t,
    which the trapezoidal rule gives to the last digits of a float.
    """

    scale = small(scale)

    def between(left: Whole, right: Whole) -> Real:
        first, other = scale[left], scale[right]
        both = first + other
        return np.square(np.divide(first - other, both, out=np.zeros_like(both), where=both != 0))

    low, high = float(scale.min(initial=np.inf)), float(scale.max(initial=0.0))
    if len(scale) <= _FEW or high - low < _NARROW * high:
        return _in_blocks(between, len(scale))
    return Distance(between, _by_integral(scale))


def _by_integral(scale: Real) -> Callable[[Real], Real]:
    """Return `against` of the ratio distance; its error is below 1e-14 for each pair."""
    low, high = float(scale[scale > 0].min()), float(scale.max())
    steps = np.arange(np.log(1e-8 / high), np.log(40 / low), _STEP)
    near = np.exp(steps)[:, None] * scale[None, :]
    near *= 2 * np.sqrt(_STEP) * np.exp(-near)
    zero = scale == 0

    def against(shares: Real) -> Real:
        sums: Real = shares.sum(axis=0) - near.T @ (near @ shares)
        sums[zero] -= shares[zero].sum(axis=0)
        return sums

    return against


def table(distances: Real) -> Distance:
    """Return a distance that is looked up in a matrix (categories, categories)."""

    return Distance(lambda left, right: distances[left, right], lambda shares: distances @ shares)


def custom(values: Sequence[Any], distance: Callable[[Any, Any], float]) -> Distance:
    """Return a distance that a function of two values gives; it is called once for each pair.

    Raises ValueError for a distance that is negative or not finite.
    """
    distances = np.zeros((len(values), len(values)))
    for i, left in enumerate(values):
        for j in range(i):
            distances[i, j] = distances[j, i] = distance(left, values[j])
    if not np.isfinite(distances).all() or (distances < 0).any():
        raise ValueError("a distance is a finite number of at least 0")
    return table(small(distances))


def small(numbers: Real) -> Real:
    """Return the numbers by the power of two that brings the largest one to between 1/2 and 1.

    Their sums and squares stay finite so; alpha does not depend on the factor.
    """
    _, exponent = np.frexp(np.abs(numbers).max(initial=0.0))
    return np.asarray(np.ldexp(numbers, -exponent), np.float64)


def weights_distance(values: Sequence[Any], weights: Weights) -> Distance:
    """Return the distances, from 0 to 1, that belong to the weights of a coefficient.

    A weight is 1 minus the distance. linear and quadratic take the numbers that the values are, or
    their places in the order where they are no numbers; ordinal takes the places. Distances of a
    function are divided by the largest one. Raises ValueError as `custom`, and for an unknown name.

    Source: K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014, chapter 3.
    """
    if callable(weights):
        codes, distance = np.arange(len(values)), custom(values, weights)
        apart = distance.between(codes[:, None], codes[None, :])
        return table(apart / max(float(apart.max(initial=0.0)), np.finfo(np.float64).tiny))
    if weights == "identity":
        return nominal()
    if weights == "ordinal":
        return _pairs_between(len(values))
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights {weights!r}: allowed are identity, linear, quadratic, ordinal")
    scale = numbers(values)
    places = small(np.arange(len(values), dtype=np.float64) if scale is None else scale)
    width = float(np.ptp(places)) if len(places) else 0.0
    places = places / width if width > 0 else places
    return absolute_distance(places) if weights == "linear" else square_distance(places)


def _pairs_between(size: int) -> Distance:
    """Return the ordinal weights: pairs of places from one value to the other, over all pairs."""
    most = max(size * (size - 1), 1)
    codes = np.arange(size, dtype=np.float64)
    linear, quadratic = absolute_distance(codes), square_distance(codes)
    return Distance(
        lambda left, right: (linear.between(left, right) + quadratic.between(left, right)) / most,
        lambda shares: (linear.against(shares) + quadratic.against(shares)) / most,
    )


def numbers(values: Sequence[Any]) -> Real | None:
    """Return the values as numbers, or None where one of them is none (a text "1" is a text).

    An integer beyond a float is none either.
    """
    if not all(isinstance(v, Number) and not isinstance(v, bool) for v in values):
        return None
    try:
        return np.asarray(values, np.float64)
    except OverflowError:
        return None


def _in_blocks(between: Callable[[Whole, Whole], Real], size: int) -> Distance:
    """Return a distance whose matrix is made block by block, by rows."""
    codes = np.arange(size)
    height = max(1, _BLOCK // max(size, 1))

    def against(shares: Real) -> Real:
        sums = np.empty_like(shares, np.float64)
        for top in range(0, size, height):
            rows = codes[top : top + height]
            sums[top : top + height] = between(rows[:, None], codes[None, :]) @ shares
        return sums

    return Distance(between, against)


def masi(left: Set[Any], right: Set[Any]) -> float:
    """Return the MASI distance: 1 minus the Jaccard index times how the sets lie to each other.

    The factor is exactly 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap
    and 0 where they share nothing. Two empty sets are equal: 0.

    Source: R. Passonneau, Measuring Agreement on Set-Valued Items (MASI) for Semantic and Pragmatic
    Annotation, LREC 2006.
    """
    if left == right:
        return 0.0
    shared = len(left & right)
    factor = 2 / 3 if shared == min(len(left), len(right)) else 1 / 3
    return 1 - shared / len(left | right) * factor


def jaccard(left: Set[Any], right: Set[Any]) -> float:
    """Return the Jaccard distance: 1 minus the shared over all members; 0 for two empty sets.

    Source: P. Jaccard, The Distribution of the Flora in the Alpine Zone, 1912.
    """
    return 0.0 if left == right else 1 - len(left & right) / len(left | right)
