"""Examples on their way into a split, the groups that stay together, and how these fill splits."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.contracts.splits import Split, apportion
from pipeline.core import schemas
from pipeline.core.ids import draw


@dataclass(frozen=True)
class Member:
    """One gold example: what a rule may look at.

    `fields` and `label` are plain data in the forms of the task; `style` is formal or colloquial
    (None where the source is not known); `date` is YYYY-MM-DD. `kept` is the split that an earlier
    version gave it. `distance` is a score of an earlier stage, by
    which the task's rule chooses.
    """

    id: str
    source: str
    fields: Mapping[str, Any]
    label: Any
    sampler: str | None = None
    style: str | None = None
    date: str | None = None
    documents: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    distance: float | None = None
    agreement: float | None = None
    simulated: bool = False
    kept: Split | None = None


@dataclass(frozen=True)
class Group:
    """Members that never part, by id: near-duplicates, and what shares a document.

    `id` is the smallest id of a member. All members that have a `kept` have the same one.
    """

    id: str
    members: tuple[Member, ...]

    @property
    def source(self) -> str:
        """Return the source that most of its members have, the first by name of several."""
        counts = Counter(member.source for member in self.members)
        return min(counts, key=lambda name: (-counts[name], name))

    @property
    def kept(self) -> Split | None:
        """Return the split that an earlier version gave it, if it is not new."""
        return next((member.kept for member in self.members if member.kept is not None), None)

    def __len__(self) -> int:
        """Return how many members it has."""
        return len(self.members)


def group(members: Sequence[Member]) -> Group:
    """Return the group of these members."""
    ordered = tuple(sorted(members, key=lambda member: member.id))
    return Group(ordered[0].id, ordered)


def entity_form(word: str) -> str:
    """Return a word as entities are compared: NFKC, casefolded, without blanks.

    `FC 서울` and `fc서울` are one form; so a promise about forms holds for words as written, too.
    """
    folded = unicodedata.normalize("NFKC", word).casefold()
    return "".join(unicodedata.normalize("NFKC", folded).split())


def order_by_key(
    groups: Iterable[Group], *, seed: int, purpose: str, lots: Callable[[Group], int] | None = None
) -> list[Group]:
    """Return groups in keyed order: each one's place depends on seed, purpose and its id alone.

    With `lots` a group has so many draws, at least one, and the smallest counts: its chance of an
    early place grows in proportion.
    """

    def place(group_: Group) -> tuple[float, str]:
        more = (f"{group_.id}/{lot}" for lot in range(1, lots(group_) if lots else 1))
        return min(draw(seed, purpose, name) for name in (group_.id, *more)), group_.id

    return sorted(groups, key=place)


def take_fitting(groups: Sequence[Group], room: int) -> list[Group]:
    """Return the groups, in order, that fit into what room is left by those before them."""
    fitting = []
    for group_ in groups:
        if len(group_) <= room:
            fitting.append(group_)
            room -= len(group_)
    return fitting


def stratify(
    groups: Sequence[Group],
    wanted: Mapping[Split, int],
    stratum: Callable[[Group], str],
    *,
    seed: int,
    purpose: str,
    lots: Mapping[Split, Callable[[Group], int]] | None = None,
) -> dict[str, Split]:
    """Return the split of each group by its id, every stratum in the share that it has of them all.

    The first split of `wanted` takes what the others leave. Each other draws whole groups of every
    stratum in keyed order (with `lots` if it has any), then fills what room is left with any. Kept
    groups stay, and count.
    """
    placed = {group_.id: group_.kept for group_ in groups if group_.kept is not None}
    strata = {group_.id: stratum(group_) for group_ in groups}
    rest, *others = wanted
    for split in others:
        free = [group_ for group_ in groups if group_.id not in placed]
        lots_of_split = (lots or {}).get(split)
        order = order_by_key(free, seed=seed, purpose=f"{purpose}.{split}", lots=lots_of_split)
        placed_here = [group_ for group_ in groups if placed.get(group_.id) == split]
        total, present = _counts(groups, strata), _counts(placed_here, strata)
        quotas = apportion(total, wanted[split])
        short = {key: max(0, quotas[key] - present[key]) for key in total}
        lacks = apportion(short, max(0, wanted[split] - present.total()))
        placed |= {group_.id: split for group_ in _take(order, strata, lacks)}
    return {group_.id: placed.get(group_.id, rest) for group_ in groups}


def _counts(groups: Iterable[Group], strata: Mapping[str, str]) -> Counter[str]:
    return Counter(strata[group_.id] for group_ in groups for _ in group_.members)


def _take(
    order: Sequence[Group], strata: Mapping[str, str], lacks: Mapping[str, int]
) -> list[Group]:
    by_stratum = schemas.group((strata[group_.id], group_) for group_ in order)
    fitting = [
        group_ for key in sorted(by_stratum) for group_ in take_fitting(by_stratum[key], lacks[key])
    ]
    known = {group_.id for group_ in fitting}
    room = sum(lacks.values()) - sum(map(len, fitting))
    return fitting + take_fitting([group_ for group_ in order if group_.id not in known], room)
