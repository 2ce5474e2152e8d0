"""MRC: every type of question in the same parts, no document in two splits (paper 3.7.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pipeline.contracts.splits import SPLITS, Split
from pipeline.core.ids import draw
from pipeline.release.splits.assignment import Assignment, Constraint, require_all
from pipeline.release.splits.member import Group, Member
from pipeline.release.splits.sizes import apportion
from pipeline.tasks.mrc.spec import QuestionNumbers

TASK: Final = "mrc"
#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"largest_group", "documents_apart"})
_PURPOSE: Final = "split.mrc"

#: Questions by split and type.
Counts = dict[Split, Counter[str]]


def split(groups: Sequence[Group], numbers: QuestionNumbers, *, seed: int) -> Assignment:
    """Put whole groups where the types of their questions are lacking most.

    Of every type, each split wants its part of all questions; one without a type is of a type of
    its own. Kept groups stay, and count. The others go, large ones first, those of a size in keyed
    order, to the split that lacks the largest share of what it wants of their types.

    Constraints: `size`, `question_type`, `kept`, `largest_group` and `documents_apart`. Sizes are
    met to one question fewer than the largest group has. Raises InputError when a split gets no
    example.
    """
    wanted = _wanted(groups, numbers)
    found: Counts = {name: Counter() for name in SPLITS}
    assignment = Assignment()
    for one in _ordered(groups, seed=seed):
        place = one.kept or _lacking(_types(one), wanted, found)
        found[place] += _types(one)
        assignment.put(one.members, place)
    assignment.constraints += _told_sizes(wanted, found, groups)
    assignment.constraints += _told_groups(wanted, assignment, groups)
    if numbers.documents_apart:
        assignment.constraints.append(_told_documents(assignment, groups))
    require_all(TASK, assignment)
    return assignment


def _type(one: Member) -> str:
    kind = one.label["type"]
    return "none" if kind is None else str(kind)


def _types(group: Group) -> Counter[str]:
    return Counter(map(_type, group.members))


def _wanted(groups: Sequence[Group], numbers: QuestionNumbers) -> Counts:
    """Return how many questions of each type each split wants: parts of what there is."""
    there = Counter(_type(one) for group in groups for one in group.members)
    parts = {kind: apportion(numbers.sizes, many) for kind, many in there.items()}
    return {name: Counter({kind: parts[kind][name] for kind in parts}) for name in SPLITS}


def _ordered(groups: Sequence[Group], *, seed: int) -> list[Group]:
    """Return kept groups, then the others: large ones first, then by a keyed draw."""
    return sorted(
        groups,
        key=lambda one: (one.kept is None, -len(one), draw(seed, _PURPOSE, one.id), one.id),
    )


def _lacking(
    types: Mapping[str, int], wanted: Mapping[Split, Counter[str]], found: Counts
) -> Split:
    """Return the split that lacks most of these types, as a share of what it wants of them."""

    def lack(name: Split) -> float:
        return sum(
            many * (wanted[name][kind] - found[name][kind]) / max(wanted[name][kind], 1)
            for kind, many in sorted(types.items())
        )

    return max(SPLITS, key=lambda name: (round(lack(name), 9), wanted[name].total(), name))


def _told_sizes(wanted: Counts, found: Counts, groups: Sequence[Group]) -> Iterator[Constraint]:
    slack = max(map(len, groups), default=1) - 1
    detail = f"to {slack:,}, one less than the largest group"
    for name in SPLITS:
        want, got = wanted[name].total(), found[name].total()
        yield Constraint("size", want, got, abs(got - want) <= slack, name, detail=detail)
    for name in SPLITS:
        for kind in sorted(wanted[name]):
            want, got = wanted[name][kind], found[name][kind]
            told = f"type {kind}; {detail}"
            met = abs(got - want) <= slack
            yield Constraint("question_type", want, got, met, name, detail=told)


def _told_groups(
    wanted: Counts, assignment: Assignment, groups: Sequence[Group]
) -> Iterator[Constraint]:
    kept = Counter(one.kept for group in groups for one in group.members)
    for name in SPLITS:
        if kept[name]:
            want = wanted[name].total()
            over = kept[name] > want
            yield Constraint("kept", want, kept[name], not over, name, over)
    largest = max(map(len, groups), default=0)
    room = min(one.total() for one in wanted.values())
    missed = any(assignment.count(name) != wanted[name].total() for name in SPLITS)
    detail = "examples that stay together, and those of the smallest split"
    yield Constraint("largest_group", room, largest, largest <= room, None, missed, detail)


def _told_documents(assignment: Assignment, groups: Sequence[Group]) -> Constraint:
    places: dict[str, set[Split]] = {}
    for group in groups:
        for one in group.members:
            for document in one.documents:
                places.setdefault(document, set()).add(assignment.splits[one.id])
    apart = sum(len(one) == 1 for one in places.values())
    detail = "documents in one split"
    return Constraint("documents_apart", len(places), apart, apart == len(places), detail=detail)
