"""What the paper states of each task's votes, as shares from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.agreement.record.items import spread
from pipeline.agreement.votes.pairs import Ints
from pipeline.agreement.votes.views import Selection
from pipeline.contracts.spec import Majority, Mean, TaskSpec
from pipeline.core.jsontext import parsed

Bools = npt.NDArray[np.bool_]
#: What each fact says, for readers.
ABOUT = {
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
    "one_topic_only": "items for which nobody named a second topic",
    "second_topic_by_all": "items for which everybody named a second topic",
}


def facts(selection: Selection, spec: TaskSpec | None) -> dict[str, float | None]:
    """Return the facts of a selection of atomic votes; None where there is nothing to count.

    Gold is what the spec's rule gives, without reports and exclusions; without a spec the label
    that more than half of the votes name. `unanimous`, `majority` and `no_gold` are shares of the
    items with at least two votes; for a majority rule they add up to 1 where unanimous items have
    votes enough.
    """
    ratings = selection.ratings
    votes = np.bincount(ratings.unit, minlength=len(ratings.units))
    several = votes > 1
    leader = _leader(selection, votes)
    rule = spec.aggregation if spec is not None else None
    gold = _gold(leader, rule)
    top_all = leader.top == votes
    if isinstance(rule, Mean):
        none = (votes < rule.minimum) | (spread(ratings) > rule.drop_deviation)
        most = leader.alone & (2 * leader.top > votes) & ~top_all
    else:
        none, most = ~gold, gold & ~top_all
    made = {
        "unanimous": _share(top_all & several, several),
        "majority": _share(most & several, several),
        "no_gold": _share(none & several, several),
    }
    if spec is not None and spec.task == "nli":
        made |= _author(selection, leader, gold, spec)
    if spec is not None and spec.task == "tc":
        made |= _topics(selection, votes)
    return made


@dataclass(frozen=True)
class _Leader:
    """The label with most votes of every item, (units,): its code, votes, and whether alone."""

    label: Ints
    top: Ints
    alone: Bools
    votes: Ints


def _leader(selection: Selection, votes: Ints, keep: Bools | None = None) -> _Leader:
    ratings = selection.ratings
    of = ratings.patterns if keep is None else ratings.only(keep).patterns
    top = np.zeros(len(of), np.int64)
    np.maximum.at(top, of.owner, of.count)
    leads = of.count == top[of.owner]
    alone = np.bincount(of.owner[leads], minlength=len(of)) == 1
    label = np.zeros(len(of), np.int64)
    label[of.owner[leads]] = of.value[leads]
    there = of.of_unit >= 0
    at = np.maximum(of.of_unit, 0)
    if not len(of):
        nothing = np.zeros(len(there), np.int64)
        return _Leader(nothing, nothing, there, nothing)
    return _Leader(label[at], np.where(there, top[at], 0), alone[at] & there, votes)


def _gold(leader: _Leader, rule: Any) -> Bools:
    if isinstance(rule, Majority):
        enough = (leader.votes >= rule.minimum) & (leader.top >= rule.needed)
        return np.asarray(enough & leader.alone)
    return np.asarray(leader.alone & (2 * leader.top > leader.votes))


def _share(part: Any, whole: Any) -> float | None:
    total = int(np.sum(whole))
    return round(int(np.sum(part)) / total, 6) if total else None


def _author(
    selection: Selection, leader: _Leader, gold: Bools, spec: TaskSpec
) -> dict[str, float | None]:
    """Return Table 5 of the paper, once over all votes and once over the validators' alone."""
    ratings = selection.ratings
    role = np.array(selection.column("role"), dtype=object)
    by_author, by_others = role == "author", role == "validator"
    intended = np.full(len(ratings.units), -1, np.int64)
    intended[ratings.unit[by_author]] = ratings.value[by_author]
    known = intended >= 0
    on_gold = gold[ratings.unit]
    is_gold = ratings.value == leader.label[ratings.unit]
    on_known = known[ratings.unit]
    is_intended = ratings.value == intended[ratings.unit]
    validators = _leader(
        selection, np.bincount(ratings.unit[by_others], minlength=len(known)), by_others
    )
    assert isinstance(spec.aggregation, Majority)
    among = validators.alone & (validators.top >= spec.aggregation.needed)
    same = gold & (leader.label == intended)
    return {
        "individual_equals_gold": _share(is_gold & on_gold, on_gold),
        "individual_equals_gold_validators": _share(
            is_gold & on_gold & by_others, on_gold & by_others
        ),
        "individual_equals_author": _share(is_intended & on_known, on_known),
        "individual_equals_author_validators": _share(
            is_intended & on_known & by_others, on_known & by_others
        ),
        "gold_equals_author": _share(same & known, known),
        "gold_equals_author_validators": _share(
            among & (validators.label == intended) & known, known
        ),
        "gold_differs_from_author": _share(gold & known & (leader.label != intended), known),
    }


def _topics(selection: Selection, votes: Ints) -> dict[str, float | None]:
    ratings = selection.ratings
    named = selection.column("label")
    long = {text: len(parsed(text)) > 1 for text in set(named)}
    more = np.array([long[text] for text in named], bool)
    seconds = np.bincount(ratings.unit[more], minlength=len(votes))
    return {
        "one_topic_only": _share(seconds == 0, votes > 0),
        "second_topic_by_all": _share((seconds == votes) & (votes > 0), votes > 0),
    }
