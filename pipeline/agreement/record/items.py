"""Every item: its votes, who gave them, and how far they disagree."""

from __future__ import annotations

from collections import Counter
from math import isnan
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.agreement.people.annotators import display
from pipeline.agreement.votes.pairs import Floats
from pipeline.agreement.votes.patterns import Patterns
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.votes.views import Selection


def spread(ratings: Ratings) -> Floats:
    """Return the population standard deviation of the scores of every unit, (units,)."""
    width = len(ratings.units)
    n = np.maximum(np.bincount(ratings.unit, minlength=width), 1)
    mean = means(ratings)
    away = (ratings.numbers - mean[ratings.unit]) ** 2
    return np.sqrt(np.bincount(ratings.unit, weights=away, minlength=width) / n)


def means(ratings: Ratings) -> Floats:
    """Return the mean score of every unit, (units,)."""
    width = len(ratings.units)
    n = np.maximum(np.bincount(ratings.unit, minlength=width), 1)
    return np.bincount(ratings.unit, weights=ratings.numbers, minlength=width) / n


def reports(votes: pa.Table) -> dict[str, Counter[str]]:
    """Return the reasons for which each reported item was reported, with how often."""
    found: dict[str, Counter[str]] = {}
    reported = votes.filter(votes.column("report").is_valid())
    for item, reason in zip(
        reported.column("item").to_pylist(), reported.column("report").to_pylist(), strict=True
    ):
        found.setdefault(item, Counter())[reason] += 1
    return found


def per_item(
    selection: Selection,
    sources: dict[str, str | None],
    reported: dict[str, Counter[str]],
    disagreement: Floats | None = None,
    shown: list[Any] | None = None,
) -> list[dict[str, Any]]:
    """Return one record an item, the most disputed first, then by id.

    `entropy` is in bits; `deviation` (numbers) the population standard deviation; `disagreement`
    goes from 0 to 1: for categories 1 - the share of equal pairs of votes, for numbers the
    deviation over its maximum, half of the scale. Where `disagreement` is given (units,), as for
    spans, trees and states, it is taken instead; NaN is an item with one answer. `shown` gives the
    text of each value. An item that has reports alone has n = 0.
    """
    ratings = selection.ratings
    names = shown if shown is not None else [display(value) for value in ratings.values]
    of = ratings.patterns.of_unit
    facts = _Patterned(ratings.patterns, names)
    numeric = selection.kind == "number"
    deviation = np.round(spread(ratings), 6).tolist() if numeric else [None] * len(ratings.units)
    apart = disagreement
    if apart is None:
        apart = _apart(selection) if numeric else facts.apart[of]
    values = [names[code] for code in ratings.value.tolist()]
    people = [ratings.raters[code] if code >= 0 else None for code in ratings.rater.tolist()]
    ends = np.searchsorted(ratings.unit, np.arange(len(ratings.units) + 1)).tolist()
    made: list[dict[str, Any]] = []
    for unit, (item, pattern, far) in enumerate(
        zip(ratings.units, of.tolist(), np.round(apart, 6).tolist(), strict=True)
    ):
        start, stop = ends[unit], ends[unit + 1]
        single = stop - start < 2
        record = {
            "item": item,
            "source": sources.get(item),
            "n": stop - start,
            "values": values[start:stop],
            "by": people[start:stop],
            "majority": facts.majority[pattern],
            "majority_share": facts.share[pattern],
            "entropy": facts.entropy[pattern],
            "deviation": deviation[unit],
            "disagreement": None if single or isnan(far) else far,
            "reports": dict(sorted(reported[item].items())) if item in reported else {},
        }
        if single:
            record["reason"] = "one answer alone"
        elif facts.majority[pattern] is None:
            record["reason"] = "tie: no answer has more votes than every other"
        elif isnan(far):
            record["reason"] = "there are too many pairs of answers to compare them"
        made.append(record)
    made += [_empty(item, sources, reported) for item in sorted(set(reported) - set(ratings.units))]
    made.sort(key=lambda record: (-(record["disagreement"] or 0.0), record["item"]))
    return made


def _empty(
    item: str, sources: dict[str, str | None], reported: dict[str, Counter[str]]
) -> dict[str, Any]:
    nothing = dict.fromkeys(("majority", "majority_share", "entropy", "deviation", "disagreement"))
    return {
        "item": item,
        "source": sources.get(item),
        "n": 0,
        "values": [],
        "by": [],
        **nothing,
        "reports": dict(sorted(reported[item].items())),
        "reason": "only reported, never answered",
    }


def _apart(selection: Selection) -> Floats:
    numbers = np.asarray(selection.ratings.values, np.float64)
    low, high = selection.scale or (numbers.min(initial=0.0), numbers.max(initial=0.0))
    half = (high - low) / 2
    found = spread(selection.ratings)
    return np.minimum(found / half, 1.0) if half > 0 else np.zeros(len(found))


class _Patterned:
    """What is the same for all items with the same votes, computed once a pattern."""

    def __init__(self, patterns: Patterns, names: list[Any]) -> None:
        votes = patterns.votes.astype(np.float64)
        count = patterns.count.astype(np.float64)
        share = count / votes[patterns.owner]
        self.entropy = (np.round(patterns.sums(-share * np.log2(share)), 6) + 0.0).tolist()
        pairs = np.maximum(votes * (votes - 1), 1)
        self.apart = np.where(votes > 1, 1 - patterns.sums(count * (count - 1)) / pairs, np.nan)
        top = np.zeros(len(patterns))
        np.maximum.at(top, patterns.owner, count)
        leads = count == top[patterns.owner]
        alone = patterns.sums(leads.astype(np.float64)) == 1
        first = np.zeros(len(patterns), np.int64)
        first[patterns.owner[leads]] = patterns.value[leads]
        self.majority = [
            names[value] if one else None
            for value, one in zip(first.tolist(), alone.tolist(), strict=True)
        ]
        self.share = np.round(top / votes, 6).tolist()
