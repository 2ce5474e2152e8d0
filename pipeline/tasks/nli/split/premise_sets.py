"""Sets of pairs on one premise, and which of them give least away (NLI)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from pipeline.core.errors import InputError
from pipeline.release.splits.member import Member
from pipeline.tasks.nli.spec import SetNumbers

DECIMALS: Final = 6
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
    found: dict[str, list[Member]] = {}
    for one in sorted(members, key=lambda one: one.id):
        found.setdefault(one.meta.get("origin") or one.fields["premise"], []).append(one)
    return [_set(one, numbers) for one in found.values()]


def _set(members: Sequence[Member], numbers: SetNumbers) -> PremiseSet:
    distances = [one.distance for one in members if one.distance is not None]
    complete = (
        len(members) == numbers.set_size
        and len({one.label for one in members}) == numbers.distinct_golds
        and len({one.source for one in members}) == 1
    )
    mean = round(fsum(distances) / len(members), DECIMALS)
    return PremiseSet(members[0].id, tuple(members), mean, complete)


def require_distances(members: Sequence[Member]) -> None:
    """Raise InputError when a pair has no distance of hypothesis-only scoring."""
    without = sorted(one.id for one in members if one.distance is None)
    if without:
        raise InputError(
            f"nli: {len(without):,} of {len(members):,} pairs, the first {without[0]}, have no"
            " distance of hypothesis-only scoring, which decides what dev and test may take;"
            " score all pairs (`klue hypothesis-only`) before they are split"
        )


def premises(members: Iterable[Member], numbers: SetNumbers) -> Counter[str]:
    """Return by source on how many premises it has pairs, whether their sets are complete or not.

    A premise of several sources counts for each.
    """
    found: Counter[str] = Counter()
    for one in premise_sets(members, numbers):
        found.update({member.source for member in one.members})
    return found


def lowest(
    sets: Iterable[PremiseSet], premises: Mapping[str, int], share: float
) -> dict[str, list[PremiseSet]]:
    """Return by source its complete sets with the lowest distances; ties go by id.

    They are as many as the `share` of all its `premises`, rounded down: of all, as only so the
    pairs that the paper takes fit its own counts. AIRBNB has 2,008 sets; dev and test take 400 of
    them, and a fifth of all is 401.
    """
    sources: dict[str, list[PremiseSet]] = {}
    for one in sorted(sets, key=lambda one: (one.distance, one.id)):
        if one.complete:
            sources.setdefault(one.source, []).append(one)
    return {
        name: one[: int(premises[name] * share + _SLACK)] for name, one in sorted(sources.items())
    }
