"""Which examples stay in one split: similar texts, texts that hold others, documents, units.

Earlier versions bind: what they put into different splits stays there, and a new example that
would connect the two is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import SPLITS, Split
from pipeline.contracts.task import Task
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.splits.similar import Components, contained_pairs, near_pairs

BRIDGE: Final = "split.bridge@1"

Links = Mapping[str, Sequence[str]]
#: A member, or what it shares with others: (kind, key).
Node = tuple[str, str]


def groups(
    members: Sequence[Member], links: Links, *, task: str
) -> tuple[list[Group], dict[str, tuple[str, str]]]:
    """Return the groups of members by id, and (rule, reason) of those left out by id.

    `links` gives, by member id, keys that it shares with others: clusters of near-duplicates of its
    units, the item it was made from. Members are connected by these, by their documents, by near
    texts (near.py) and by texts that hold one another (contained.py), directly or through others.
    Where kept members of different splits are so connected, each split's are a group with the new
    members that reach only them; new members that reach those of several splits are left out.
    """
    kind = TASKS[task]
    whole: list[list[Member]] = []
    mixed: list[list[Member]] = []
    for one in _parts(members, links, kind):
        several = len({member.kept for member in one if member.kept}) > 1
        (mixed if several else whole).append(one)
    apart, left = _by_split(mixed, links, kind)
    return sorted(map(group, [*whole, *apart]), key=lambda one: one.id), left


def _parts(members: Iterable[Member], links: Links, task: Task) -> list[list[Member]]:
    ordered = sorted(members, key=lambda one: one.id)
    components: Components[Node] = Components()
    for pair in _edges(ordered, links, task):
        components.join(*pair)
    parts: dict[Node, list[Member]] = {}
    for one in ordered:
        parts.setdefault(components.find(_node(one)), []).append(one)
    return list(parts.values())


def _edges(members: Sequence[Member], links: Links, task: Task) -> Iterator[tuple[Node, Node]]:
    for one in members:
        yield from ((_node(one), ("link", key)) for key in links.get(one.id, ()))
        yield from ((_node(one), ("document", key)) for key in one.documents)
    wordings = [
        (one.id, text) for one in members for text in task.wordings(one.fields, one.label) if text
    ]
    more = [(one.id, one.fields.get(name)) for one in members for name in task.texts.near_only]
    near = [*wordings, *((name, text) for name, text in more if text)]
    for texts, connected in ((near, near_pairs), (wordings, contained_pairs)):
        pairs = connected([name for name, _ in texts], [text for _, text in texts])
        yield from ((("member", a), ("member", b)) for a, b in pairs)


def _node(one: Member) -> Node:
    return ("member", one.id)


def _by_split(
    mixed: Sequence[Sequence[Member]], links: Links, task: Task
) -> tuple[list[list[Member]], dict[str, tuple[str, str]]]:
    """Divide components that hold kept members of several splits; see `groups`.

    A new member reaches a split if it is connected with kept members of it, by way of new members
    and of those alone.
    """
    place = {one.id: n for n, part in enumerate(mixed) for one in part}
    members = [one for part in mixed for one in part]
    reached: dict[str, list[Split]] = {one.id: [] for one in members if not one.kept}
    for split in SPLITS:
        for part in _parts([one for one in members if one.kept in (None, split)], links, task):
            if any(one.kept for one in part):
                for one in part:
                    if not one.kept:
                        reached[one.id].append(split)
    apart: dict[tuple[int, Split], list[Member]] = {}
    left = {}
    for one in members:
        splits = [one.kept] if one.kept else reached[one.id]
        if len(splits) == 1:
            apart.setdefault((place[one.id], splits[0]), []).append(one)
        else:
            told = " and ".join(splits)
            left[one.id] = (BRIDGE, f"connects examples that an earlier version put into {told}")
    return list(apart.values()), left
