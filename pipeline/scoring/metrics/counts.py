"""What several metrics are made of: F1 averaged over classes, and a sum divided by a sum.

Both are functions of counts that add up over examples: a draw costs one product, and beside the
weights as much memory again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, vstack

from pipeline.scoring.measure import HUNDRED, Floats

Ints = npt.NDArray[np.int64]


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
        """Count the events of n examples by example and class."""
        self._table = vstack([_table(one, classes, n) for one in (right, gold, predicted)], "csr")
        self._absent = absent

    def __call__(self, weights: Floats) -> Floats:
        """Return the mean F1, 0 to 100, of each row of weights (draws x n)."""
        right, gold, predicted = np.split(self._table @ weights.T, 3)
        there = gold + predicted
        f1 = np.full_like(there, self._absent or 0.0)
        np.divide(2 * right, there, out=f1, where=there > 0)
        occurring = (there > 0).sum(axis=0)
        averaged = occurring if self._absent is None else len(there) * (occurring > 0)
        return _ratio(f1.sum(axis=0), averaged)


class Ratio:
    """A sum over examples divided by another (the mean over their words or turns), as a Measure.

    `parts` and `wholes` hold one number an example, none negative. NaN where the wholes sum to 0.
    """

    def __init__(self, parts: npt.ArrayLike, wholes: npt.ArrayLike) -> None:
        """Take what is summed above and below the line, n numbers each."""
        self._columns = np.column_stack([parts, wholes]).astype(np.float64)

    def __call__(self, weights: Floats) -> Floats:
        """Return 100 x the ratio of each row of weights (draws x n)."""
        sums = weights @ self._columns
        return _ratio(sums[:, 0], sums[:, 1])


def _table(events: Events, classes: int, n: int) -> coo_array:
    """Return how often each class occurs in each example, classes x n."""
    ones = np.ones(len(events.examples))
    return coo_array((ones, (events.classes, events.examples)), shape=(classes, n))


def _ratio(above: Floats, below: npt.NDArray[np.number]) -> Floats:
    found = np.full(len(above), np.nan)
    np.divide(HUNDRED * above, below, out=found, where=below > 0)
    return found
