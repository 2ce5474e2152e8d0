"""The gold examples of a task, and which of them stay in one split.

Connected are similar texts, texts that hold others, and what shares a document or a unit. Earlier
versions bind: what they put into different splits stays there, and a new example that would connect
the two is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from scipy.cluster.hierarchy import DisjointSet

from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import SPLITS, Split
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.jsontext import parsed
from pipeline.release.soft_labels import SOFT_LABEL, soft_value
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.splits.similar import containment_pairs, near_pairs

BRIDGE: Final = "split.bridge@1"

Links = Mapping[str, Sequence[str]]
#: A member, or what it shares with others: (kind, key).
Node = tuple[str, str]


def read_pool(
    folders: Mapping[str, Path],
    *,
    styles: Mapping[str, str],
    splits: Mapping[str, Split],
    labels: Sequence[str] = (),
) -> tuple[list[Member], dict[str, list[str]]]:
    """Read the gold examples of a task, and for each the keys that connect it with others.

    `folders` hold items, gold and candidates (drawn), and dedup and distances if there are any.
    `styles` are those of the sources, `splits` those of an earlier version by id, `labels` those of
    soft labels in their order; a member has its soft label in its meta. Connected are
    examples of one unit, of near-duplicate units, and those that were made from one item.
    """
    gold = store.read_all(folders["gold"], "gold")
    gold = gold.filter(pc.equal(gold["status"], "gold"))
    items = {row["item"]: row for row in store.read_all(folders["items"], "items").to_pylist()}
    units_by_candidate: dict[str, list[str]] = schemas.group(
        _rows(folders["candidates"], "drawn", "item", "unit")
    )
    places = _places(
        folders.get("dedup"), {unit for units in units_by_candidate.values() for unit in units}
    )
    distances = dict(_rows(folders.get("distances"), "distances", "item", "distance"))
    metas = _rows(folders["candidates"], "items", "item", "meta")
    evidence = {name: parsed(meta) for name, meta in metas if meta}
    members: list[Member] = []
    links: dict[str, list[str]] = {}
    for row in gold.to_pylist():
        item = items[row["item"]]
        meta_of_item = parsed(item["meta"]) if item["meta"] else {}
        origin = meta_of_item.get("origin", item["item"])  # the item that it was made from
        meta = {**evidence.get(origin, {}), **meta_of_item}
        if row["soft_label"] is not None:
            meta[SOFT_LABEL] = soft_value(parsed(row["soft_label"]), labels)
        units = units_by_candidate.get(origin, [])
        documents = {places[unit][0] for unit in units if unit in places}
        documents |= {meta["document"]} if isinstance(meta.get("document"), str) else set()
        members.append(
            Member(
                id=item["item"],
                source=item["source"] or "unknown",
                fields=parsed(item["fields"]),
                label=parsed(row["label"]),
                sampler=item["sampler"],
                style=styles.get(item["source"] or ""),
                date=_day(meta.get("date")),
                documents=tuple(sorted(documents)),
                meta=meta,
                distance=distances.get(item["item"]),
                agreement=row["agreement"],
                simulated=row["simulated"],
                kept=splits.get(item["item"]),
            )
        )
        clusters = [places[unit][1] for unit in units if unit in places]
        links[item["item"]] = sorted({origin, *units, *clusters})
    return members, links


def _rows(folder: Path | None, table: str, *columns: str) -> Iterator[tuple[Any, ...]]:
    if folder is not None:
        yield from schemas.rows(store.read_all(folder, table), *columns)


def _places(folder: Path | None, units: set[str]) -> dict[str, tuple[str, str]]:
    origins: dict[str, tuple[str, str]] = {}
    wanted = pa.array(sorted(units), pa.string())
    for path in store.tables(folder, "kept") if folder is not None else []:
        table = store.read_table(path, "kept")
        rows_of_units = table.filter(pc.is_in(table["id"], value_set=wanted))
        rows = schemas.rows(rows_of_units, "id", "document", "cluster")
        origins.update((unit, (document, cluster)) for unit, document, cluster in rows)
    return origins


def _day(date: Any) -> str | None:
    """Return the day of a date as sources give it, such as 2020-12-16 or 2020-12-16T09:00."""
    return date[:10] if isinstance(date, str) and len(date) >= len("2020-12-16") else None


def groups(
    members: Sequence[Member], links: Links, *, task: str
) -> tuple[list[Group], dict[str, tuple[str, str]]]:
    """Return the groups of members by id, and (rule, reason) of those left out by id.

    `links` gives, by member id, keys that it shares with others: clusters of near-duplicates of its
    units, the item it was made from. Members are connected by these, by their documents, by near
    texts and by texts that hold one another (similar.py), directly or through others.
    Where kept members of different splits are so connected, each split's are a group with the new
    members that reach only them; new members that reach those of several splits are left out.
    """
    kind = TASKS[task]
    whole: list[list[Member]] = []
    mixed: list[list[Member]] = []
    for part in _parts(members, links, kind):
        several = len({member.kept for member in part if member.kept}) > 1
        (mixed if several else whole).append(part)
    apart, left = _by_split(mixed, links, kind)
    return sorted(map(group, [*whole, *apart]), key=lambda component: component.id), left


def _parts(members: Iterable[Member], links: Links, task: Task) -> list[list[Member]]:
    ordered = sorted(members, key=lambda member: member.id)
    connected = DisjointSet(map(_node, ordered))
    for member, other in _edges(ordered, links, task):
        connected.add(other)
        connected.merge(member, other)
    return list(schemas.group((connected[_node(member)], member) for member in ordered).values())


def _edges(members: Sequence[Member], links: Links, task: Task) -> Iterator[tuple[Node, Node]]:
    for member in members:
        yield from ((_node(member), ("link", key)) for key in links.get(member.id, ()))
        yield from ((_node(member), ("document", key)) for key in member.documents)
    wordings = [
        (member.id, text)
        for member in members
        for text in task.wordings(member.fields, member.label)
        if text
    ]
    more = [
        (member.id, member.fields.get(name)) for member in members for name in task.texts.near_only
    ]
    near = [*wordings, *((name, text) for name, text in more if text)]
    for texts, connected in ((near, near_pairs), (wordings, containment_pairs)):
        pairs = connected([name for name, _ in texts], [text for _, text in texts])
        yield from ((("member", a), ("member", b)) for a, b in pairs)


def _node(member: Member) -> Node:
    return ("member", member.id)


def _by_split(
    mixed: Sequence[Sequence[Member]], links: Links, task: Task
) -> tuple[list[list[Member]], dict[str, tuple[str, str]]]:
    """Divide components that hold kept members of several splits; see `groups`.

    A new member reaches a split if it is connected with kept members of it, by way of new members
    and of those alone.
    """
    place = {member.id: n for n, part in enumerate(mixed) for member in part}
    members = [member for part in mixed for member in part]
    reached: dict[str, list[Split]] = {member.id: [] for member in members if not member.kept}
    for split in SPLITS:
        for part in _parts(
            [member for member in members if member.kept in (None, split)], links, task
        ):
            if any(member.kept for member in part):
                for example in part:
                    if not example.kept:
                        reached[example.id].append(split)
    apart: dict[tuple[int, Split], list[Member]] = {}
    left = {}
    for example in members:
        splits = [example.kept] if example.kept else reached[example.id]
        if len(splits) == 1:
            apart.setdefault((place[example.id], splits[0]), []).append(example)
        else:
            names = " and ".join(splits)
            left[example.id] = (
                BRIDGE,
                f"connects examples that an earlier version put into {names}",
            )
    return list(apart.values()), left
