"""Classes against classes, and their probabilities: accuracy, macro and micro F1, AUPRC.

The first three are the same in both variants. Golds and predictions are n class names each,
aligned; lists of two lengths are an InputError. A metric of no example is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import InputError
from pipeline.scoring.harness.prompts import NO_CLASS
from pipeline.scoring.measure import (
    HUNDRED,
    Events,
    Floats,
    Ints,
    MacroF1,
    Measure,
    Ratio,
    Variant,
    check_aligned,
    ratio,
)

Names = Sequence[str]
#: Draws that are computed together: memory holds a few times examples x draws.
_DRAWS: Final = 64
#: The area that scikit-learn gives a class without gold: precision 0 at recall 1, then 1 at 0.
_ABSENT: Final = 0.5


def accuracy_measure(golds: Names, predictions: Names) -> Measure:
    """Return the share of examples whose class is the gold one, 0 to 100 (Section 3.3.2)."""
    left, right, _ = _codes(golds, predictions)
    return Ratio(left == right, np.ones(len(left)))


def macro_f1_measure(golds: Names, predictions: Names) -> Measure:
    """Return the mean of the F1 of the classes in gold or prediction, 0 to 100 (Section 3.1.2).

    A class that is predicted and never gold has the F1 0; a class that is neither is left out, as
    the published computation does. The prediction NO_CLASS is of no class: it only lacks gold.
    """
    left, right, names = _codes(golds, predictions)
    examples = np.arange(len(left))
    gold = Events(examples, left)
    predicted = Events(examples, right).only(names[right] != NO_CLASS)
    equal = gold.only(left == right)
    return MacroF1(len(left), len(names), right=equal, gold=gold, predicted=predicted)


def micro_f1_measure(golds: Names, predictions: Names, labels: Names) -> Measure:
    """Return the F1 over the examples of some classes together, 0 to 100 (Section 3.5.2).

    `labels` are the classes that count. A gold class that does not count and is predicted as one of
    them is a false positive, one of them predicted as a class that does not count a false negative,
    and one predicted as another both. NaN where none of them is gold or predicted (scikit-learn
    warns and returns 0).
    """
    left, right, names = _codes(golds, predictions)
    counts = np.isin(names, list(labels))
    hits = 2 * (counts[left] & (left == right))
    return Ratio(hits, counts[left].astype(int) + counts[right])


def auprc_measure(
    golds: npt.ArrayLike, probabilities: npt.ArrayLike, *, variant: Variant
) -> Measure:
    """Return the mean over classes of the area under the precision-recall curve, 0 to 100.

    `golds`: n places of classes, from 0; `probabilities`: n x k, any numbers that rank (softmax
    scores). The curve of a class goes through one point for each distinct probability, from recall
    0 and precision 1 on; the area is that of the trapezoids under it. NaN without an example.

    klue: the mean over all k classes, as published. A class that is never gold has the area 0.5
    whatever was predicted, which is what scikit-learn 1.1 and later makes of it, with a warning
    (the dev and test sets have gold of every class). strict: the mean over the classes that are
    gold somewhere, since no other has a curve.

    Probabilities are sorted once, not for each draw. Raises InputError for other shapes.
    Source: Section 3.5.2.
    """
    classes, scores = _check_probabilities(golds, probabilities)
    curves = [_curve(column, classes == place) for place, column in enumerate(scores.T)]

    def measure(weights: Floats) -> Floats:
        found = np.empty(len(weights))
        for start in range(0, len(weights), _DRAWS):
            part = np.ascontiguousarray(weights[start : start + _DRAWS].T)
            areas = np.array([_area(curve, part) for curve in curves])
            found[start : start + _DRAWS] = _mean(areas, variant)
        return found

    return measure


def _check_probabilities(golds: npt.ArrayLike, probabilities: npt.ArrayLike) -> tuple[Ints, Floats]:
    classes, scores = np.asarray(golds, dtype=np.int64), np.asarray(probabilities, dtype=np.float64)
    check_aligned(classes, scores)
    if scores.ndim != 2:
        raise InputError("probabilities are a table of examples x classes; one row an example")
    if classes.size and not 0 <= classes.min() <= classes.max() < scores.shape[1]:
        raise InputError(
            f"a gold class from {classes.min()} to {classes.max()}; there are {scores.shape[1]}"
            " columns of probabilities, so classes are from 0 and below that"
        )
    return classes, scores


def _mean(areas: Floats, variant: Variant) -> Floats:
    """Return the mean of areas (classes x draws), where NaN is a class without gold."""
    there = ~np.isnan(areas)
    counts = there.sum(axis=0)
    total = areas.sum(axis=0, where=there)
    if variant == "strict":
        return HUNDRED * ratio(total, counts)
    absent = len(areas) - counts
    return HUNDRED * np.where(counts, (total + _ABSENT * absent) / max(len(areas), 1), np.nan)


class _Curve(NamedTuple):
    """A class: its examples by falling probability, and the runs of equal ones that hold gold.

    `start` and `end` are how many examples stand before a run and up to its end, `before` and
    `upto` how many of `gold`, the examples of the class in that order.
    """

    order: Ints
    gold: Ints
    start: Ints
    end: Ints
    before: Ints
    upto: Ints


def _curve(scores: Floats, gold: npt.NDArray[np.bool_]) -> _Curve:
    order = np.argsort(-scores, kind="stable")
    falling, hit = scores[order], gold[order]
    cuts = np.flatnonzero(falling[1:] != falling[:-1]) + 1
    edges = np.array([0, *cuts, len(order)])
    seen = np.array([0, *np.cumsum(hit)])[edges]
    full = np.flatnonzero(np.diff(seen))
    start, end = edges[full], edges[full + 1]
    return _Curve(order, order[hit], start, end, seen[full], seen[full + 1])


def _area(curve: _Curve, weights: Floats) -> Floats:
    """Return the area for each column of weights (examples x draws); NaN where no gold counts.

    Between runs that hold gold recall stands still, so that they alone add to the area.
    """
    if not len(curve.end):
        return np.full(weights.shape[1], np.nan)
    all_ = _running(weights[curve.order[: curve.end[-1]]])
    gold = _running(weights[curve.gold])
    low, high = gold[curve.before], gold[curve.upto]
    sides = _precision(low, all_[curve.start]) + _precision(high, all_[curve.end])
    return ratio(((high - low) * sides).sum(axis=0) / 2, gold[-1])


def _running(weights: Floats) -> Floats:
    made = np.zeros((len(weights) + 1, weights.shape[1]))
    np.cumsum(weights, axis=0, out=made[1:])
    return made


def _precision(hits: Floats, all_: Floats) -> Floats:
    """Return hits / all; 1 where nothing was taken yet."""
    return np.divide(hits, all_, out=np.ones_like(all_), where=all_ > 0)


def _codes(golds: Names, predictions: Names) -> tuple[Ints, Ints, npt.NDArray[np.str_]]:
    """Return golds and predictions as places in the list of their names, and that list."""
    check_aligned(golds, predictions)
    both = np.array([*golds, *predictions], dtype=np.str_)
    names, codes = np.unique(both, return_inverse=True)
    return codes[: len(golds)], codes[len(golds) :], names
