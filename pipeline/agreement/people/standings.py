"""Every annotator measured against the others, as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.agreement.people.drift import Drift, drift
from pipeline.agreement.people.leaving import MOST_VALUES, alpha_without
from pipeline.agreement.people.others import Others, others
from pipeline.agreement.people.severity import severity
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
)
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.votes.views import Selection
from pipeline.contracts.spec import Level


@dataclass(frozen=True)
class Standings:
    """What is known of every annotator, arrays (raters,) in the order of `ratings.raters`.

    NaN is no value. `votes` counts their compared votes, `shared` those with company; `alpha_rest`
    is the alpha of the pairs of their vote and another's, each pair counting once, and
    `nominal_rest` the same on the nominal level (the paper's rule of exclusion); `without` is the
    alpha of all votes but theirs. `bias` is the mean difference to the mean of the others,
    `bias_deviation` the deviation of those differences; `severity` their effect once items and
    co-annotators are accounted for, in points, and `severity_z` how far that stands from the
    median annotator in robust standard deviations. Scores only where the kind is number.
    """

    votes: Ints
    shared: Ints
    pearson: Floats
    spearman: Floats
    alpha_rest: Floats
    nominal_rest: Floats
    without: Floats | None
    majority: Floats
    agreement: Floats
    bias: Floats
    bias_deviation: Floats
    severity: Floats
    severity_z: Floats
    spread: Floats
    seconds: Floats
    timed: Ints
    labels: npt.NDArray[np.int64]
    drift: Drift
    others: Others


def standings(selection: Selection) -> Standings:
    """Measure every named annotator of atomic votes (categories or numbers)."""
    ratings, level = selection.ratings, selection.level
    assert level is not None
    numeric = selection.kind == "number"
    found = others(ratings, numeric=numeric)
    raters = len(ratings.raters)
    nothing = np.full(raters, np.nan)
    named = ratings.rater >= 0
    own = ratings.rater[named].astype(np.int64)
    labels = _labels(ratings, named)
    scores = _scores(ratings, found) if numeric else (nothing,) * 4
    effect = severity(ratings) if numeric else nothing
    alpha = _alpha_rest(ratings, level)
    seconds, timed = timings(selection)
    return Standings(
        np.bincount(own, minlength=raters).astype(np.int64),
        np.bincount(found.rater, minlength=raters).astype(np.int64),
        scores[0],
        scores[1],
        alpha,
        alpha if level == "nominal" else _alpha_rest(ratings, "nominal"),
        alpha_without(ratings, level),
        _mean(found.rater, found.majority, raters),
        _mean(found.rater, found.agree, raters),
        scores[2],
        scores[3],
        effect,
        robust_z(effect),
        _deviation(ratings, named) if numeric else _entropy(labels),
        seconds,
        timed,
        labels,
        drift(selection, found),
        found,
    )


def robust_z(values: Floats) -> Floats:
    """Return (value - median) / (1.4826 x median absolute deviation); NaN below three values."""
    known = ~np.isnan(values)
    if known.sum() < 3:
        return np.full(len(values), np.nan)
    away = values - np.median(values[known])
    scale = 1.4826 * float(np.median(np.abs(away[known])))
    return np.asarray(away / scale) if scale > 1e-12 else np.full(len(values), np.nan)


def _labels(ratings: Ratings, named: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return how often each annotator gave each value, (raters, values); no columns if too many."""
    shape = len(ratings.raters), len(ratings.values)
    if shape[0] * shape[1] > MOST_CELLS:
        return np.zeros((shape[0], 0), np.int64)
    cells = ratings.rater[named].astype(np.int64) * shape[1] + ratings.value[named]
    return np.bincount(cells, minlength=shape[0] * shape[1]).astype(np.int64).reshape(shape)


def _mean(rater: Ints, what: Floats, raters: int) -> Floats:
    known = ~np.isnan(what)
    n = np.bincount(rater[known], minlength=raters)
    total = np.bincount(rater[known], weights=what[known], minlength=raters)
    found: Floats = np.divide(total, n, out=np.full(raters, np.nan), where=n > 0)
    return found


def _alpha_rest(ratings: Ratings, level: Level) -> Floats:
    raters = len(ratings.raters)
    nothing = np.full(raters, np.nan)
    crowded = level != "interval" and raters * len(ratings.values) > MOST_CELLS
    wide = level == "ratio" and len(ratings.values) > MOST_VALUES * 10
    if not raters or crowded or wide or count_pairs(ratings) > MOST_PAIRS:
        return nothing
    value = ratings.value.astype(np.int64)

    def events() -> Iterator[Event]:
        for one, two in lags(ratings):
            for left, right in ((one, two), (two, one)):
                own = ratings.rater[left].astype(np.int64)
                keep = own >= 0
                yield Event(
                    own[keep], value[left[keep]], value[right[keep]], np.ones(int(keep.sum()))
                )

    return alphas(events, raters, level=level, values=ratings.values)


def _scores(ratings: Ratings, found: Others) -> tuple[Floats, Floats, Floats, Floats]:
    """Return Pearson, Spearman, bias and the deviation of the differences."""
    assert found.rest is not None
    raters, group = len(ratings.raters), found.rater
    own = ratings.numbers[found.place]
    away = own - found.rest
    bias = _mean(group, away, raters)
    spread = np.sqrt(_mean(group, (away - bias[group]) ** 2, raters))
    pearson = _correlated(group, own, found.rest, raters)
    spearman = _correlated(group, _ranks(group, own), _ranks(group, found.rest), raters)
    return pearson, spearman, bias, spread


def _correlated(group: Ints, left: Floats, right: Floats, raters: int) -> Floats:
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
    run = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    middle = first + (np.diff(np.append(first, len(order))) - 1) / 2
    ranks = np.empty(len(order))
    ranks[order] = middle[run]
    return ranks


def _deviation(ratings: Ratings, named: npt.NDArray[np.bool_]) -> Floats:
    group, raters = ratings.rater[named].astype(np.int64), len(ratings.raters)
    own = ratings.numbers[named]
    return np.sqrt(_mean(group, (own - _mean(group, own, raters)[group]) ** 2, raters))


def _entropy(labels: npt.NDArray[np.int64]) -> Floats:
    """Return the entropy of each row over that of a uniform choice of all labels, from 0 to 1."""
    if labels.shape[1] < 2:
        return np.full(len(labels), np.nan)
    share = labels / np.maximum(labels.sum(axis=1, keepdims=True), 1)
    terms = share * np.log(np.where(share > 0, share, 1.0))
    found: Floats = np.abs(terms.sum(axis=1)) / np.log(labels.shape[1])
    return found


def timings(selection: Selection) -> tuple[Floats, Ints]:
    """Return the median seconds of every annotator (NaN: none known), and how many are known."""
    raters = len(selection.ratings.raters)
    named = selection.ratings.rater >= 0
    own = selection.ratings.rater[named].astype(np.int64)
    column = selection.votes.column("seconds").take(selection.rows[named])
    seconds = column.to_numpy(zero_copy_only=False).astype(np.float64)
    known = np.isfinite(seconds)
    timed = np.bincount(own[known], minlength=raters).astype(np.int64)
    medians = np.full(raters, np.nan)
    order = np.lexsort((seconds[known], own[known]))
    sorted_seconds, start = seconds[known][order], np.cumsum(timed) - timed
    for rater in np.flatnonzero(timed):
        part = sorted_seconds[start[rater] : start[rater] + timed[rater]]
        medians[rater] = np.median(part)
    return medians, timed
