"""Every annotator against the others: agreement, alpha, bias, severity, spread, speed, drift."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.annotators.effects import ENOUGH, Drift, drift, severity
from pipeline.agreement.annotators.leave_one_out import MOST_VALUES, Others, alpha_without, others
from pipeline.agreement.votes.pairs import (
    MOST_CELLS,
    MOST_PAIRS,
    Event,
    Floats,
    Ints,
    add,
    alphas,
    correlation,
    count_pairs,
    lags,
    quotient,
)
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.votes.selection import Selection
from pipeline.contracts.spec import Level

NO_SECONDS: Final = "no vote says how long it took"


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
    only where the kind is number. `bias_deviation` is the deviation of the differences, `labels`
    (raters, values) how often they gave each value.
    """

    votes: Ints
    shared: Ints
    timed: Ints
    fields: dict[str, Floats]
    bias_deviation: Floats
    labels: Ints
    drift: Drift
    others: Others


def measures(selection: Selection) -> Measures:
    """Measure every named annotator of atomic votes (categories or numbers)."""
    ratings, level = selection.ratings, selection.level
    assert level is not None
    numeric = selection.kind == "number"
    rest = others(ratings, numeric=numeric)
    raters = len(ratings.raters)
    nothing = np.full(raters, np.nan)
    named = ratings.rater >= 0
    labels = _labels(ratings, named)
    pearson, spearman, bias, deviation = _scores(ratings, rest) if numeric else (nothing,) * 4
    points = severity(ratings) if numeric else nothing
    alpha = _alpha_rest(ratings, level)
    without = alpha_without(ratings, level)
    seconds, timed = timings(selection)
    fields = {
        "pearson_vs_rest": pearson,
        "spearman_vs_rest": spearman,
        "alpha_vs_rest": alpha,
        "alpha_vs_rest_nominal": alpha if level == "nominal" else _alpha_rest(ratings, "nominal"),
        "alpha_without": nothing if without is None else without,
        "agreement_vs_rest": _mean(rest.rater, rest.agree, raters),
        "agreement_with_majority": _mean(rest.rater, rest.majority, raters),
        "bias": bias,
        "severity": robust_z(points),
        "severity_points": points,
        "spread": _deviation(ratings, named) if numeric else _entropy(labels),
        "seconds_median": seconds,
    }
    return Measures(
        np.bincount(ratings.rater[named], minlength=raters).astype(np.int64),
        np.bincount(rest.rater, minlength=raters).astype(np.int64),
        timed,
        fields,
        deviation,
        labels,
        drift(selection, rest),
        rest,
    )


def robust_z(values: Floats) -> Floats:
    """Return (value - median) / (1.4826 x median absolute deviation); NaN below three values."""
    known = ~np.isnan(values)
    if known.sum() < 3:
        return np.full(len(values), np.nan)
    away = values - np.median(values[known])
    scale = 1.4826 * float(np.median(np.abs(away[known])))
    return np.asarray(away / scale) if scale > 1e-12 else np.full(len(values), np.nan)


def _labels(ratings: Ratings, named: npt.NDArray[np.bool_]) -> Ints:
    """Return how often each annotator gave each value, (raters, values); no columns if too many."""
    raters, values = len(ratings.raters), len(ratings.values)
    if raters * values > MOST_CELLS:
        return np.zeros((raters, 0), np.int64)
    cells = ratings.rater[named].astype(np.int64) * values + ratings.value[named]
    return np.bincount(cells, minlength=raters * values).astype(np.int64).reshape(raters, values)


def _mean(rater: Ints, what: Floats, raters: int) -> Floats:
    known = ~np.isnan(what)
    total = np.bincount(rater[known], weights=what[known], minlength=raters)
    return quotient(total, np.bincount(rater[known], minlength=raters).astype(np.float64))


def _alpha_rest(ratings: Ratings, level: Level) -> Floats:
    raters = len(ratings.raters)
    crowded = level != "interval" and raters * len(ratings.values) > MOST_CELLS
    wide = level == "ratio" and len(ratings.values) > MOST_VALUES * 10
    if not raters or crowded or wide or count_pairs(ratings) > MOST_PAIRS:
        return np.full(raters, np.nan)
    value = ratings.value.astype(np.int64)

    def events() -> Iterator[Event]:
        for one, two in lags(ratings):
            for left, right in ((one, two), (two, one)):
                own = ratings.rater[left].astype(np.int64)
                keep = own >= 0
                weight = np.ones(int(keep.sum()))
                yield Event(own[keep], value[left[keep]], value[right[keep]], weight)

    return alphas(events, raters, level=level, values=ratings.values)


def _scores(ratings: Ratings, rest: Others) -> tuple[Floats, Floats, Floats, Floats]:
    """Return Pearson, Spearman, bias and the deviation of the differences."""
    assert rest.rest is not None
    raters, group = len(ratings.raters), rest.rater
    own = ratings.numbers[rest.place]
    away = own - rest.rest
    bias = _mean(group, away, raters)
    spread = np.sqrt(_mean(group, (away - bias[group]) ** 2, raters))
    pearson = _correlations(group, own, rest.rest, raters)
    spearman = _correlations(group, _ranks(group, own), _ranks(group, rest.rest), raters)
    return pearson, spearman, bias, spread


def _correlations(group: Ints, left: Floats, right: Floats, raters: int) -> Floats:
    left, right = (side - _mean(group, side, raters)[group] for side in (left, right))
    sums = np.zeros((6, raters))
    parts = np.ones(len(left)), left, right, left**2, right**2, left * right
    for into, what in zip(sums, parts, strict=True):
        add(into, group, what)
    return correlation(*sums)


def _ranks(group: Ints, values: Floats) -> Floats:
    """Return the rank of each value within its group; ties share their mean rank."""
    if not len(values):
        return values
    order = np.lexsort((values, group))
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(values[order]) != 0) | (np.diff(group[order]) != 0)
    first = np.flatnonzero(new)
    middle = first + (np.diff(np.append(first, len(order))) - 1) / 2
    ranks = np.empty(len(order))
    ranks[order] = middle[np.cumsum(new) - 1]
    return ranks


def _deviation(ratings: Ratings, named: npt.NDArray[np.bool_]) -> Floats:
    group, raters = ratings.rater[named].astype(np.int64), len(ratings.raters)
    own = ratings.numbers[named]
    return np.sqrt(_mean(group, (own - _mean(group, own, raters)[group]) ** 2, raters))


def _entropy(labels: Ints) -> Floats:
    """Return the entropy of each row over that of a uniform choice of all labels, from 0 to 1."""
    if labels.shape[1] < 2:
        return np.full(len(labels), np.nan)
    share = labels / np.maximum(labels.sum(axis=1, keepdims=True), 1)
    terms = share * np.log(np.where(share > 0, share, 1.0))
    entropy: Floats = np.abs(terms.sum(axis=1)) / np.log(labels.shape[1])
    return entropy


def timings(selection: Selection) -> tuple[Floats, Ints]:
    """Return the median seconds of every annotator (NaN: none known), and how many are known."""
    raters = len(selection.ratings.raters)
    named = selection.ratings.rater >= 0
    own = selection.ratings.rater[named].astype(np.int64)
    column = selection.votes.column("seconds").take(selection.rows[named])
    seconds = column.to_numpy(zero_copy_only=False).astype(np.float64)
    known = np.isfinite(seconds)
    own, seconds = own[known], seconds[known]
    timed = np.bincount(own, minlength=raters).astype(np.int64)
    parts = np.split(seconds[np.argsort(own, kind="stable")], np.cumsum(timed)[:-1])
    medians = [np.median(part) if len(part) else np.nan for part in parts[:raters]]
    return np.array(medians, np.float64), timed


def annotator_records(selection: Selection, found: Measures, alpha: float | None) -> dict[str, Any]:
    """Return the measures as plain data, one record an annotator, each null with its reason.

    `alpha` is that of all votes, which `alpha_without` is compared with.
    """
    return {
        name: _record(selection, found, rater, alpha)
        for rater, name in enumerate(selection.ratings.raters)
    }


def _record(
    selection: Selection, found: Measures, rater: int, alpha: float | None
) -> dict[str, Any]:
    fields = {name: plain(values[rater]) for name, values in found.fields.items()}
    without = fields["alpha_without"]
    record: dict[str, Any] = {
        "votes": int(found.votes[rater]),
        "items_shared": int(found.shared[rater]),
        **fields,
        "alpha_change": None if without is None or alpha is None else round(without - alpha, 6),
        "seconds_n": int(found.timed[rater]),
        "drift": found.drift.record(rater),
        "labels": {
            str(display(selection.ratings.values[code])): int(found.labels[rater, code])
            for code in np.flatnonzero(found.labels[rater]).tolist()
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


def plain(value: float) -> float | None:
    """Return a number of the record: rounded to 1e-6, None for NaN."""
    return None if not np.isfinite(value) else round(float(value), 6) + 0.0


def display(value: Any) -> Any:
    """Return a value as the record shows it: whole numbers without a point."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
