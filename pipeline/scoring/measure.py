"""A metric as a function of how often each example counts.

Score, breakdown, confidence interval and paired comparison are one function of weights: all ones,
ones of a source and zeros of the others, the counts of a bootstrap draw, the same draw for two
systems. What is needed of an example is found once; a draw costs a product of matrices.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import InputError
from pipeline.core.wording import count

if TYPE_CHECKING:
    from scipy.sparse import coo_array

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: `klue` is the published computation, `strict` what the words of the paper define.
Variant = Literal["klue", "strict"]
VARIANTS: Final[tuple[Variant, ...]] = ("klue", "strict")
#: Every score is a number of per cent, as in Table 32.
HUNDRED: Final = 100.0
#: A variance below this share of the mean square is only rounding error.
_CONSTANT: Final = 1e-13


class Measure(Protocol):
    """One metric over n aligned examples."""

    def __call__(self, weights: Floats) -> Floats:
        """Return the metric, 0 to 100 (Pearson's r from -100), for each row of weights.

        `weights` has the shape draws x n and no negative number: how often an example counts.
        Returns one number a draw; NaN where the metric is not defined (no example, constant
        scores).
        """


def value(measure: Measure, n: int) -> float:
    """Return a metric over n examples that count once each; NaN where it is not defined."""
    return float(measure(np.ones((1, n)))[0])


def check_aligned(golds: Sized, predictions: Sized) -> None:
    """Raise InputError unless there are as many predictions as golds."""
    if len(golds) != len(predictions):
        raise InputError(
            f"{count(len(golds), 'gold')}, {count(len(predictions), 'prediction')}; give one"
            " prediction for each"
            " gold, in the same order"
        )


def ratio(above: Floats, below: npt.NDArray[np.number]) -> Floats:
    """Return above / below, of one shape; NaN where below is 0."""
    ratios = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=ratios, where=below > 0)
    return ratios


class Events(NamedTuple):
    """What is counted, two arrays of one shape: its example (0 to n - 1), its class (from 0)."""

    examples: Ints
    classes: Ints

    def only(self, kept: npt.NDArray[np.bool_]) -> Events:
        """Return the events for which `kept`, of the same shape, is true."""
        return Events(self.examples[kept], self.classes[kept])


class MacroF1:
    """The mean over classes of F1 = 2 x right / (gold + predicted), as a Measure.

    A class that occurs neither in gold nor in the predictions of the examples that weigh anything
    is left out of the mean, or counts `absent` (0 to 1) where that is given. NaN where no class
    occurs at all. What is right is in gold and predicted too.
    """

    def __init__(
        self,
        n: int,
        classes: int,
        *,
        right: Events,
        gold: Events,
        predicted: Events,
        absent: float | None = None,
    ) -> None:
        from scipy.sparse import vstack

        self._table = vstack(
            [_table(codes, classes, n) for codes in (right, gold, predicted)], "csr"
        )
        self._absent = absent

    def __call__(self, weights: Floats) -> Floats:
        right, gold, predicted = np.split(self._table @ weights.T, 3)
        there = gold + predicted
        f1 = np.full_like(there, self._absent or 0.0)
        np.divide(2 * right, there, out=f1, where=there > 0)
        occurring = (there > 0).sum(axis=0)
        averaged = occurring if self._absent is None else len(there) * (occurring > 0)
        return ratio(HUNDRED * f1.sum(axis=0), averaged)


class Ratio:
    """A sum over examples divided by another (the mean over their words or turns), as a Measure.

    `parts` and `wholes` hold one number an example, none negative. NaN where the wholes sum to 0.
    """

    def __init__(self, parts: npt.ArrayLike, wholes: npt.ArrayLike) -> None:
        self._columns = np.column_stack([parts, wholes]).astype(np.float64)

    def __call__(self, weights: Floats) -> Floats:
        sums = weights @ self._columns
        return ratio(HUNDRED * sums[:, 0], sums[:, 1])


def _table(events: Events, classes: int, n: int) -> coo_array:
    from scipy.sparse import coo_array

    ones = np.ones(len(events.examples))
    return coo_array((ones, (events.classes, events.examples)), shape=(classes, n))


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
        mean_x, mean_y, xx, yy, xy = (ratio(total, n) for total in sums)
        spread = _variance(mean_x, xx) * _variance(mean_y, yy)
        return HUNDRED * np.clip(ratio(xy - mean_x * mean_y, np.sqrt(spread)), -1, 1)

    return measure


def _scale(numbers: npt.ArrayLike) -> Floats:
    """Return numbers divided by their greatest size: their squares neither over- nor underflow."""
    values = np.asarray(numbers, dtype=np.float64)
    size = np.abs(values).max(initial=0)
    return values / size if size else values


def _standard(numbers: npt.ArrayLike) -> Floats:
    """Return numbers with the mean 0 and the variance 1; constant ones are 0."""
    scaled = _scale(numbers)
    if not scaled.size or not np.ptp(scaled):
        return np.zeros_like(scaled)
    around = _scale(scaled - scaled.mean())
    return np.asarray(around / around.std())


def _variance(mean: Floats, square: Floats) -> Floats:
    """Return variances from means and mean squares; 0 where rounding is all that is left."""
    variance = square - mean * mean
    return np.where(variance > _CONSTANT * square, variance, 0)


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
