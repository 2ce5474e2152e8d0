"""What the paper states of each task's votes, as shares from 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.agreement.record.items import spread
from pipeline.agreement.votes.ratings import Ratings, Whole
from pipeline.agreement.votes.selection import Selection
from pipeline.contracts.aggregation_rules import Majority, Mean
from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec

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

    Gold is what the spec's rule gives, without reports and exclusions; without a spec the label
    that more than half of the votes name. `unanimous`, `majority` and `no_gold` are shares of the
    items with at least two votes; for a majority rule they add up to 1 where unanimous items have
    votes enough. Where authors vote on their own items beside others, Table 5 of the paper is
    counted too; a task may count more in its part `agreement`.
    """
    ratings = selection.ratings
    votes = np.bincount(ratings.unit, minlength=len(ratings.units))
    several = votes > 1
    leader = _leader(ratings)
    rule = spec.aggregation if spec is not None else None
    if isinstance(rule, Majority):
        gold = leader.alone & (votes >= rule.minimum) & (leader.top >= rule.needed)
    else:
        gold = leader.alone & (2 * leader.top > votes)
    without = ~gold
    if isinstance(rule, Mean):
        without = (votes < rule.minimum) | (spread(ratings) > rule.drop_deviation)
    shares = {
        "unanimous": share((leader.top == votes) & several, several),
        "majority": share(gold & (leader.top < votes) & several, several),
        "no_gold": share(without & several, several),
    }
    if isinstance(rule, Majority) and "author" in rule.roles and len(rule.roles) > 1:
        shares |= _author(selection, leader, gold, rule.needed)
    more: TaskFacts = {} if spec is None else _TASK_FACTS.get(spec.task, {})
    return shares | {name: count(selection) for name, (_, count) in more.items()}


class _Leader(NamedTuple):
    """The label with most votes of every item, (units,): its code, votes, and whether alone."""

    label: Whole
    top: Whole
    alone: Bools


def _leader(ratings: Ratings) -> _Leader:
    groups = ratings.patterns
    if not len(groups):
        nothing = np.zeros(len(ratings.units), np.int64)
        return _Leader(nothing, nothing, nothing > 0)
    voted = groups.of_unit >= 0
    pattern = np.maximum(groups.of_unit, 0)
    label, top, alone = groups.leaders
    return _Leader(label[pattern], np.where(voted, top[pattern], 0), alone[pattern] & voted)


def share(part: Any, whole: Any) -> float | None:
    """Return how many are true of `part` over those of `whole`; None where there is none."""
    total = int(np.sum(whole))
    return round(int(np.sum(part)) / total, 6) if total else None


def _author(
    selection: Selection, leader: _Leader, gold: Bools, needed: int
) -> dict[str, float | None]:
    # Table 5 of the paper, once over all votes and once over the others' alone
    ratings = selection.ratings
    by_others = np.array(selection.column("role"), dtype=object) != "author"
    intended = np.full(len(ratings.units), -1, np.int64)
    intended[ratings.unit[~by_others]] = ratings.value[~by_others]
    known = intended >= 0
    on_gold, on_known = gold[ratings.unit], known[ratings.unit]
    is_gold = ratings.value == leader.label[ratings.unit]
    is_intended = ratings.value == intended[ratings.unit]
    others = _leader(ratings.only(by_others))
    among = others.alone & (others.top >= needed)
    same = leader.label == intended
    return {
        "individual_equals_gold": share(is_gold & on_gold, on_gold),
        "individual_equals_gold_validators": share(
            is_gold & on_gold & by_others, on_gold & by_others
        ),
        "individual_equals_author": share(is_intended & on_known, on_known),
        "individual_equals_author_validators": share(
            is_intended & on_known & by_others, on_known & by_others
        ),
        "gold_equals_author": share(gold & same & known, known),
        "gold_equals_author_validators": share(among & (others.label == intended) & known, known),
        "gold_differs_from_author": share(gold & known & ~same, known),
    }
