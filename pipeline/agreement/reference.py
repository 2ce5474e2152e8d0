"""Krippendorff's alpha computed anew by the package `krippendorff`, beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from pipeline.agreement.coefficients.alpha import LEVELS
from pipeline.agreement.votes.ratings import Ratings
from pipeline.contracts.reference import Comparison

#: The package makes three arrays of items x values x values; more than this is not tried.
MOST_BYTES: Final = 2 * 1024**3
_ARRAYS: Final = 3


def compare_alphas(ratings: Ratings, coefficients: Mapping[str, Any]) -> Iterator[Comparison]:
    """Compare alpha at each level that has a value in `coefficients`, the record of an audit.

    Without a value of the package `reason` says how much memory it would need.
    """
    from krippendorff import alpha

    items, values = len(ratings.units), len(ratings.values)
    needed = _ARRAYS * 8 * items * values**2
    for level in LEVELS:
        name = f"krippendorff_alpha_{level}"
        ours = coefficients.get(name, {}).get("value")
        if ours is None:
            continue
        if needed > MOST_BYTES:
            reason = (
                f"the package needs {needed / 1024**3:,.1f} GiB for {items:,} items and {values:,}"
                f" values; it is called for up to {MOST_BYTES / 1024**3:.0f} GiB"
            )
            yield Comparison(name, "krippendorff", ours, None, reason)
            continue
        counts = np.zeros((items, values), np.int64)
        np.add.at(counts, (ratings.unit, ratings.value), 1)
        numbers = level in ("interval", "ratio")
        domain = np.array(ratings.values, np.float64) if numbers else np.arange(values)
        theirs = alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)
        yield Comparison(name, "krippendorff", ours, float(theirs))
