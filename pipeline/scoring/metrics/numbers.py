"""Numbers against numbers: Pearson's r, and F1 above a threshold (STS, Section 3.2.2)."""

from __future__ import annotations

from collections.abc import Sized
from typing import Final

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import InputError
from pipeline.scoring.measure import HUNDRED, Floats, Measure
from pipeline.scoring.metrics.counts import Ratio

Bools = npt.NDArray[np.bool_]
#: A paraphrase is a pair with a score of 3 or more (Section 3.2.1).
THRESHOLD: Final = 3.0
#: A variance below this share of the mean square is what rounding leaves of none.
_CONSTANT: Final = 1e-13


def check_aligned(golds: Sized, predictions: Sized) -> None:
    """Raise InputError unless there are as many predictions as golds."""
    if len(golds) != len(predictions):
        raise InputError(
            f"{len(golds):,} golds, {len(predictions):,} predictions; give one prediction for each"
            " gold, in the same order"
        )


def ratio(above: Floats, below: npt.NDArray[np.number]) -> Floats:
    """Return above / below, of one shape; NaN where below is 0."""
    found = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found


def pearson(golds: npt.ArrayLike, predictions: npt.ArrayLike) -> float:
    """Return Pearson's r of two lists of n finite numbers, x100: -100 to 100.

    NaN where it is not defined: fewer than two examples, or one number alone on a side. Both
    variants: predictions are compared as they are, not clipped to the scale (Section 3.2.2). Raises
    InputError for lists of two lengths. Computed by scipy.
    """
    left, right = _scaled(golds), _scaled(predictions)
    check_aligned(left, right)
    if len(left) < 2 or not np.ptp(left) or not np.ptp(right):
        return float("nan")
    from scipy.stats import pearsonr

    return HUNDRED * float(pearsonr(left, right).statistic)


def pearson_measure(golds: npt.ArrayLike, predictions: npt.ArrayLike) -> Measure:
    """Return `pearson` as a Measure: from the weighted sums of x, y, x2, y2 and xy."""
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


def f1_above(
    golds: npt.ArrayLike, predictions: npt.ArrayLike, *, threshold: float = THRESHOLD
) -> float:
    """Return the F1 of the positive class, 0 to 100: paraphrases (Section 3.2.2).

    `golds`: n truth values, which examples are positive; `predictions`: n finite numbers, positive
    from `threshold` on, not clipped. NaN where neither side has a positive (scikit-learn warns, and
    gives 0).

    The variants differ in `golds`: klue takes `real-label >= 3.0`, strict the `binary-label` of the
    file. In the official dev file the two are the same for all 519 pairs. Raises InputError for
    lists of two lengths. Computed by scikit-learn.
    """
    left, right = _positive(golds, predictions, threshold)
    if not (left | right).any():
        return float("nan")
    from sklearn.metrics import f1_score

    return HUNDRED * float(f1_score(left, right))


def f1_above_measure(
    golds: npt.ArrayLike, predictions: npt.ArrayLike, *, threshold: float = THRESHOLD
) -> Measure:
    """Return `f1_above` as a Measure."""
    left, right = _positive(golds, predictions, threshold)
    return Ratio(2 * (left & right), left.astype(int) + right)


def _positive(
    golds: npt.ArrayLike, predictions: npt.ArrayLike, threshold: float
) -> tuple[Bools, Bools]:
    positive = np.asarray(golds, dtype=np.bool_)
    numbers = np.asarray(predictions, dtype=np.float64)
    check_aligned(positive, numbers)
    return positive, numbers >= threshold
