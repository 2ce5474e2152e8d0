"""A metric as a function of how often each example counts.

Score, breakdown, confidence interval and paired comparison are one function of weights: all ones,
ones of a source and zeros of the others, the counts of a bootstrap draw, the same draw for two
systems. What is needed of an example is found once; a draw costs a product of matrices.
"""

from __future__ import annotations

from typing import Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
#: `klue` is the published computation, `strict` what the words of the paper define.
Variant = Literal["klue", "strict"]
VARIANTS: Final[tuple[Variant, ...]] = ("klue", "strict")
#: Every score is a number of per cent, as in Table 32.
HUNDRED: Final = 100.0


class Measure(Protocol):
    """One metric over n aligned examples."""

    def __call__(self, weights: Floats) -> Floats:
        """Return the metric, 0 to 100 (Pearson's r from -100), for each row of weights.

        `weights` has the shape draws x n and no negative number: how often an example counts.
        Returns one number a draw; NaN where the metric is not defined (no example, constant
        scores).
        """
        ...


def value(measure: Measure, n: int) -> float:
    """Return a metric over n examples that count once each; NaN where it is not defined."""
    return float(measure(np.ones((1, n)))[0])
