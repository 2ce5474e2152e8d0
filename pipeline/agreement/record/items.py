"""Every item with its votes and how far they disagree, and distributions of labels and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isnan
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.agreement.votes.labels import display, plain
from pipeline.agreement.votes.ratings import Ratings, Real, quotient
from pipeline.agreement.votes.selection import Selection

_BINS: Final = 51


def means(ratings: Ratings) -> Real:
    """Return the mean score of every unit, (units,)."""
    return _unit_means(ratings, ratings.numbers)


def spread(ratings: Ratings) -> Real:
    """Return the population standard deviation of the scores of every unit, (units,)."""
    return np.sqrt(_unit_means(ratings, (ratings.numbers - means(ratings)[ratings.unit]) ** 2))


def _unit_means(ratings: Ratings, numbers: Real) -> Real:
    width = len(ratings.units)
    n = np.maximum(np.bincount(ratings.unit, minlength=width), 1)
    return np.bincount(ratings.unit, weights=numbers, minlength=width) / n


def reports(votes: pa.Table) -> dict[str, Counter[str]]:
    """Return the reasons for which each reported item was reported, with how often."""
    reasons: dict[str, Counter[str]] = {}
    reported = votes.select(["item", "report"]).filter(votes.column("report").is_valid())
    for row in reported.to_pylist():
        reasons.setdefault(row["item"], Counter())[row["report"]] += 1
    return reasons


def per_item(
    selection: Selection,
    sources: dict[str, str | None],
    reported: dict[str, Counter[str]],
    disagreement: Real | None = None,
    shown: list[Any] | None = None,
) -> list[dict[str, Any]]:
    """Return one record an item, the most disputed first, then by id.

    `entropy` is in bits; `deviation` (numbers) the population standard deviation; `disagreement`
    goes from 0 to 1: for categories 1 - the share of equal pairs of votes, for numbers the
    deviation over its maximum, half of the scale. Where `disagreement` is given (units,), as for
    spans, trees and states, it is taken instead; NaN is an item with one answer. `shown` gives the
    text of each value. An item that has reports alone has n = 0.
    """
    ratings, groups = selection.ratings, selection.ratings.patterns
    names = shown if shown is not None else [display(value) for value in ratings.values]
    share = groups.count / groups.votes[groups.owner]
    entropy = (np.round(groups.sums(-share * np.log2(share)), 6) + 0.0).tolist()
    value, top, alone = groups.leaders
    majority = [
        names[code] if leads else None
        for code, leads in zip(value.tolist(), alone.tolist(), strict=True)
    ]
    top_share = np.round(top / groups.votes, 6).tolist()
    deviation: list[float | None] = [None] * len(ratings.units)
    apart = disagreement
    if selection.kind == "number":
        deviations = spread(ratings)
        deviation = np.round(deviations, 6).tolist()
        numbers = np.asarray(ratings.values, np.float64)
        low, high = selection.scale or (numbers.min(initial=0.0), numbers.max(initial=0.0))
        half = (high - low) / 2
        apart = np.minimum(deviations / half, 1.0) if half > 0 else np.zeros(len(deviations))
    elif apart is None:
        pairs = groups.votes * (groups.votes - 1.0)
        equal = groups.sums(groups.count * (groups.count - 1.0))
        apart = (1 - quotient(equal, pairs))[groups.of_unit]
    values = [names[code] for code in ratings.value.tolist()]
    people = [ratings.raters[code] if code >= 0 else None for code in ratings.rater.tolist()]
    ends = np.searchsorted(ratings.unit, np.arange(len(ratings.units) + 1)).tolist()
    records: list[dict[str, Any]] = []
    for unit, (item, pattern, far) in enumerate(
        zip(ratings.units, groups.of_unit.tolist(), np.round(apart, 6).tolist(), strict=True)
    ):
        start, stop = ends[unit], ends[unit + 1]
        single = stop - start < 2
        record = {
            "item": item,
            "source": sources.get(item),
            "n": stop - start,
            "values": values[start:stop],
            "by": people[start:stop],
            "majority": majority[pattern],
            "majority_share": top_share[pattern],
            "entropy": entropy[pattern],
            "deviation": deviation[unit],
            "disagreement": None if single or isnan(far) else far,
            "reports": dict(sorted(reported.get(item, {}).items())),
        }
        if single:
            record["reason"] = "one answer alone"
        elif majority[pattern] is None:
            record["reason"] = "tie: no answer has more votes than every other"
        elif isnan(far):
            record["reason"] = "there are too many pairs of answers to compare them"
        records.append(record)
    nothing = dict.fromkeys(("majority", "majority_share", "entropy", "deviation", "disagreement"))
    records += [
        {
            "item": item,
            "source": sources.get(item),
            "n": 0,
            "values": [],
            "by": [],
            **nothing,
            "reports": dict(sorted(reported[item].items())),
            "reason": "only reported, never answered",
        }
        for item in set(reported) - set(ratings.units)
    ]
    return sorted(records, key=lambda record: (-(record["disagreement"] or 0.0), record["item"]))


def distributions(selection: Selection, shown: Sequence[Any] | None = None) -> dict[str, Any]:
    """Return votes by label, items by number of votes, and for numbers items by mean score.

    Mean scores are counted at 51 points from one end of the scale to the other, the nearest one,
    halves upwards, as the paper does in steps of 0.1 (Section 3.2.1).
    """
    ratings = selection.ratings
    names = [display(v) for v in ratings.values] if shown is None else shown
    votes = np.bincount(ratings.unit, minlength=len(ratings.units))
    many, items = np.unique(votes, return_counts=True)
    record: dict[str, Any] = {
        "labels": {
            str(name): int(n)
            for name, n in zip(names, np.bincount(ratings.value, minlength=len(names)), strict=True)
        },
        "votes_per_item": {str(m): int(n) for m, n in zip(many, items, strict=True)},
    }
    if selection.kind == "number" and len(ratings.values):
        low, high = selection.scale or (ratings.values[0], ratings.values[-1])
        step = (high - low) / (_BINS - 1) or 1.0
        place = np.floor((means(ratings) - low) / step + 0.5 + 1e-9).astype(np.int64)
        bins = np.bincount(np.clip(place, 0, _BINS - 1), minlength=_BINS)
        record["mean_scores"] = [
            {"score": plain(low + i * step), "items": int(n)} for i, n in enumerate(bins)
        ]
    return record
