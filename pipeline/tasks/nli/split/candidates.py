"""What there is to fill dev and test with, and how much of it each source gives (NLI)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.core.ids import draw
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.nli.spec import SetNumbers
from pipeline.tasks.nli.split.premise_sets import (
    PremiseSet,
    lowest,
    premise_sets,
    premises,
    require_distances,
)

STYLES: Final = ("formal", "colloquial")
_SLACK: Final = 1e-9


@dataclass(frozen=True)
class Quotas:
    """Quotas by level: all sources of a style have the same, and the styles rise together.

    `styles` are those of the sources by name; sources of another style have no quota. A level is
    the number of sets that a source of the style `leads` gives to a split.
    """

    numbers: SetNumbers
    styles: dict[str, str]

    @classmethod
    def of(cls, members: Iterable[Member], numbers: SetNumbers) -> Quotas:
        """Return the quotas of the sources of these members."""
        found = {one.source: one.style for one in members}
        known = {name: style for name, style in sorted(found.items()) if style in STYLES}
        return cls(numbers, {name: str(style) for name, style in known.items()})

    @property
    def shares(self) -> dict[str, float]:
        """Return the shares of the styles."""
        return {"formal": self.numbers.formal_share, "colloquial": self.numbers.colloquial_share}

    @property
    def leads(self) -> str:
        """Return the style whose quota is the level: the first that has a share."""
        return "formal" if self.numbers.formal_share else "colloquial"

    def sources(self, style: str) -> list[str]:
        """Return the sources of a style."""
        return [name for name, one in self.styles.items() if one == style]

    def sets(self, source: str, level: int) -> int:
        """Return the quota of a source, in sets a split."""
        return self._sets(self.styles[source], level)

    def _sets(self, style: str, level: int) -> int:
        many = Counter(self.styles.values())
        leading = many[self.leads] / self.shares[self.leads]
        return int(level * leading * self.shares[style] / many[style] + _SLACK)

    def scaled(self, style: str, pairs: int) -> int:
        """Return the sets a source and split that the spec gives, in a release of `pairs` pairs."""
        given = self.numbers.per_formal_source
        if style == "colloquial":
            given = self.numbers.per_colloquial_source
        scale = pairs / sum(self.numbers.sizes.values())
        return int(given * scale / self.numbers.set_size + _SLACK)

    def top(self, pairs: int) -> int:
        """Return the highest level at which no source gives more than the spec says, scaled.

        It is 0 where a style that has a share has no source.
        """
        wanted = [style for style in STYLES if self.shares[style] > 0]
        if not all(self.sources(style) for style in wanted):
            return 0
        level = self.scaled(self.leads, pairs)
        while any(self._sets(style, level) > self.scaled(style, pairs) for style in wanted):
            level -= 1
        return level


PURPOSE: Final = "split.nli"
EVALUATION: Final[tuple[Split, ...]] = ("dev", "test")


@dataclass(frozen=True)
class Offer:
    """A new group with sets that dev or test may take; what is not taken of it is then left out."""

    group: Group
    sets: tuple[PremiseSet, ...]
    order: tuple[float, float, str]


@dataclass(frozen=True)
class Pool:
    """`size` pairs; by source how many premises, complete sets, those of the lowest share, offers.

    `standing` are the sets that an earlier version put into dev or test, `broken` those of them
    that are no longer complete, `beside` the new pairs in their groups.
    """

    size: int
    quotas: Quotas
    premises: Counter[str]
    complete: Counter[str]
    lowest: dict[str, list[PremiseSet]]
    offers: dict[str, list[Offer]]
    standing: list[tuple[PremiseSet, Split]]
    broken: list[tuple[PremiseSet, Split]]
    beside: list[tuple[Member, Split]]

    def stands(self, source: str) -> Counter[Split]:
        """Return how many sets of a source stand in dev and in test."""
        return Counter(split for one, split in self.standing if one.source == source)


def pooled(groups: Sequence[Group], numbers: SetNumbers, *, seed: int) -> Pool:
    """Return the pool of these groups; raises InputError for pairs without a distance.

    The lowest share of a source is one of all its sets, complete or not, wherever they stand.
    """
    members = [one for group in groups for one in group.members]
    require_distances(members)
    kept = [(one, group.kept) for group in groups for one in _standing(group, numbers)]
    sets = [one for one, _ in kept]
    sets += [s for one in groups if _is_free(one) for s in premise_sets(one.members, numbers)]
    many = premises(members, numbers)
    low = lowest(sets, many, numbers.lowest_share)
    ids = {one.id for each in low.values() for one in each}
    return Pool(
        len(members),
        Quotas.of(members, numbers),
        many,
        Counter(one.source for one in sets if one.complete),
        low,
        _offers(groups, ids, numbers, seed=seed),
        [(one, split) for one, split in kept if split and one.complete],
        [(one, split) for one, split in kept if split and not one.complete],
        [
            (one, group.kept)
            for group in groups
            for one in group.members
            if group.kept in EVALUATION and one.kept is None
        ],
    )


def _is_free(group: Group) -> bool:
    return group.kept not in EVALUATION


def _standing(group: Group, numbers: SetNumbers) -> list[PremiseSet]:
    """Return the sets of kept pairs of a group that stands in dev or test."""
    if _is_free(group):
        return []
    return premise_sets([one for one in group.members if one.kept], numbers)


def _offers(
    groups: Iterable[Group], allowed: Collection[str], numbers: SetNumbers, *, seed: int
) -> dict[str, list[Offer]]:
    """Return by source what new groups of one source offer of the sets `allowed` (ids).

    Groups that lose the fewest pairs by it come first, so those that are one set; otherwise their
    order is a keyed draw.
    """
    found: dict[str, list[Offer]] = {}
    for one in groups:
        sets = tuple(s for s in premise_sets(one.members, numbers) if s.id in allowed)
        if sets and one.kept is None and len({member.source for member in one.members}) == 1:
            order = (len(one) / len(sets), draw(seed, PURPOSE, one.id), one.id)
            found.setdefault(sets[0].source, []).append(Offer(one, sets, order))
    return {name: sorted(each, key=lambda one: one.order) for name, each in found.items()}
