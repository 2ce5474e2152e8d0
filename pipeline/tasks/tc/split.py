"""TC: dev and test are headlines from a day on, and earlier ones with unseen terms (3.1.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.release.splits.assignment import (
    Assignment,
    Constraint,
    require_all,
    share_constraints,
    size_constraints,
)
from pipeline.release.splits.member import Group, Member
from pipeline.release.splits.sizes import apportion, stratified
from pipeline.tasks.tc.spec import DateNumbers
from pipeline.tasks.tc.terms import Early, Terms, terms_of, unseen

TASK: Final = "tc"
#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset(
    {"published_before", "published_from", "dated", "unseen_terms"}
)
#: A group of train in an earlier version that now holds a headline of the time of evaluation.
LATE: Final = "split.late@1"


@dataclass
class _Pool:
    """Groups by what their dates and the earlier version make of them."""

    day: str
    evaluation: list[Group] = field(default_factory=list)
    train: list[Group] = field(default_factory=list)
    free: list[Group] = field(default_factory=list)
    out: list[Group] = field(default_factory=list)

    @property
    def placed(self) -> list[Group]:
        """Return all groups that get a split."""
        return [*self.evaluation, *self.train, *self.free]

    @property
    def late(self) -> list[Group]:
        """Return the groups of the time of evaluation."""
        return [one for one in self.evaluation if (_latest(one) or "") >= self.day]

    @property
    def early(self) -> list[Group]:
        """Return the groups of before, or of no known day, that are in dev and test as well."""
        return [one for one in self.evaluation if (_latest(one) or "") < self.day]

    def move(self, ids: set[str]) -> None:
        """Move free groups to dev and test."""
        self.evaluation += [one for one in self.free if one.id in ids]
        self.free = [one for one in self.free if one.id not in ids]


def split(groups: Sequence[Group], numbers: DateNumbers, *, seed: int) -> Assignment:
    """Put what was published from `evaluation_from` on into dev and test, the rest into train.

    A group goes by its latest date. Where dev and test lack examples, groups of before, or without
    any date, with terms that train then has nowhere are moved to them. Dev and test
    are parted by the numbers, topics in equal shares.

    Constraints: `size`, `kept`, `whole_groups`, `published_before`, `published_from`, `dated`,
    `unseen_terms`, `label_share`. A train group of an earlier version that now holds a headline of
    the time of evaluation is left out (`split.late@1`). Raises InputError when a split gets no
    example.
    """
    pool = _pooled(groups, date.fromisoformat(numbers.evaluation_from).isoformat())
    wanted = apportion(numbers.sizes, _count(pool.placed))
    lacking = wanted["dev"] + wanted["test"] - _count(pool.evaluation)
    held: Terms = {}
    if numbers.unseen_terms_to_evaluation and (lacking > 0 or pool.early):
        held = terms_of([*pool.train, *pool.free, *pool.early])
        pool.move(unseen(Early(pool.free, pool.train, pool.early), held, lacking, seed=seed))
    assignment = _placed(pool, wanted, seed=seed)
    assignment.constraints += size_constraints(assignment, pool.placed, wanted)
    assignment.constraints += _told_dates(
        pool, wanted, assignment, numbers.unseen_terms_to_evaluation
    )
    if numbers.unseen_terms_to_evaluation:
        assignment.constraints.append(_told_terms(pool, wanted, held))
    assignment.constraints += share_constraints(
        assignment, _members(pool.evaluation), "label_share", _topic
    )
    require_all(TASK, assignment)
    return assignment


def _pooled(groups: Sequence[Group], day: str) -> _Pool:
    pool = _Pool(day)
    for one in sorted(groups, key=lambda each: each.id):
        latest = _latest(one)
        late = latest is not None and latest >= day
        if one.kept == "train":
            (pool.out if late else pool.train).append(one)
        elif one.kept is not None or late:
            pool.evaluation.append(one)
        else:
            pool.free.append(one)
    return pool


def _placed(pool: _Pool, wanted: Mapping[Split, int], *, seed: int) -> Assignment:
    """Part dev and test as wanted or, where there are more or fewer, in the same proportion."""
    parts: dict[Split, int] = {"test": wanted["test"], "dev": wanted["dev"]}
    if sum(parts.values()) != _count(pool.evaluation):
        parts = apportion(parts, _count(pool.evaluation))
    splits = stratified(
        pool.evaluation, parts, lambda one: _topic(one.members[0]), seed=seed, purpose="split.tc"
    )
    assignment = Assignment()
    for one in pool.placed:
        assignment.put(one.members, splits.get(one.id, "train"))
    for one in pool.out:
        assignment.leave_out(
            one.members, LATE, f"train of an earlier version, and of {pool.day} or later"
        )
    return assignment


def _told_dates(
    pool: _Pool, wanted: Mapping[Split, int], assignment: Assignment, unseen_terms: bool
) -> list[Constraint]:
    room, late = wanted["dev"] + wanted["test"], _count(pool.late)
    short = _count(pool.evaluation) < room
    members = _members(pool.placed)
    dated = sum(one.date is not None for one in members)
    wrong = sum(
        assignment.splits[one.id] == "train" and (one.date or "") >= pool.day for one in members
    )
    told = f"headlines of {pool.day} or later"
    out = f"; {_count(pool.out):,} of train in an earlier version are left out" if pool.out else ""
    more = f"{told}, all of them in dev and test"
    bare = f"{len(members) - dated:,} headlines without a date, which are taken for earlier ones"
    binds = late > room or (short and not unseen_terms)
    return [
        Constraint("published_before", 0, wrong, wrong == 0, "train", detail=told + out),
        Constraint("published_from", room, late, late <= room, None, binds, more),
        Constraint(
            "dated",
            len(members),
            dated,
            dated == len(members),
            None,
            short and dated < len(members),
            bare,
        ),
    ]


def _told_terms(pool: _Pool, wanted: Mapping[Split, int], held: Terms) -> Constraint:
    """Tell how many of the earlier headlines in dev and test have a term that train lacks."""
    seen = frozenset[str]().union(*(held[one.id] for one in (*pool.train, *pool.free) if held))
    found = _count([one for one in pool.early if held[one.id] - seen])
    early, room = _count(pool.early), wanted["dev"] + wanted["test"]
    binds = _count(pool.evaluation) < room or _count(pool.late) <= room < _count(pool.evaluation)
    detail = f"headlines not known to be of {pool.day} or later, with a term that train lacks"
    return Constraint("unseen_terms", early, found, found == early, None, binds, detail)


def _latest(group: Group) -> str | None:
    return max((one.date for one in group.members if one.date is not None), default=None)


def _topic(member: Member) -> str:
    return str(member.label[0])


def _members(groups: Sequence[Group]) -> list[Member]:
    return [each for one in groups for each in one.members]


def _count(groups: Sequence[Group]) -> int:
    return sum(map(len, groups))
