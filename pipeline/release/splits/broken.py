"""Leaving out what no longer meets a promise of the split that an earlier version gave it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pipeline.release.splits.chosen import Chosen
from pipeline.release.splits.member import Group, Member, group


def without(
    groups: Iterable[Group],
    chosen: Chosen,
    breaks: Callable[[Group, Member], bool],
    *,
    rule: str,
    reason: str,
) -> list[Group]:
    """Leave out the members that break a promise; return the groups of the others.

    Where all members go that an earlier version placed, the new ones of their group go with them:
    they are too like them to be placed anew.
    """
    found = []
    for one in groups:
        stay = [each for each in one.members if not breaks(one, each)]
        if one.kept is not None and all(each.kept is None for each in stay):
            stay = []
        names = {each.id for each in stay}
        chosen.leave((each for each in one.members if each.id not in names), rule, reason)
        if stay:
            found.append(group(stay))
    return found
