"""Numbers against numbers: Pearson's r, and F1 above a threshold (Section 3.2.2 of the paper)."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from pipeline.scoring.measure import HUNDRED, Floats, Measure, Ratio, check_aligned, ratio

#: A variance below this share of the mean square is only rounding error.
_CONSTANT: Final = 1e-13


def pearson_measure(golds: npt.ArrayLike, predictions: npt.ArrayLike) -> Measure:
    """Return Pearson's r of two lists of n finite numbers, x100: -100 to 100.

    It is computed from the weighted sums of x, y, x2, y2 and xy. NaN where it is not defined: fewer
    than two examples, or constant numbers on a side. Both variants compare predictions as they are,
    not clipped to the scale (Section 3.2.2). Raises InputError for lists of two lengths.
    """
    x, y = _standard(golds), _standard(predictions)
    check_aligned(x, y)
    terms = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y])

    def measure(weights: Floats) -> Floats:
        n, *sums = (weights @ terms).T
        mean_x, mean_y, xx, yy, xy = (ratio(one, n) for one in sums)
        spread = _variance(mean_x, xx) * _variance(mean_y, yy)
        return HUNDRED * np.clip(ratio(xy - mean_x * mean_y, np.sqrt(spread)), -1, 1)

    return measure


def _scaled(numbers: npt.ArrayLike) -> Floats:
    """Return numbers divided by their greatest size: their squares neither over- nor underflow."""
    given = np.asarray(numbers, dtype=np.float64)
    size = np.abs(given).max(initial=0)
    return given / size if size else given


def _standard(numbers: npt.ArrayLike) -> Floats:
    """Return numbers with the mean 0 and the variance 1; constant ones are 0."""
    scaled = _scaled(numbers)
    if not scaled.size or not np.ptp(scaled):
        return np.zeros_like(scaled)
    around = _scaled(scaled - scaled.mean())
    return np.asarray(around / around.std())


def _variance(mean: Floats, square: Floats) -> Floats:
    """Return variances from means and mean squares; 0 where rounding is all that is left."""
    found = square - mean * mean
    return np.where(found > _CONSTANT * square, found, 0)


def f1_above_measure(
    golds: npt.ArrayLike, predictions: npt.ArrayLike, *, threshold: float
) -> Measure:
    """Return the F1 of the positive class, 0 to 100 (Section 3.2.2).

    `golds`: n truth values, which examples are positive; `predictions`: n finite numbers, positive
    from `threshold` on, not clipped. NaN where neither side has a positive (scikit-learn warns and
    returns 0). Raises InputError for lists of two lengths.
    """
    positive = np.asarray(golds, dtype=np.bool_)
    numbers = np.asarray(predictions, dtype=np.float64)
    check_aligned(positive, numbers)
    predicted = numbers >= threshold
    return Ratio(2 * (positive & predicted), positive.astype(int) + predicted)
