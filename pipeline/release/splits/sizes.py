"""Sizes in proportion, and filling a split with whole groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from pipeline.core.ids import draw
from pipeline.release.splits.member import Group

Key = TypeVar("Key", bound=str)


def apportioned(shares: Mapping[Key, float], total: int) -> dict[Key, int]:
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


def keyed(groups: Iterable[Group], *, seed: int, purpose: str) -> list[Group]:
    """Return groups in keyed order: each one's place depends on seed, purpose and its id alone."""
    return sorted(groups, key=lambda one: (draw(seed, purpose, one.id), one.id))


def fitting(groups: Sequence[Group], room: int) -> list[Group]:
    """Return the groups, in order, that fit into what room is left by those before them."""
    taken = []
    for one in groups:
        if len(one) <= room:
            taken.append(one)
            room -= len(one)
    return taken
