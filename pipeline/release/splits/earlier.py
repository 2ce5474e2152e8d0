"""What earlier versions of a release had in dev and test, and what is new but too like it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.release.reading import read_split
from pipeline.release.splits.chosen import Chosen
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.tables import examples_of

#: A new example that is like one that dev or test of an earlier version had and this pool lacks.
LIKE: Final = "split.earlier@1"
_EVALUATED: Final[tuple[Split, ...]] = ("dev", "test")


def gone(
    versions: Sequence[Path], task: str, kept: Mapping[str, Split], here: Iterable[str]
) -> list[Member]:
    """Return what dev and test of earlier versions had and the pool has no more, by id.

    `versions` are release folders, the newest one last; of an example in several the newest tells.
    Texts and source alone are known of it. Raises StoreError for a release that is not sound.
    """
    absent = {name for name, split in kept.items() if split in _EVALUATED} - set(here)
    found: dict[str, Member] = {}
    for folder in versions if absent else ():
        for split in _EVALUATED:
            for one in examples_of(read_split(folder, task, split), task):
                if one.id in absent:
                    found[one.id] = Member(
                        one.id, one.source, one.fields, one.label, kept=kept[one.id]
                    )
    return [found[name] for name in sorted(found)]


def without(whole: Sequence[Group], absent: Sequence[Member], chosen: Chosen) -> list[Group]:
    """Return groups without absent members; new members of a group that had one are left out.

    What was looked at in an earlier test may have been seen by models since: a new version of it
    under another id must come neither into train nor into another split.
    """
    names = {one.id for one in absent}
    stay: list[Group] = []
    for one in whole:
        here = [member for member in one.members if member.id not in names]
        if len(here) == len(one.members):
            stay.append(one)
            continue
        known = [member for member in here if member.kept is not None]
        new = [member for member in here if member.kept is None]
        chosen.leave(new, LIKE, "like an example of dev or test in an earlier version")
        stay += [group(known)] if known else []
    return stay
