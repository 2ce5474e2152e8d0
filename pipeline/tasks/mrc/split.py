"""MRC: every type of question in the same parts, no document in two splits (paper 3.7.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.contracts.splits import SPLITS, Split, apportion
from pipeline.core.ids import draw
from pipeline.release.splits.assignment import Assignment, Constraint
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.mrc.spec import QuestionNumbers

#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"largest_group", "documents_apart"})

#: Questions by split and type.
Counts = dict[Split, Counter[str]]


def split(groups: Sequence[Group], numbers: QuestionNumbers, *, seed: int) -> Assignment:
    """Put whole groups where the types of their questions are lacking most.

    Of every type, each split wants its part of all questions; one without a type is of a type of
    its own. Kept groups stay, and count. The others go, large ones first, those of a size in keyed
    order, to the split that lacks the largest share of what it wants of their types.

    Constraints: `size`, `question_type`, `kept`, `largest_group` and `documents_apart`. Sizes are
    met to one question fewer than the largest group has.
    """
    wanted = _target_counts(groups, numbers)
    placed: Counts = {name: Counter() for name in SPLITS}
    assignment = Assignment()
    # kept groups, then the others: large ones first, then by a keyed draw
    for group in sorted(
        groups,
        key=lambda member: (
            member.kept is None,
            -len(member),
            draw(seed, "split.mrc", member.id),
            member.id,
        ),
    ):
        types = Counter(map(_type, group.members))
        split_ = group.kept or _most_lacking(types, wanted, placed)
        placed[split_] += types
        assignment.put(group.members, split_)
    assignment.constraints += _size_constraints(wanted, placed, groups)
    assignment.constraints += _group_constraints(wanted, assignment, groups)
    if numbers.documents_apart:
        assignment.constraints.append(_document_constraint(assignment, groups))
    return assignment


def _type(member: Member) -> str:
    kind = member.label["type"]
    return "none" if kind is None else str(kind)


def _target_counts(groups: Sequence[Group], numbers: QuestionNumbers) -> Counts:
    there = Counter(_type(member) for group in groups for member in group.members)
    parts = {kind: apportion(numbers.sizes, count) for kind, count in there.items()}
    return {name: Counter({kind: parts[kind][name] for kind in parts}) for name in SPLITS}


def _most_lacking(types: Mapping[str, int], wanted: Counts, placed: Counts) -> Split:
    """Return the split that lacks most of these types, as a share of what it wants of them."""

    def lack(name: Split) -> float:
        return sum(
            count * (wanted[name][kind] - placed[name][kind]) / max(wanted[name][kind], 1)
            for kind, count in sorted(types.items())
        )

    return max(SPLITS, key=lambda name: (round(lack(name), 9), wanted[name].total(), name))


def _size_constraints(wanted: Counts, placed: Counts, groups: Sequence[Group]) -> list[Constraint]:
    slack = max(map(len, groups), default=1) - 1
    detail = f"to {slack:,}, one less than the largest group"
    sizes = [("size", name, wanted[name].total(), placed[name].total(), detail) for name in SPLITS]
    sizes += [
        ("question_type", name, wanted[name][kind], placed[name][kind], f"type {kind}; {detail}")
        for name in SPLITS
        for kind in sorted(wanted[name])
    ]
    return [
        Constraint(rule, want, got, abs(got - want) <= slack, name, detail=note)
        for rule, name, want, got, note in sizes
    ]


def _group_constraints(
    wanted: Counts, assignment: Assignment, groups: Sequence[Group]
) -> list[Constraint]:
    sizes = {name: types.total() for name, types in wanted.items()}
    kept = Counter(member.kept for group in groups for member in group.members)
    rows = [
        Constraint("kept", size, kept[name], kept[name] <= size, name, kept[name] > size)
        for name, size in sizes.items()
        if kept[name]
    ]
    largest, room = max(map(len, groups), default=0), min(sizes.values())
    missed = assignment.counts() != sizes
    detail = "examples that stay together, and those of the smallest split"
    return [
        *rows,
        Constraint("largest_group", room, largest, largest <= room, None, missed, detail),
    ]


def _document_constraint(assignment: Assignment, groups: Sequence[Group]) -> Constraint:
    places = {
        (document, assignment.splits[member.id])
        for group in groups
        for member in group.members
        for document in member.documents
    }
    splits = Counter(document for document, _ in places)
    apart = sum(n == 1 for n in splits.values())
    detail = "documents in one split"
    return Constraint("documents_apart", len(splits), apart, apart == len(splits), detail=detail)
