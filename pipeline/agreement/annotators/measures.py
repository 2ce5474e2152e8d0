"""Every annotator against the others: agreement, alpha, bias, severity, spread, speed, drift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pipeline.agreement.annotators.effects import ENOUGH, Drift, drift, severity
from pipeline.agreement.annotators.others import Others, annotator_alphas, others
from pipeline.agreement.votes.labels import display, plain
from pipeline.agreement.votes.ratings import MOST_CELLS, Ratings, Real, Whole, quotient
from pipeline.agreement.votes.selection import Selection

NO_SECONDS: Final = "no vote says how long it took"
_FIELDS: Final = (
    "pearson_vs_rest",
    "spearman_vs_rest",
    "alpha_vs_rest",
    "alpha_vs_rest_nominal",
    "alpha_without",
    "agreement_vs_rest",
    "agreement_with_majority",
    "bias",
    "severity",
    "severity_points",
    "spread",
    "seconds_median",
)


@dataclass(frozen=True)
class Measures:
    """Measures of every annotator, arrays (raters,) in the order of `ratings.raters`; NaN: none.

    `votes` counts their compared votes, `shared` those on items with another vote, `timed` those
    with a time. `fields` has the measures under their names in the record: `alpha_vs_rest` is the
    alpha of the pairs of their vote and another's, each pair counting once, and
    `alpha_vs_rest_nominal` the same on the nominal level (the paper's rule of exclusion);
    `alpha_without` is the alpha of all votes but theirs; `bias` is the mean difference to the mean
    of the others; `severity_points` their effect once items and co-annotators are accounted for,
    and `severity` how far that is from the median annotator in robust standard deviations. Scores
    only where the kind is number. `labels` (raters, values) is how often they gave each value.
    """

    votes: Whole
    shared: Whole
    timed: Whole
    fields: dict[str, Real]
    labels: Whole
    drift: Drift


def measures(selection: Selection) -> Measures:
    """Measure every named annotator of atomic votes (categories or numbers)."""
    ratings, level = selection.ratings, selection.level
    assert level is not None
    numeric = selection.kind == "number"
    rest = others(ratings, numeric=numeric)
    raters = len(ratings.raters)
    fields = dict.fromkeys(_FIELDS, np.full(raters, np.nan))
    votes, labels = _labels(ratings)
    if numeric:
        fields |= _scores(ratings, rest)
    else:
        fields["spread"] = _entropy(labels)
    seconds, timed = timings(selection)
    fields |= annotator_alphas(ratings, level) | {
        "agreement_vs_rest": _mean(rest.rater, rest.agree, raters),
        "agreement_with_majority": _mean(rest.rater, rest.majority, raters),
        "seconds_median": seconds,
    }
    shared = np.bincount(rest.rater, minlength=raters).astype(np.int64)
    return Measures(votes, shared, timed, fields, labels, drift(selection, rest))


def robust_z(values: Real) -> Real:
    """Return (value - median) / (1.4826 x median absolute deviation); NaN below three values."""
    known = ~np.isnan(values)
    if known.sum() < 3:
        return np.full(len(values), np.nan)
    away = values - np.median(values[known])
    scale = 1.4826 * float(np.median(np.abs(away[known])))
    return np.asarray(away / scale) if scale > 1e-12 else np.full(len(values), np.nan)


def _labels(ratings: Ratings) -> tuple[Whole, Whole]:
    # votes (raters,), and how often each value was given, (raters, values); no columns if too many
    raters, values = len(ratings.raters), len(ratings.values)
    named = ratings.rater >= 0
    rater = ratings.rater[named].astype(np.int64)
    votes = np.bincount(rater, minlength=raters).astype(np.int64)
    if raters * values > MOST_CELLS:
        return votes, np.zeros((raters, 0), np.int64)
    labels = np.bincount(rater * values + ratings.value[named], minlength=raters * values)
    return votes, labels.astype(np.int64).reshape(raters, values)


def _mean(rater: Whole, numbers: Real, raters: int) -> Real:
    known = ~np.isnan(numbers)
    total = np.bincount(rater[known], weights=numbers[known], minlength=raters)
    return quotient(total, np.bincount(rater[known], minlength=raters).astype(np.float64))


def _scores(ratings: Ratings, rest: Others) -> dict[str, Real]:
    # the fields that need numbers
    assert rest.rest is not None
    raters, group = len(ratings.raters), rest.rater
    numbers = ratings.numbers[rest.place]
    away = numbers - rest.rest
    bias = _mean(group, away, raters)
    named = ratings.rater >= 0
    rater, scores = ratings.rater[named].astype(np.int64), ratings.numbers[named]
    spread = _mean(rater, (scores - _mean(rater, scores, raters)[rater]) ** 2, raters)
    points = severity(ratings)
    return {
        "pearson_vs_rest": _correlations(group, numbers, rest.rest, raters),
        "spearman_vs_rest": _correlations(
            group, _ranks(group, numbers), _ranks(group, rest.rest), raters
        ),
        "bias": bias,
        "severity": robust_z(points),
        "severity_points": points,
        "spread": np.sqrt(spread),
    }


def _correlations(group: Whole, left: Real, right: Real, raters: int) -> Real:
    # NaN where one side does not vary
    left, right = (side - _mean(group, side, raters)[group] for side in (left, right))
    n, ours, variance_right, both = (
        np.bincount(group, weights=part, minlength=raters)
        for part in (np.ones(len(left)), left**2, right**2, left * right)
    )
    varies = n * np.minimum(ours, variance_right) > 1e-21
    return np.clip(quotient(both, np.where(varies, np.sqrt(ours * variance_right), 0.0)), -1.0, 1.0)


def _ranks(group: Whole, values: Real) -> Real:
    # ranks within the groups, up to a constant of each; ties share their mean rank
    _, value = np.unique(values, return_inverse=True)
    _, place, n = np.unique(group * len(values) + value, return_inverse=True, return_counts=True)
    return np.asarray((n.cumsum() - n / 2)[place], np.float64)


def _entropy(labels: Whole) -> Real:
    # of each row over that of a uniform choice of all labels, from 0 to 1
    if labels.shape[1] < 2:
        return np.full(len(labels), np.nan)
    share = labels / np.maximum(labels.sum(axis=1, keepdims=True), 1)
    terms = share * np.log(np.where(share > 0, share, 1.0))
    return np.asarray(np.abs(terms.sum(axis=1)) / np.log(labels.shape[1]), np.float64)


def timings(selection: Selection) -> tuple[Real, Whole]:
    """Return the median seconds of every annotator (NaN: none known), and how many are known."""
    raters = len(selection.ratings.raters)
    column = selection.votes.column("seconds").take(selection.rows)
    seconds = column.to_numpy(zero_copy_only=False).astype(np.float64)
    known = np.isfinite(seconds) & (selection.ratings.rater >= 0)
    rater, seconds = selection.ratings.rater[known], seconds[known]
    timed = np.bincount(rater, minlength=raters).astype(np.int64)
    parts = np.split(seconds[np.argsort(rater, kind="stable")], np.cumsum(timed)[:-1])
    medians = [np.median(part) if len(part) else np.nan for part in parts[:raters]]
    return np.array(medians, np.float64), timed


def annotator_records(selection: Selection, stats: Measures, alpha: float | None) -> dict[str, Any]:
    """Return the measures as plain data, one record an annotator, each null with its reason.

    `alpha` is that of all votes, which `alpha_without` is compared with.
    """
    return {
        name: _record(selection, stats, rater, alpha)
        for rater, name in enumerate(selection.ratings.raters)
    }


def _record(
    selection: Selection, stats: Measures, rater: int, alpha: float | None
) -> dict[str, Any]:
    fields = {name: plain(values[rater]) for name, values in stats.fields.items()}
    without = fields["alpha_without"]
    record: dict[str, Any] = {
        "votes": int(stats.votes[rater]),
        "items_shared": int(stats.shared[rater]),
        **fields,
        "alpha_change": None if without is None or alpha is None else round(without - alpha, 6),
        "seconds_n": int(stats.timed[rater]),
        "drift": stats.drift.record(rater),
        "labels": {
            str(display(selection.ratings.values[code])): int(stats.labels[rater, code])
            for code in np.flatnonzero(stats.labels[rater]).tolist()
        },
        "flags": [],
    }
    numeric = selection.kind == "number"
    record["reasons"] = {
        name: _reason(name, numeric=numeric, alone=not record["items_shared"])
        for name, value in record.items()
        if value is None
    }
    return record


_NUMBERS_ONLY: Final = (
    "pearson_vs_rest",
    "spearman_vs_rest",
    "bias",
    "severity",
    "severity_points",
)
_VARY: Final = "their scores, or the mean of the others, never vary; or one item alone is shared"
_NO_ALPHA: Final = (
    "what is left, or the whole, has no alpha: one value only, or no item with two votes"
)
_ONE_VALUE: Final = "only one value was given on the items shared, or there are too many to compare"
#: Why a field is null, for somebody who shares items with others.
_REASONS: Final = {
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
    "seconds_median": NO_SECONDS,
    "drift": f"fewer than {ENOUGH} votes on items shared with others",
}


def _reason(name: str, *, numeric: bool, alone: bool) -> str:
    if name in _NUMBERS_ONLY and not numeric:
        return "the answers are categories, not numbers"
    if alone and name not in ("alpha_without", "alpha_change", "seconds_median", "spread"):
        return "shares no item with anybody"
    return _REASONS.get(name, "no item shared gives it a value")
