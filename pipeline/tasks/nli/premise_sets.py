"""Sets of pairs on one premise, which give least away, and what dev and test may take (NLI)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final, NamedTuple

from pipeline.contracts.splits import Split
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.nli.spec import SetNumbers

DECIMALS: Final = 6
STYLES: Final = ("formal", "colloquial")
PURPOSE: Final = "split.nli"
EVALUATION: Final[tuple[Split, ...]] = ("dev", "test")
_SLACK: Final = 1e-9


@dataclass(frozen=True)
class PremiseSet:
    """The pairs on one premise of a group, by id; `id` is the smallest of theirs.

    `distance` is the mean of theirs. `complete` tells that it has as many pairs and different
    golds as dev and test want, of one source.
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
    """Return the sets of members by id: those that name the same `origin`, or the same premise."""
    by_premise = defaultdict[str, list[Member]](list)
    for member in sorted(members, key=lambda member: member.id):
        by_premise[member.meta.get("origin") or member.fields["premise"]].append(member)
    return [_set(own, numbers) for own in by_premise.values()]


def _set(members: Sequence[Member], numbers: SetNumbers) -> PremiseSet:
    complete = (
        len(members) == numbers.set_size
        and len({member.label for member in members}) == numbers.distinct_golds
        and len({member.source for member in members}) == 1
    )
    mean = fsum(member.distance or 0 for member in members) / len(members)
    return PremiseSet(members[0].id, tuple(members), round(mean, DECIMALS), complete)


def premises(members: Iterable[Member], numbers: SetNumbers) -> Counter[str]:
    """Return by source on how many premises it has pairs, whether their sets are complete or not.

    A premise of several sources counts for each.
    """
    sets = premise_sets(members, numbers)
    return Counter(source for each in sets for source in {m.source for m in each.members})


def lowest(
    sets: Iterable[PremiseSet], premises: Mapping[str, int], share: float
) -> dict[str, list[PremiseSet]]:
    """Return by source its complete sets with the lowest distances; ties go by id.

    They are as many as the `share` of all its `premises`, rounded down: of all, as only so the
    pairs that the paper takes fit its own counts. AIRBNB has 2,008 sets; dev and test take 400 of
    them, and a fifth of all is 401.
    """
    sources = defaultdict[str, list[PremiseSet]](list)
    for each in sorted(sets, key=lambda each: (each.distance, each.id)):
        if each.complete:
            sources[each.source].append(each)
    return {
        name: own[: int(premises[name] * share + _SLACK)] for name, own in sorted(sources.items())
    }


class Quotas:
    """Quotas by level: all sources of a style have the same, and the styles rise together.

    `styles` are those of the sources by name; sources of another style have no quota. A level is
    the number of sets that a source of the style `leads`, the first that has a share, gives to a
    split.
    """

    def __init__(self, members: Iterable[Member], numbers: SetNumbers) -> None:
        """Take the sources of these members."""
        styles = {member.source: str(member.style) for member in members}
        self.numbers = numbers
        self.styles = {name: style for name, style in sorted(styles.items()) if style in STYLES}
        self.sources = Counter(self.styles.values())
        self.shares = dict(
            zip(STYLES, (numbers.formal_share, numbers.colloquial_share), strict=True)
        )
        self._leads = "formal" if numbers.formal_share else "colloquial"

    def sets(self, style: str, level: int) -> int:
        """Return the quota of a source of a style, in sets a split."""
        leading = self.sources[self._leads] / self.shares[self._leads]
        return int(level * leading * self.shares[style] / self.sources[style] + _SLACK)

    def top(self, pairs: int) -> int:
        """Return the highest level at which no source gives more than the spec says.

        The numbers of the spec are scaled to a release of so many pairs. The level is 0 where a
        style that has a share has no source.
        """
        numbers = self.numbers
        scale = pairs / sum(numbers.sizes.values())
        given = {"formal": numbers.per_formal_source, "colloquial": numbers.per_colloquial_source}
        most = {
            style: int(given[style] * scale / numbers.set_size + _SLACK)
            for style in STYLES
            if self.shares[style] > 0
        }
        if not all(self.sources[style] for style in most):
            return 0
        level = most[self._leads]
        while any(self.sets(style, level) > sets for style, sets in most.items()):
            level -= 1
        return level


class Offer(NamedTuple):
    """A new group with sets that dev or test may take; what is not taken of it is then left out.

    Offers are taken by `order`; where dev and test lack as many, `first` gets it.
    """

    order: tuple[float, float, str]
    first: Split
    group: Group
    sets: tuple[PremiseSet, ...]


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
        return Counter(split for each, split in self.standing if each.source == source)


def pool_of(groups: Sequence[Group], numbers: SetNumbers, *, seed: int) -> Pool:
    """Return the pool of these groups; raises InputError for pairs without a distance.

    The lowest share of a source is one of all its sets, complete or not, wherever they stand.
    """
    members = [member for group in groups for member in group.members]
    if without := sorted(member.id for member in members if member.distance is None):
        raise InputError(
            f"nli: {len(without):,} of {len(members):,} pairs, the first {without[0]}, have no"
            " distance of hypothesis-only scoring, which decides what dev and test may take;"
            " score all pairs (`klue hypothesis-only`) before they are split"
        )
    kept, beside, free = list[tuple[PremiseSet, Split]](), list[tuple[Member, Split]](), []
    for group in groups:
        if group.kept in EVALUATION:
            old = [member for member in group.members if member.kept]
            kept += [(each, group.kept) for each in premise_sets(old, numbers)]
            beside += [(member, group.kept) for member in group.members if not member.kept]
        else:
            free.append((group, premise_sets(group.members, numbers)))
    sets = [each for each, _ in kept] + [each for _, own in free for each in own]
    many = premises(members, numbers)
    low = lowest(sets, many, numbers.lowest_share)
    return Pool(
        len(members),
        Quotas(members, numbers),
        many,
        Counter(each.source for each in sets if each.complete),
        low,
        _offers(free, {each.id for own in low.values() for each in own}, seed=seed),
        [(each, split) for each, split in kept if each.complete],
        [(each, split) for each, split in kept if not each.complete],
        beside,
    )


def _offers(
    groups: Iterable[tuple[Group, list[PremiseSet]]], allowed: set[str], *, seed: int
) -> dict[str, list[Offer]]:
    """Return by source what new groups of one source offer of the sets `allowed` (ids).

    Groups that lose the fewest pairs by it come first, so those that are one set; otherwise their
    order is a keyed draw.
    """
    offers = defaultdict[str, list[Offer]](list)
    for group, own in groups:
        sets = tuple(each for each in own if each.id in allowed)
        if sets and group.kept is None and len({m.source for m in group.members}) == 1:
            order = (len(group) / len(sets), draw(seed, PURPOSE, group.id), group.id)
            dev_first = draw(seed, f"{PURPOSE} dev", group.id) < 0.5
            offers[sets[0].source].append(Offer(order, "dev" if dev_first else "test", group, sets))
    return {name: sorted(own, key=lambda offer: offer.order) for name, own in offers.items()}
