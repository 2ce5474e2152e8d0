"""Every annotator against the others: agreement, alpha, bias, severity, spread, speed, drift."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeline.agreement.people.drift import ENOUGH, Drift
from pipeline.agreement.people.standings import Standings
from pipeline.agreement.votes.views import Selection


def records(selection: Selection, found: Standings, alpha: float | None) -> dict[str, Any]:
    """Return the standings as plain data, one record an annotator, each null with its reason.

    `alpha` is that of all votes, which `alpha_without` is compared with.
    """
    return {
        name: _record(selection, found, rater, alpha)
        for rater, name in enumerate(selection.ratings.raters)
    }


def _record(
    selection: Selection, found: Standings, rater: int, alpha: float | None
) -> dict[str, Any]:
    numeric = selection.kind == "number"
    without = None if found.without is None else plain(found.without[rater])
    made: dict[str, Any] = {
        "votes": int(found.votes[rater]),
        "items_shared": int(found.shared[rater]),
        "pearson_vs_rest": plain(found.pearson[rater]),
        "spearman_vs_rest": plain(found.spearman[rater]),
        "alpha_vs_rest": plain(found.alpha_rest[rater]),
        "alpha_vs_rest_nominal": plain(found.nominal_rest[rater]),
        "alpha_without": without,
        "alpha_change": None if without is None or alpha is None else round(without - alpha, 6),
        "agreement_vs_rest": plain(found.agreement[rater]),
        "agreement_with_majority": plain(found.majority[rater]),
        "bias": plain(found.bias[rater]),
        "severity": plain(found.severity_z[rater]),
        "severity_points": plain(found.severity[rater]),
        "spread": plain(found.spread[rater]),
        "seconds_median": plain(found.seconds[rater]),
        "seconds_n": int(found.timed[rater]),
        "drift": _drift(found.drift, rater),
        "labels": {
            str(display(selection.ratings.values[code])): int(found.labels[rater, code])
            for code in np.flatnonzero(found.labels[rater]).tolist()
        },
        "flags": [],
    }
    made["reasons"] = {
        name: _reason(name, made, numeric) for name, value in made.items() if value is None
    }
    return made


def _drift(found: Drift, rater: int) -> dict[str, Any] | None:
    trend = found.agreement
    if np.isnan(trend.slope[rater]):
        return None
    made: dict[str, Any] = {
        "measure": "agreement",
        "order": found.order[rater],
        "votes": int(found.votes[rater]),
    }
    names = ("slope", "p", "early", "late")
    made |= {name: _digits(getattr(trend, name)[rater], name) for name in names}
    if found.bias is not None:
        made["bias"] = {name: _digits(getattr(found.bias, name)[rater], name) for name in names}
    return made


def _digits(value: float, name: str) -> float:
    return float(f"{value:.3g}") if name == "p" else round(float(value), 6) + 0.0


_NUMBERS_ONLY = ("pearson_vs_rest", "spearman_vs_rest", "bias", "severity", "severity_points")
_VARY = "their scores, or the mean of the others, never vary; or one item alone is shared"
_NO_ALPHA = "what is left, or the whole, has no alpha: one value only, or no item with two votes"
_ONE_VALUE = "only one value was given on the items shared, or there are too many to compare"
#: Why a field is null, for somebody who shares items with others.
_REASONS = {
    "pearson_vs_rest": _VARY,
    "spearman_vs_rest": _VARY,
    "alpha_vs_rest": _ONE_VALUE,
    "alpha_vs_rest_nominal": _ONE_VALUE,
    "alpha_without": _NO_ALPHA,
    "alpha_change": _NO_ALPHA,
    "agreement_with_majority": "the others never had a majority on the items shared",
    "severity": "fewer than three annotators, or most of them do not differ at all, or the effects"
    " were not solved",
    "severity_points": "people share too few items with each other for the effects to be solved",
    "spread": "there is only one label to choose, or there are too many",
    "seconds_median": "no vote says how long it took",
    "drift": f"fewer than {ENOUGH} votes on items shared with others",
}


def _reason(name: str, made: dict[str, Any], numeric: bool) -> str:
    if name in _NUMBERS_ONLY and not numeric:
        return "the answers are categories, not numbers"
    alone = not made["items_shared"]
    if alone and name not in ("alpha_without", "alpha_change", "seconds_median", "spread"):
        return "shares no item with anybody"
    return _REASONS.get(name, "no item shared gives it a value")


def plain(value: float) -> float | None:
    """Return a number of the record: rounded to 1e-6, None for NaN."""
    return None if not np.isfinite(value) else round(float(value), 6) + 0.0


def display(value: Any) -> Any:
    """Return a value as the record shows it: whole numbers without a point."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
