"""Random scores with missing votes, and the krippendorff library's alpha of them."""

from __future__ import annotations

import warnings

import krippendorff
import numpy as np
from rating_matrix import from_matrix

from pipeline.agreement.votes.ratings import Ratings

LEVELS = ("nominal", "ordinal", "interval", "ratio")


def votes(seed: int, raters: int = 5, units: int = 30, top: int = 4) -> Ratings:
    chance = np.random.default_rng(seed)
    truth = chance.integers(0, top, units)
    table = np.where(
        chance.random((raters, units)) < 0.6, truth, chance.integers(0, top, (raters, units))
    )
    rows = [
        [float(v) if keep else None for v, keep in zip(row, kept, strict=True)]
        for row, kept in zip(table, chance.random((raters, units)) < 0.7, strict=True)
    ]
    return from_matrix(rows)


def as_table(found: Ratings) -> np.ndarray:
    """Return (raters, units) with NaN, as the library takes it."""
    out = np.full((len(found.raters), len(found.units)), np.nan)
    out[found.rater, found.unit] = found.numbers
    return out


def reference(table: np.ndarray, level: str) -> float | None:
    """Return the library's alpha, or None where it refuses or gives NaN."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        except ValueError:
            return None
    return None if np.isnan(value) else float(value)
