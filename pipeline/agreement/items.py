"""Items: their votes and disagreement, distributions, and what the paper states of their shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.agreement.votes.labels import display, plain
from pipeline.agreement.votes.ratings import Ratings, Real, Whole, quotient
from pipeline.agreement.votes.selection import Selection
from pipeline.contracts.aggregation_rules import CrowdModel, Majority, Plurality, Scores
from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec
from pipeline.core import schemas
from pipeline.core.jsontext import canonical

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
    pairs = schemas.rows(votes, "item", "report")
    reasons = schemas.group((item, report) for item, report in pairs if report is not None)
    return {item: Counter(names) for item, names in reasons.items()}


class ItemRecords(Sequence[dict[str, Any]]):
    """Records of items, each made anew when it is asked for: all of them would fill the memory."""

    def __init__(self, many: int, make: Callable[[int], dict[str, Any]]) -> None:
        """Take how many there are, and what makes the one at a place."""
        self._places, self._make = range(many), make

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield them in their order."""
        return map(self._make, self._places)

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        """Return the one at a place, or a list of some."""
        if isinstance(place, slice):
            return [self._make(one) for one in self._places[place]]
        return self._make(self._places[place])


def per_item(
    selection: Selection,
    sources: Mapping[str, str | None],
    reported: Mapping[str, Counter[str]],
    disagreement: Real | None = None,
    show: Callable[[Any], Any] = display,
) -> ItemRecords:
    """Return one record an item, the most disputed first, then by id.

    `entropy` is in bits; `deviation` (numbers) the population standard deviation; `disagreement`
    goes from 0 to 1: for categories 1 - the share of equal pairs of votes, for numbers the
    deviation over its maximum, half of the scale. Where `disagreement` is given (units,), as for
    spans, trees and states, it is taken instead; NaN is an item with one answer. `show` gives the
    text of a value. An item that has reports alone has n = 0.
    """
    units = selection.ratings.units
    names = [*units, *(set(reported) - set(units))]
    answers = _Answers.of(selection, disagreement, show)
    rank = np.append(np.nan_to_num(answers.disagreement), np.zeros(len(names) - len(units)))
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
    order = by_name[np.argsort(-rank[by_name], kind="stable")]

    def record(place: int) -> dict[str, Any]:
        unit = int(order[place])
        item = names[unit]
        given, reason = answers.record(unit) if unit < len(units) else _unanswered()
        reports = dict(sorted(reported.get(item, {}).items()))
        made = {"item": item, "source": sources.get(item), **given, "reports": reports}
        return made if reason is None else {**made, "reason": reason}

    return ItemRecords(len(names), record)


def _unanswered() -> tuple[dict[str, Any], str]:
    nothing = dict.fromkeys(("majority", "majority_share", "entropy", "deviation", "disagreement"))
    return {"n": 0, "values": [], "by": [], **nothing}, "only reported, never answered"


@dataclass(frozen=True, eq=False)
class _Answers:
    """What is told of the answers to each item.

    `ends` (units + 1,) are the places of its votes; `entropy` and `share` (patterns,) are those of
    its pattern, `deviation` and `disagreement` (units,) its own, NaN where there is none.
    """

    ratings: Ratings
    ends: Whole
    entropy: Real
    share: Real
    deviation: Real
    disagreement: Real
    show: Callable[[Any], Any]

    @classmethod
    def of(cls, selection: Selection, apart: Real | None, show: Callable[[Any], Any]) -> _Answers:
        ratings, groups = selection.ratings, selection.ratings.patterns
        deviation = np.full(len(ratings.units), np.nan)
        if selection.kind == "number":
            deviation = spread(ratings)
            apart = np.minimum(deviation / _half(selection), 1.0)
        elif apart is None:
            pairs = groups.votes * (groups.votes - 1.0)
            equal = groups.sums(groups.count * (groups.count - 1.0))
            apart = (1 - quotient(equal, pairs))[groups.of_unit]
        share = groups.count / groups.votes[groups.owner]
        entropy = np.round(groups.sums(-share * np.log2(share)), 6) + 0.0
        ends = np.searchsorted(ratings.unit, np.arange(len(ratings.units) + 1))
        apart = np.where(np.diff(ends) < 2, np.nan, np.round(apart, 6))
        top = np.round(groups.leaders[1] / groups.votes, 6)
        return cls(ratings, ends, entropy, top, np.round(deviation, 6), apart, show)

    def record(self, unit: int) -> tuple[dict[str, Any], str | None]:
        """Return what is told of an item, and why a part of it is missing, if one is."""
        ratings, pattern = self.ratings, int(self.ratings.patterns.of_unit[unit])
        value, _, alone = (part[pattern] for part in ratings.patterns.leaders)
        votes = slice(*self.ends[unit : unit + 2].tolist())
        codes, people = ratings.value[votes].tolist(), ratings.rater[votes].tolist()
        shown = {code: self.show(ratings.values[code]) for code in {*codes, int(value)}}
        apart = float(self.disagreement[unit])
        record = {
            "n": len(codes),
            "values": [shown[code] for code in codes],
            "by": [ratings.raters[code] if code >= 0 else None for code in people],
            "majority": shown[int(value)] if alone else None,
            "majority_share": float(self.share[pattern]),
            "entropy": float(self.entropy[pattern]),
            "deviation": plain(self.deviation[unit]),
            "disagreement": plain(apart),
        }
        if len(codes) < 2:
            return record, "one answer alone"
        if not alone:
            return record, "tie: no answer has more votes than every other"
        if isnan(apart):
            return record, "there are too many pairs of answers to compare them"
        return record, None


def _half(selection: Selection) -> float:
    """Return half of the scale of scores, which is what they can deviate at most."""
    numbers = np.asarray(selection.ratings.values, np.float64)
    low, high = selection.scale or (numbers.min(initial=0.0), numbers.max(initial=0.0))
    return float(high - low) / 2 or 1.0


def items_table(record: Mapping[str, Any]) -> pa.Table:
    """Return `per_item` of an audit as a table, a row an item, in its order.

    `values` and `majority` are numbers for scores, else texts; `reports` is a JSON object of
    reasons and counts.
    """
    answer = pa.float64() if record["kind"] == "number" else pa.string()
    numbers = ("majority_share", "entropy", "deviation", "disagreement")
    schema = {"item": pa.string(), "source": pa.string(), "n": pa.int32()}
    schema |= {"values": pa.list_(answer), "by": pa.list_(pa.string()), "majority": answer}
    schema |= dict.fromkeys(numbers, pa.float64()) | {"reports": pa.string(), "reason": pa.string()}
    rows = record["per_item"]
    columns = {name: [row.get(name) for row in rows] for name in schema}
    columns["reports"] = [canonical(reports) for reports in columns["reports"]]
    return pa.table({name: pa.array(columns[name], kind) for name, kind in schema.items()})


def distributions(selection: Selection, labels: Sequence[Any] | None = None) -> dict[str, Any]:
    """Return votes by label, items by number of votes, and for numbers items by mean score.

    Mean scores are counted at 51 points from one end of the scale to the other, the nearest one,
    halves upwards, as the paper does in steps of 0.1 (Section 3.2.1).
    """
    ratings = selection.ratings
    names = [display(v) for v in ratings.values] if labels is None else labels
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


Bools = npt.NDArray[np.bool_]
#: More facts of a task: name to what it counts, for readers, and the function that counts it.
TaskFacts = Mapping[str, tuple[str, Callable[[Selection], float | None]]]
_TASK_FACTS: Final[Parts[TaskFacts]] = Parts("agreement", "FACTS")
_ABOUT: Final = {
    "unanimous": "items whose votes are all equal, among the items with at least two votes",
    "majority": "items with a majority that is not unanimous",
    "no_gold": "items that the aggregation rule leaves without gold",
    "individual_equals_gold": "votes that equal gold, the author's among them, on items with gold",
    "individual_equals_gold_validators": "validators' votes that equal gold, on items with gold",
    "individual_equals_author": "votes that equal the author's label, the author's own among them",
    "individual_equals_author_validators": "validators' votes that equal the author's label",
    "gold_equals_author": "items whose gold is the author's label, among all items",
    "gold_equals_author_validators": "items whose majority of the validators alone is the author's"
    " label, among all items",
    "gold_differs_from_author": "items whose gold is another label than the author's",
}


def facts_about(spec: TaskSpec | None) -> dict[str, str]:
    """Return what each fact of a task counts, for readers."""
    more: TaskFacts = {} if spec is None else _TASK_FACTS.get(spec.task, {})
    return _ABOUT | {name: about for name, (about, _) in more.items()}


def facts(selection: Selection, spec: TaskSpec | None) -> dict[str, float | None]:
    """Return the facts of a selection of atomic votes; None where there is nothing to count.

    Gold is what the spec's rule gives, without reports and exclusions; without a spec, and under a
    plurality or a model of annotators, the label that more than half of the votes name.
    `unanimous`, `majority` and `no_gold` are shares of the items with at least two votes; for a
    majority rule they add up to 1 where unanimous items have votes enough. There is no `majority`
    to count where no item has more than two votes, and neither it nor `no_gold` of scores of no
    spec, whose gold would be a mean. Where authors vote on their own items beside others, Table 5
    of the paper is counted too; a task may count more in its part `agreement`.
    """
    counts = fact_counts(selection, spec).items()
    more: TaskFacts = {} if spec is None else _TASK_FACTS.get(spec.task, {})
    shares = {name: round(part / whole, 6) if whole else None for name, (part, whole) in counts}
    return shares | {name: count(selection) for name, (_, count) in more.items()}


def fact_counts(selection: Selection, spec: TaskSpec | None) -> dict[str, tuple[int, int]]:
    """Return what every task's facts are shares of: how many items or votes, and of how many."""
    ratings = selection.ratings
    votes = np.bincount(ratings.unit, minlength=len(ratings.units))
    several = votes > 1
    label, top, alone = _leaders(ratings)
    rule = spec.aggregation if spec is not None else None
    if isinstance(rule, Majority):
        gold = alone & (votes >= rule.minimum) & (top >= rule.needed)
    else:
        gold = alone & (2 * top > votes)
    without = ~gold
    if isinstance(rule, Scores):
        without = votes < rule.minimum
        if rule.drop_deviation is not None:
            without |= spread(ratings) > rule.drop_deviation
    nothing = np.zeros(len(votes), bool)
    is_score = spec is None and selection.level in ("interval", "ratio")
    has_majority = not is_score and votes.max(initial=0) > 2
    counts = {
        "unanimous": _counts(top == votes, several),
        "majority": _counts(gold & (top < votes), several if has_majority else nothing),
    }
    if not isinstance(rule, Plurality | CrowdModel):  # they need more than the leading label
        counts["no_gold"] = _counts(without, nothing if is_score else several)
    if isinstance(rule, Majority) and "author" in rule.roles and len(rule.roles) > 1:
        counts |= _author(selection, label, gold, rule.needed)
    return counts


def _leaders(ratings: Ratings) -> tuple[Whole, Whole, Bools]:
    """Return the label with most votes of every item, (units,): its code, votes, if alone."""
    # the place -1 of items without a vote is that of one more pattern, which has no leader
    label, top, alone = (np.append(part, 0) for part in ratings.patterns.leaders)
    pattern = ratings.patterns.of_unit
    return label[pattern], top[pattern], alone[pattern] > 0


def share(part: Any, whole: Any) -> float | None:
    """Return how many are true of `part` over those of `whole`; None where there is none."""
    total = int(np.sum(whole))
    return round(int(np.sum(part)) / total, 6) if total else None


def _counts(part: Bools, whole: Bools) -> tuple[int, int]:
    return int(np.sum(part & whole)), int(np.sum(whole))


def _author(
    selection: Selection, label: Whole, gold: Bools, needed: int
) -> dict[str, tuple[int, int]]:
    # Table 5 of the paper, once over all votes and once over the others' alone
    ratings = selection.ratings
    by_others = np.array(selection.column("role"), dtype=object) != "author"
    intended = np.full(len(ratings.units), -1, np.int64)
    intended[ratings.unit[~by_others]] = ratings.value[~by_others]
    known = intended >= 0
    on_gold, on_known = gold[ratings.unit], known[ratings.unit]
    is_gold = ratings.value == label[ratings.unit]
    is_intended = ratings.value == intended[ratings.unit]
    majority, top, alone = _leaders(ratings.only(by_others))
    among = alone & (top >= needed)
    same = label == intended
    return {
        "individual_equals_gold": _counts(is_gold, on_gold),
        "individual_equals_gold_validators": _counts(is_gold, on_gold & by_others),
        "individual_equals_author": _counts(is_intended, on_known),
        "individual_equals_author_validators": _counts(is_intended, on_known & by_others),
        "gold_equals_author": _counts(gold & same, known),
        "gold_equals_author_validators": _counts(among & (majority == intended), known),
        "gold_differs_from_author": _counts(gold & ~same, known),
    }
