"""TC: dev and test are headlines from a day on, and earlier ones with unseen terms (3.1.1).

An unseen term is one that no headline of train has (paper 3.1.1, Final Dataset).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from pipeline.contracts.splits import Split, apportion
from pipeline.core.ids import draw
from pipeline.core.morphology import word_parts
from pipeline.core.wording import count, verb
from pipeline.release.splits.assignment import (
    Assignment,
    Constraint,
    share_constraints,
    size_constraints,
)
from pipeline.release.splits.member import Group, Member, stratify
from pipeline.tasks.tc.spec import DateNumbers

#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset(
    {"published_before", "published_from", "dated", "unseen_terms"}
)
#: A group of train in an earlier version that now holds a headline of the time of evaluation.
LATE: Final = "split.late@1"
#: Common and proper nouns, foreign words, Chinese characters.
NOUNS: Final = frozenset({"NNG", "NNP", "SL", "SH"})
#: Nouns of one syllable are mostly splinters of names that the dictionary lacks.
SHORTEST: Final = 2

#: The terms of the headlines of a group, by its id.
Terms = Mapping[str, frozenset[str]]


@dataclass
class _Pool:
    """Groups by what their dates and the earlier version make of them; `out` gets no split."""

    day: str
    evaluation: list[Group] = field(default_factory=list)
    train: list[Group] = field(default_factory=list)
    free: list[Group] = field(default_factory=list)
    out: list[Group] = field(default_factory=list)

    @property
    def placed_groups(self) -> list[Group]:
        return [*self.evaluation, *self.train, *self.free]

    @property
    def late(self) -> list[Group]:
        return [group for group in self.evaluation if _latest(group) >= self.day]

    @property
    def early(self) -> list[Group]:
        """Return the groups of before, or of no known day, that are in dev and test as well."""
        return [group for group in self.evaluation if _latest(group) < self.day]


def split(groups: Sequence[Group], numbers: DateNumbers, *, seed: int) -> Assignment:
    """Put what was published from `evaluation_from` on into dev and test, the rest into train.

    A group goes by its latest date. Where dev and test lack examples, groups of before, or without
    any date, with terms that train then has nowhere are moved to them. Dev and test are parted by
    the numbers, topics in equal shares. Where all dates are on one side of `evaluation_from`, it is
    the first day from which on there are no more headlines than dev and test take.

    Constraints: `size`, `kept`, `whole_groups`, `published_before`, `published_from`, `dated`,
    `unseen_terms`, `label_share`. A train group of an earlier version that now holds a headline of
    the time of evaluation is left out (`split.late@1`).
    """
    pool = _pool(groups, _first_day(groups, numbers))
    wanted = apportion(numbers.sizes, _count(pool.placed_groups))
    room = wanted["dev"] + wanted["test"]
    lacking = room - _count(pool.evaluation)
    terms: Terms = {}
    if numbers.unseen_terms_to_evaluation and (lacking > 0 or pool.early):
        terms = {
            group.id: frozenset().union(*(title_terms(m.fields["title"]) for m in group.members))
            for group in (*pool.train, *pool.free, *pool.early)
        }
        moved = _choose_unseen(pool, terms, lacking, seed=seed)
        pool.evaluation += [group for group in pool.free if group.id in moved]
        pool.free = [group for group in pool.free if group.id not in moved]
    assignment = _assign(pool, wanted, seed=seed)
    assignment.constraints += [
        *size_constraints(assignment, pool.placed_groups, wanted),
        *_date_constraints(pool, room, assignment, numbers.unseen_terms_to_evaluation),
    ]
    if numbers.unseen_terms_to_evaluation:
        assignment.constraints.append(_term_constraint(pool, room, terms))
    assignment.constraints += share_constraints(
        assignment, _members(pool.evaluation), "label_share", _topic
    )
    return assignment


def _first_day(groups: Sequence[Group], numbers: DateNumbers) -> str:
    day = date.fromisoformat(numbers.evaluation_from).isoformat()
    dates = sorted(late for group in groups if (late := _latest(group)) for _ in group.members)
    if not dates or dates[0] < day <= dates[-1]:
        return day
    wanted = apportion(numbers.sizes, _count(groups))
    early = dates[: -wanted["dev"] - wanted["test"]] or [""]
    return next((late for late in dates if late > early[-1]), "9999-12-31")


def _pool(groups: Sequence[Group], day: str) -> _Pool:
    pool = _Pool(day)
    for group in sorted(groups, key=lambda member_group: member_group.id):
        late = _latest(group) >= day
        if group.kept == "train":
            (pool.out if late else pool.train).append(group)
        else:
            (pool.evaluation if group.kept or late else pool.free).append(group)
    return pool


def title_terms(title: str) -> frozenset[str]:
    """Return the nouns of a headline, in lower case, of two characters or more."""
    return frozenset(
        form.casefold() for form, tag in word_parts(title) if tag in NOUNS and len(form) >= SHORTEST
    )


def _choose_unseen(pool: _Pool, terms: Terms, room: int, *, seed: int) -> set[str]:
    """Return the ids of free groups to move.

    A term is moved with all free groups that hold it, so that train no longer has it; terms of
    `pool.train` are not moved. First, whatever the room, comes a term of each group that an earlier
    version moved, the one that fewest free groups hold, so that its move stays justified; then the
    rarest terms with at most `room` headlines in all. Ties are keyed.
    """
    fixed = frozenset(term for group in pool.train for term in terms[group.id])
    holders = defaultdict[str, list[Group]](list)
    for group in pool.free:
        for term in terms[group.id] - fixed:
            holders[term].append(group)
    cost = {term: _count(groups) for term, groups in holders.items()}

    def rarity(term: str) -> tuple[int, float, str]:
        return cost.get(term, 0), draw(seed, "split.tc.term", term), term

    before = (terms[group.id] - fixed for group in pool.early)
    first = {min(topics, key=rarity) for topics in before if topics}
    taken = {group.id for term in first for group in holders.get(term, ())}
    room -= _count(group for group in pool.free if group.id in taken)
    for term in sorted(holders, key=rarity):
        more = [group for group in holders[term] if group.id not in taken]
        if _count(more) <= room:
            taken.update(group.id for group in more)
            room -= _count(more)
    return taken


def _assign(pool: _Pool, wanted: Mapping[Split, int], *, seed: int) -> Assignment:
    """Part dev and test as wanted or, where there are more or fewer, in the same proportion."""
    parts: dict[Split, int] = {"test": wanted["test"], "dev": wanted["dev"]}
    splits = stratify(
        pool.evaluation,
        apportion(parts, _count(pool.evaluation)),
        lambda group: _topic(group.members[0]),
        seed=seed,
        purpose="split.tc",
    )
    assignment = Assignment()
    for group in pool.placed_groups:
        assignment.put(group.members, splits.get(group.id, "train"))
    reason = f"train of an earlier version, and of {pool.day} or later"
    assignment.leave_out(_members(pool.out), LATE, reason)
    return assignment


def _date_constraints(
    pool: _Pool, room: int, assignment: Assignment, unseen_terms: bool
) -> list[Constraint]:
    late, short = _count(pool.late), _count(pool.evaluation) < room
    members = _members(pool.placed_groups)
    size, dated = len(members), sum(member.date is not None for member in members)
    wrong = sum(
        assignment.splits[member.id] == "train" and (member.date or "") >= pool.day
        for member in members
    )
    headlines = f"headlines of {pool.day} or later"
    lost = _count(pool.out)
    left = f"; {lost:,} of train in an earlier version {verb(lost, 'is', 'are')} left out"
    out = left if pool.out else ""
    full = late > room or (short and not unseen_terms)
    everywhere = f"{headlines}, all of them in dev and test; wanted: no more than both take"
    undated = f"{count(size - dated, 'headline')} without a date, taken for earlier ones"
    return [
        Constraint("published_before", 0, wrong, wrong == 0, "train", detail=headlines + out),
        Constraint("published_from", room, late, late <= room, None, full, everywhere),
        Constraint("dated", size, dated, dated == size, None, short and dated < size, undated),
    ]


def _term_constraint(pool: _Pool, room: int, terms: Terms) -> Constraint:
    """Return how many of the earlier headlines in dev and test have a term that train lacks."""
    train = [*pool.train, *pool.free] if terms else []
    seen = frozenset[str]().union(*(terms[group.id] for group in train))
    unseen, early = _count(g for g in pool.early if terms[g.id] - seen), _count(pool.early)
    binds = _count(pool.evaluation) < room or _count(pool.late) <= room < _count(pool.evaluation)
    detail = f"headlines not known to be of {pool.day} or later, with a term that train lacks"
    return Constraint("unseen_terms", early, unseen, unseen == early, None, binds, detail)


def _latest(group: Group) -> str:
    """Return the latest date of a group; "" where no member has one, which is before any day."""
    return max(member.date or "" for member in group.members)


def _topic(member: Member) -> str:
    return str(member.label[0])


def _members(groups: Iterable[Group]) -> list[Member]:
    return [member for group in groups for member in group.members]


def _count(groups: Iterable[Group]) -> int:
    return sum(map(len, groups))
