"""What a split rule returns: a split or a reason for every example, and its constraints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from pipeline.contracts.splits import SPLITS, Split
from pipeline.core.wording import count
from pipeline.release.splits.member import Group, Member, group

#: How far the values of a split may be from those of the whole, in percent; chosen by this project.
TOLERANCE: Final = 5.0


@dataclass(frozen=True)
class Constraint:
    """A constraint, what it wanted and what was found (examples, unless `detail` says otherwise).

    `met` tells whether it holds; `binds` that it kept a size, or what another constraint wants,
    from being reached.
    """

    name: str
    wanted: float
    found: float
    met: bool
    split: Split | None = None
    binds: bool = False
    detail: str = ""


@dataclass
class Assignment:
    """The splits of examples by id, the rule and reason of those left out, and the constraints.

    Every example of the groups that a rule was given is in exactly one of the first two.
    """

    splits: dict[str, Split] = field(default_factory=dict)
    left_out: dict[str, tuple[str, str]] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)

    def put(self, members: Iterable[Member], split: Split) -> None:
        """Put examples into a split."""
        self.splits.update((member.id, split) for member in members)

    def leave_out(self, members: Iterable[Member], rule: str, reason: str) -> None:
        """Leave examples out, under a rule such as `split.bridge@1`."""
        self.left_out.update((member.id, (rule, reason)) for member in members)

    def leave_out_where(
        self,
        groups: Iterable[Group],
        breaks: Callable[[Group, Member], bool],
        *,
        rule: str,
        reason: str,
    ) -> list[Group]:
        """Leave out members that break a promise of their split; return the groups of the others.

        Where all members go that an earlier version placed, the new ones of their group go with
        them: they are too similar to them to be placed anew.
        """
        stay = []
        for group_ in groups:
            sound = [member for member in group_.members if not breaks(group_, member)]
            if group_.kept is not None and all(member.kept is None for member in sound):
                sound = []
            ids = {member.id for member in sound}
            self.leave_out(
                (member for member in group_.members if member.id not in ids), rule, reason
            )
            if sound:
                stay.append(group(sound))
        return stay

    def count(self, split: Split) -> int:
        """Return how many examples a split has."""
        return sum(name == split for name in self.splits.values())

    def counts(self) -> dict[Split, int]:
        """Return how many examples each split has."""
        return {split: self.count(split) for split in SPLITS}


def size_constraints(
    assignment: Assignment, groups: Sequence[Group], wanted: Mapping[Split, int]
) -> list[Constraint]:
    """Return the constraints `size`, `kept` (where there are such examples) and `whole_groups`.

    The last counts the groups that are in one split, by those of their members that have any; it
    binds when a size is missed by fewer examples than the largest group has.
    """
    sizes = assignment.counts()
    rows = [Constraint("size", wanted[k], sizes[k], sizes[k] == wanted[k], k) for k in SPLITS]
    earlier = Counter(
        group_.kept for group_ in groups for _ in group_.members if group_.kept is not None
    )
    rows += [
        Constraint(
            "kept", wanted[k], earlier[k], earlier[k] <= wanted[k], k, earlier[k] > wanted[k]
        )
        for k in SPLITS
        if earlier[k]
    ]
    splits = assignment.splits
    placed = [[splits[m.id] for m in group_.members if m.id in splits] for group_ in groups]
    placed = [splits_of_group for splits_of_group in placed if splits_of_group]
    whole = sum(len(set(splits_of_group)) == 1 for splits_of_group in placed)
    largest = max(map(len, placed), default=0)
    binds = any(0 < abs(sizes[k] - wanted[k]) < largest for k in SPLITS)
    detail = f"groups; the largest has {count(largest, 'example')}"
    met = whole == len(placed)
    return [*rows, Constraint("whole_groups", len(placed), whole, met, None, binds, detail)]


def share_constraints(
    assignment: Assignment, members: Iterable[Member], name: str, value: Callable[[Member], str]
) -> list[Constraint]:
    """Return a constraint for each split and value: its share is that among all of `members`.

    It is met when the count is off by fewer than two examples.
    """
    splits = assignment.splits
    placed = [member for member in members if member.id in splits]
    whole = Counter(map(value, placed))
    sizes = Counter(splits[member.id] for member in placed)
    cells = Counter((splits[member.id], value(member)) for member in placed)
    rows = []
    for split in (name for name in SPLITS if sizes[name]):
        for key in sorted(whole):
            wanted = round(whole[key] * sizes[split] / len(placed), 6)
            number = cells[split, key]
            met = abs(wanted - number) < 2
            rows.append(Constraint(name, wanted, number, met, split, detail=key))
    return rows


def similarity_constraints(
    name: str,
    assignment: Assignment,
    members: Iterable[Member],
    values: Callable[[Member], Iterable[str]],
) -> list[Constraint]:
    """Return for each split how far the shares of its values are from those in all splits.

    `values` are those of an example, such as the types of its entities. The distance is that of
    total variation, in percent: the share that would have to change. Wanted are at most `TOLERANCE`
    and, for n values in the split, the 100 / sqrt(n) that chance may add.
    """
    counts = {split: Counter[str]() for split in SPLITS}
    for member in members:
        if member.id in assignment.splits:
            counts[assignment.splits[member.id]].update(values(member))
    whole = sum(counts.values(), Counter[str]())
    rows = []
    for split, counts_of_split in counts.items():
        if counts_of_split:
            wanted = round(TOLERANCE + 100 / sqrt(counts_of_split.total()), 2)
            shares = (
                counts_of_split[key] / counts_of_split.total() - whole[key] / whole.total()
                for key in sorted(whole)
            )
            distance = round(100 * sum(map(abs, shares)) / 2, 2)
            detail = "percent of its values that differ from the shares in the whole, at most"
            rows.append(
                Constraint(name, wanted, distance, distance <= wanted, split, detail=detail)
            )
    return rows
