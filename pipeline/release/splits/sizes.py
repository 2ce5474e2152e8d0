"""Sizes in proportion, and filling splits with whole groups."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from pipeline.contracts.splits import Split
from pipeline.core.ids import draw
from pipeline.release.splits.member import Group

Key = TypeVar("Key", bound=str)


def apportion(shares: Mapping[Key, float], total: int) -> dict[Key, int]:
    """Return whole numbers in proportion to `shares` that add up to `total`, by largest remainders.

    Ties go by key. Shares that are all 0 give 0 each.
    """
    whole = sum(shares.values())
    if whole <= 0:
        return dict.fromkeys(shares, 0)
    exact = {key: share * total / whole for key, share in shares.items()}
    found = {key: int(value + 1e-9) for key, value in exact.items()}
    rest = sorted(exact, key=lambda key: (found[key] - exact[key], key))
    for key in rest[: total - sum(found.values())]:
        found[key] += 1
    return found


def keyed_order(
    groups: Iterable[Group], *, seed: int, purpose: str, lots: Callable[[Group], int] | None = None
) -> list[Group]:
    """Return groups in keyed order: each one's place depends on seed, purpose and its id alone.

    With `lots` a group has so many draws, at least one, and the smallest counts: its chance of an
    early place grows in proportion.
    """

    def place(one: Group) -> tuple[float, str]:
        more = (f"{one.id}/{lot}" for lot in range(1, lots(one) if lots else 1))
        return min(draw(seed, purpose, name) for name in (one.id, *more)), one.id

    return sorted(groups, key=place)


def take_fitting(groups: Sequence[Group], room: int) -> list[Group]:
    """Return the groups, in order, that fit into what room is left by those before them."""
    taken = []
    for one in groups:
        if len(one) <= room:
            taken.append(one)
            room -= len(one)
    return taken


def stratified(
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
    placed = {one.id: one.kept for one in groups if one.kept is not None}
    strata = {one.id: stratum(one) for one in groups}
    rest, *others = wanted
    for split in others:
        free = [one for one in groups if one.id not in placed]
        own = (lots or {}).get(split)
        order = keyed_order(free, seed=seed, purpose=f"{purpose}.{split}", lots=own)
        held = [one for one in groups if placed.get(one.id) == split]
        there, taken = _counts(groups, strata), _counts(held, strata)
        quotas = apportion(there, wanted[split])
        short = {key: max(0, quotas[key] - taken[key]) for key in there}
        lacks = apportion(short, max(0, wanted[split] - taken.total()))
        placed |= {one.id: split for one in _take(order, strata, lacks)}
    return {one.id: placed.get(one.id, rest) for one in groups}


def _counts(groups: Iterable[Group], strata: Mapping[str, str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in groups:
        found[strata[one.id]] += len(one)
    return found


def _take(
    order: Sequence[Group], strata: Mapping[str, str], lacks: Mapping[str, int]
) -> list[Group]:
    by_stratum = defaultdict(list)
    for one in order:
        by_stratum[strata[one.id]].append(one)
    taken = [one for key in sorted(by_stratum) for one in take_fitting(by_stratum[key], lacks[key])]
    known = {one.id for one in taken}
    room = sum(lacks.values()) - sum(map(len, taken))
    return taken + take_fitting([one for one in order if one.id not in known], room)
