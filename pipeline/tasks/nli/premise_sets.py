"""Sets of pairs on one premise, the least revealing ones, and what dev and test may take (NLI)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final, NamedTuple

from pipeline.contracts.splits import EVALUATION, Split
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.wording import count, verb
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.nli.spec import SetNumbers

DECIMALS: Final = 6
STYLES: Final = ("formal", "colloquial")
PURPOSE: Final = "split.nli"
_SLACK: Final = 1e-9


@dataclass(frozen=True)
class PremiseSet:
    """The pairs on one premise in a group, by id.

    `id` is the smallest id of the pairs, `distance` their mean distance. A set is `complete` if it
    has as many pairs and different gold labels as the spec wants, and all are of one source.
    """

    id: str
    members: tuple[Member, ...]
    distance: float
    complete: bool

    @property
    def source(self) -> str:
        """Return the source of its premise."""
        return self.members[0].source


def premise_sets(members: Iterable[Member], numbers: SetNumbers) -> list[PremiseSet]:
    """Return the sets of members, by id: a set are those with the same `origin`, or premise."""
    by_premise = defaultdict[str, list[Member]](list)
    for member in sorted(members, key=lambda member: member.id):
        by_premise[member.meta.get("origin") or member.fields["premise"]].append(member)
    return [_set(pairs, numbers) for pairs in by_premise.values()]


def _set(members: Sequence[Member], numbers: SetNumbers) -> PremiseSet:
    complete = (
        len(members) == numbers.set_size
        and len({member.label for member in members}) == numbers.distinct_golds
        and len({member.source for member in members}) == 1
    )
    mean = fsum(member.distance or 0 for member in members) / len(members)
    return PremiseSet(members[0].id, tuple(members), round(mean, DECIMALS), complete)


def count_premises(members: Iterable[Member], numbers: SetNumbers) -> Counter[str]:
    """Return on how many premises each source has pairs, whether their sets are complete or not.

    A premise of several sources counts for each.
    """
    sets = premise_sets(members, numbers)
    return Counter(
        source for premise_set in sets for source in {m.source for m in premise_set.members}
    )


def least_revealing_sets(
    sets: Iterable[PremiseSet], premise_counts: Mapping[str, int], share: float
) -> dict[str, list[PremiseSet]]:
    """Return by source its complete sets with the lowest distances; ties go by id.

    They are as many as the `share` of all sets of the source, complete or not, rounded down. The
    paper's counts need this reading: AIRBNB has 2,008 sets, of which dev and test take 200 each. A
    fifth of all sets is 401, which is enough; a fifth of the complete ones alone is fewer than 400
    once more than eight sets are incomplete.
    """
    complete = defaultdict[str, list[PremiseSet]](list)
    for premise_set in sorted(sets, key=lambda premise_set: (premise_set.distance, premise_set.id)):
        if premise_set.complete:
            complete[premise_set.source].append(premise_set)
    return {
        source: ranked[: int(premise_counts[source] * share + _SLACK)]
        for source, ranked in sorted(complete.items())
    }


class Quotas:
    """How many sets each source gives to dev, and as many to test.

    Every source of a style has the same quota. One integer, the level, fixes all quotas: it is the
    quota of each source of the leading style, and the other style gets what its share asks for. The
    leading style is the formal one, or the colloquial one if the formal share is 0.

    `styles` are those of the sources by name; sources of another style have no quota. `shares` are
    those of the styles, `source_counts` the numbers of their sources.
    """

    def __init__(self, members: Iterable[Member], numbers: SetNumbers) -> None:
        """Take the sources of these members."""
        styles = {member.source: str(member.style) for member in members}
        self.numbers = numbers
        self.styles = {name: style for name, style in sorted(styles.items()) if style in STYLES}
        self.source_counts = Counter(self.styles.values())
        self.shares = dict(
            zip(STYLES, (numbers.formal_share, numbers.colloquial_share), strict=True)
        )
        self._leading = "formal" if numbers.formal_share else "colloquial"

    def sets(self, style: str, level: int) -> int:
        """Return the quota of each source of a style, in sets for each of dev and test."""
        leading = self.source_counts[self._leading] / self.shares[self._leading]
        return int(level * leading * self.shares[style] / self.source_counts[style] + _SLACK)

    def highest_level(self, pairs: int) -> int:
        """Return the highest level at which no source gives more than the spec says.

        The numbers of the spec are scaled to a release of so many pairs. The level is 0 where a
        style that has a share has no source.
        """
        numbers = self.numbers
        scale = pairs / sum(numbers.sizes.values())
        per_source = {
            "formal": numbers.per_formal_source,
            "colloquial": numbers.per_colloquial_source,
        }
        limits = {
            style: int(per_source[style] * scale / numbers.set_size + _SLACK)
            for style in STYLES
            if self.shares[style] > 0
        }
        if not all(self.source_counts[style] for style in limits):
            return 0
        level = limits[self._leading]
        while any(self.sets(style, level) > limit for style, limit in limits.items()):
            level -= 1
        return level


class GroupSets(NamedTuple):
    """Least revealing sets of a new group of one source, and the split that takes them.

    `order` is where the group comes in its source: those that lose the fewest other pairs first.
    Before any is taken, `sets` are all that may be, and `split` gets them if dev and test still
    need the same number of sets.
    """

    order: tuple[float, float, str]
    split: Split
    group: Group
    sets: tuple[PremiseSet, ...]

    @property
    def untaken(self) -> list[Member]:
        """Return the other members of the group, which are left out."""
        ids = {member.id for premise_set in self.sets for member in premise_set.members}
        return [member for member in self.group.members if member.id not in ids]


@dataclass(frozen=True)
class Pool:
    """What the split chooses from. "Kept" is what an earlier version put into dev or test."""

    #: The number of pairs.
    size: int
    quotas: Quotas
    #: By source, its premises, and its complete sets.
    premise_counts: Counter[str]
    complete_counts: Counter[str]
    #: By source, its least revealing sets, kept ones and those of train among them.
    least_revealing: dict[str, list[PremiseSet]]
    #: By source, the groups that dev and test may still take sets of, in order.
    eligible: dict[str, list[GroupSets]]
    #: Kept sets that are complete, and those that no longer are, with their split.
    kept_complete: list[tuple[PremiseSet, Split]]
    kept_incomplete: list[tuple[PremiseSet, Split]]
    #: New pairs in the group of a kept set, with the split of that set.
    new_beside_kept: list[tuple[Member, Split]]

    def kept_counts(self, source: str) -> Counter[Split]:
        """Return how many kept complete sets of a source are in dev and in test."""
        return Counter(
            split for premise_set, split in self.kept_complete if premise_set.source == source
        )


def pool_of(groups: Sequence[Group], numbers: SetNumbers, *, seed: int) -> Pool:
    """Return the pool of these groups; raises InputError for pairs without a distance."""
    members = [member for group in groups for member in group.members]
    if without := sorted(member.id for member in members if member.distance is None):
        raise InputError(
            f"nli: {len(without):,} of {count(len(members), 'pair')}, the first {without[0]},"
            f" {verb(len(without), 'has', 'have')} no"
            " distance, which decides what dev and test take; make the table of the stage"
            " `distances` again, from the same gold (`klue split FILE` computes distances itself)"
        )
    kept, new_beside_kept = list[tuple[PremiseSet, Split]](), list[tuple[Member, Split]]()
    other_groups = []
    for group in groups:
        if group.kept in EVALUATION:
            kept_members = [member for member in group.members if member.kept]
            kept += [
                (premise_set, group.kept) for premise_set in premise_sets(kept_members, numbers)
            ]
            new_beside_kept += [(m, group.kept) for m in group.members if not m.kept]
        else:
            other_groups.append((group, premise_sets(group.members, numbers)))
    sets = [premise_set for premise_set, _ in kept] + [
        premise_set for _, own_sets in other_groups for premise_set in own_sets
    ]
    premise_counts = count_premises(members, numbers)
    least_revealing = least_revealing_sets(sets, premise_counts, numbers.lowest_share)
    allowed = {premise_set.id for ranked in least_revealing.values() for premise_set in ranked}
    return Pool(
        size=len(members),
        quotas=Quotas(members, numbers),
        premise_counts=premise_counts,
        complete_counts=Counter(premise_set.source for premise_set in sets if premise_set.complete),
        least_revealing=least_revealing,
        eligible=_eligible_groups(other_groups, allowed, seed=seed),
        kept_complete=[(premise_set, split) for premise_set, split in kept if premise_set.complete],
        kept_incomplete=[
            (premise_set, split) for premise_set, split in kept if not premise_set.complete
        ],
        new_beside_kept=new_beside_kept,
    )


def _eligible_groups(
    groups: Iterable[tuple[Group, list[PremiseSet]]], allowed: set[str], *, seed: int
) -> dict[str, list[GroupSets]]:
    """Return by source the new groups of one source that have sets among those `allowed` (ids).

    Groups with the fewest pairs for each such set come first, so those that are one set; among
    equals the order is a keyed draw.
    """
    eligible = defaultdict[str, list[GroupSets]](list)
    for group, own_sets in groups:
        sets = tuple(premise_set for premise_set in own_sets if premise_set.id in allowed)
        if sets and group.kept is None and len({m.source for m in group.members}) == 1:
            order = (len(group) / len(sets), draw(seed, PURPOSE, group.id), group.id)
            dev_first = draw(seed, f"{PURPOSE} dev", group.id) < 0.5
            group_sets = GroupSets(order, "dev" if dev_first else "test", group, sets)
            eligible[sets[0].source].append(group_sets)
    return {
        source: sorted(sets_of_source, key=lambda group_sets: group_sets.order)
        for source, sets_of_source in eligible.items()
    }
