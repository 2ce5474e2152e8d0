"""The standard error of a difference between two systems, and how many of them count.

The error is the standard deviation of the difference over paired bootstrap draws. Over few examples
that is too small: it is corrected for degrees of freedom, quantiles are those of Student's t, and
no difference has an error of 0: at least that of n equal differences and one more of the opposite
sign. Over a thousand examples none of this changes a digit that is shown.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from pipeline.scoring.measure import Floats

#: A pair with fewer defined draws than this share has no error: its difference counts as unknown.
LEAST_DEFINED: Final = 0.9


def difference_errors(differences: npt.ArrayLike, drawn: Floats, examples: int) -> Floats:
    """Return the standard error of each difference; infinite where it is not known.

    `differences` holds the observed ones, `drawn` has the shape draws x differences; draws in which
    a metric is not defined (NaN) are left out.
    """
    observed = np.abs(np.asarray(differences, dtype=np.float64))
    defined = np.isfinite(drawn)
    count = defined.sum(axis=0)
    mean = np.where(defined, drawn, 0).sum(axis=0) / np.maximum(count, 1)
    squares = (np.where(defined, drawn - mean, 0) ** 2).sum(axis=0)
    known = (count > 1) & (count >= LEAST_DEFINED * len(drawn)) & (examples > 1)
    variance = squares / np.maximum(count - 1, 1) * examples / max(examples - 1, 1)
    least = 2 * observed * np.sqrt(examples) / (examples + 1) ** 1.5
    return np.where(known, np.maximum(np.sqrt(variance), least), np.inf)


def multiplier(level: float, examples: int) -> float:
    """Return how many standard errors chance exceeds with the probability `level`, on one side."""
    from scipy.stats import t

    return float(t.isf(level, max(examples - 1, 1)))


def on_scale_of_t(normal: float, examples: int) -> float:
    """Return the quantile of Student's t that has the tail of a quantile of the normal law."""
    from scipy.stats import norm

    return multiplier(float(norm.sf(normal)), examples)
