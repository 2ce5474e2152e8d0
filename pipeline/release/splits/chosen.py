"""What a split rule comes to: a split or a reason for every example, and its constraints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pipeline.contracts.splits import SPLITS, Sizes, Split
from pipeline.core.errors import InputError
from pipeline.release.splits.member import Group, Member


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
class Chosen:
    """The splits of examples by id, the rule and reason of those left out, and the constraints.

    Every example of the groups that a rule was given is in exactly one of the first two.
    """

    splits: dict[str, Split] = field(default_factory=dict)
    left: dict[str, tuple[str, str]] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)

    def put(self, members: Iterable[Member], split: Split) -> None:
        """Put examples into a split."""
        self.splits.update((one.id, split) for one in members)

    def leave(self, members: Iterable[Member], rule: str, reason: str) -> None:
        """Leave examples out, under a rule such as `split.bridge@1`."""
        self.left.update((one.id, (rule, reason)) for one in members)

    def count(self, split: Split) -> int:
        """Return how many examples a split has."""
        return sum(one == split for one in self.splits.values())

    def counts(self) -> dict[Split, int]:
        """Return how many examples each split has."""
        return {split: self.count(split) for split in SPLITS}


class Rule(Protocol):
    """Chooses the splits of groups, given in order of their ids, with none left out twice.

    Groups that an earlier version placed (`kept`) stay where they are, or are left out where they
    no longer meet a constraint of that split; no example goes from test to another split. `seed` is
    that of the build: every draw is keyed by it. The result must not depend on the order of groups.
    """

    def __call__(self, groups: Sequence[Group], numbers: Sizes, *, seed: int) -> Chosen:
        """Return what was chosen; raises InputError that names the constraint that binds."""
        ...


def require_all(task: str, chosen: Chosen) -> None:
    """Raise InputError when a split has no example, naming the constraints that bind."""
    empty = [split for split in SPLITS if not chosen.count(split)]
    if not empty:
        return
    binding = [one for one in chosen.constraints if one.binds or not one.met]
    told = "; ".join(
        f"{one.name}{f' in {one.split}' if one.split else ''}: wanted {one.wanted:g}, found"
        f" {one.found:g}{f' ({one.detail})' if one.detail else ''}"
        for one in binding
    )
    raise InputError(
        f"{task}: no example is left for {' and '.join(empty)} of {len(chosen.splits):,};"
        f" what binds: {told or 'the number of examples'}; give more examples, or other numbers"
        " under `split` of the spec"
    )


def told_sizes(
    chosen: Chosen, groups: Sequence[Group], wanted: Mapping[Split, int]
) -> list[Constraint]:
    """Return the constraints `size`, `kept` (where there are such examples) and `whole_groups`.

    The last counts the groups that stand in one split, by those of their members that have any; it
    binds when a size is missed by fewer examples than the largest group has.
    """
    found = chosen.counts()
    rows = [Constraint("size", wanted[k], found[k], found[k] == wanted[k], k) for k in SPLITS]
    kept = Counter(one.kept for one in groups for _ in one.members if one.kept is not None)
    rows += [
        Constraint("kept", wanted[k], kept[k], kept[k] <= wanted[k], k, kept[k] > wanted[k])
        for k in SPLITS
        if kept[k]
    ]
    placed = [own for one in groups if (own := _placed(chosen, one.members))]
    whole = sum(len(set(own)) == 1 for own in placed)
    largest = max(map(len, placed), default=0)
    missed = [abs(found[k] - wanted[k]) for k in SPLITS]
    binds = any(0 < one < largest for one in missed)
    detail = f"groups; the largest has {largest:,} examples"
    met = whole == len(placed)
    return [*rows, Constraint("whole_groups", len(placed), whole, met, None, binds, detail)]


def _placed(chosen: Chosen, members: Iterable[Member]) -> list[Split]:
    """Return the splits of those members that have one."""
    return [chosen.splits[one.id] for one in members if one.id in chosen.splits]


def told_shares(
    chosen: Chosen, members: Sequence[Member], name: str, value: Callable[[Member], str]
) -> list[Constraint]:
    """Return a constraint for each split and value: its share is that among all of `members`.

    It is met when the count is off by fewer than two examples.
    """
    placed = [one for one in members if one.id in chosen.splits]
    whole = Counter(map(value, placed))
    sizes = Counter(chosen.splits[one.id] for one in placed)
    cells = Counter((chosen.splits[one.id], value(one)) for one in placed)
    rows = []
    for split in (one for one in SPLITS if sizes[one]):
        for each in sorted(whole):
            wanted = round(whole[each] * sizes[split] / len(placed), 6)
            found = cells[split, each]
            rows.append(
                Constraint(name, wanted, found, abs(wanted - found) < 2, split, detail=each)
            )
    return rows
