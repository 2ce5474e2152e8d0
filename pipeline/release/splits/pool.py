"""The gold examples of a task, with what split rules look at and what ties them together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.splits import Split
from pipeline.core import store
from pipeline.core.jsontext import parsed
from pipeline.release.splits.member import Member

#: The key of an item's `meta` that names the item it was made from (a pair: its premise).
_ORIGIN: Final = "origin"


@dataclass(frozen=True)
class Folders:
    """Where the tables are: items, gold, candidates (drawn), and dedup and distances if any."""

    items: Path
    gold: Path
    candidates: Path
    dedup: Path | None = None
    distances: Path | None = None


@dataclass(frozen=True)
class Pool:
    """The members, and for each the keys that it shares with those it may not be parted from."""

    members: list[Member]
    links: dict[str, list[str]] = field(default_factory=dict)


def pool(folders: Folders, *, styles: Mapping[str, str], kept: Mapping[str, Split]) -> Pool:
    """Read the gold examples of a task.

    `styles` are those of the sources, `kept` the splits of an earlier version by id. Linked are
    examples of one unit, of near-duplicate units, of one document, and pairs of one premise.
    """
    gold = store.read_all(folders.gold, "gold")
    gold = gold.filter(pc.equal(gold["status"], "gold"))
    items = {row["item"]: row for row in store.read_all(folders.items, "items").to_pylist()}
    drawn = _drawn(folders.candidates)
    places = _places(folders.dedup, {unit for units in drawn.values() for unit in units})
    far = _distances(folders.distances)
    evidence = _evidence(folders.candidates)
    found = Pool([])
    for row in gold.to_pylist():
        item = items[row["item"]]
        meta = parsed(item["meta"]) if item["meta"] else {}
        origin = meta.get(_ORIGIN, item["item"])
        told = {**evidence.get(origin, {}), **meta}
        units = drawn.get(origin, [])
        documents = {places[unit][0] for unit in units if unit in places}
        documents |= {told["document"]} if isinstance(told.get("document"), str) else set()
        clusters = [places[unit][1] for unit in units if unit in places]
        found.members.append(
            Member(
                id=item["item"],
                source=item["source"] or "unknown",
                fields=parsed(item["fields"]),
                label=parsed(row["label"]),
                sampler=item["sampler"],
                style=styles.get(item["source"] or ""),
                date=_day(told.get("date")),
                documents=tuple(sorted(documents)),
                meta=told,
                distance=far.get(item["item"]),
                agreement=row["agreement"],
                simulated=row["simulated"],
                kept=kept.get(item["item"]),
            )
        )
        found.links[item["item"]] = sorted({origin, *units, *clusters})
    return found


def _drawn(folder: Path) -> dict[str, list[str]]:
    """Return the units of each candidate."""
    found: dict[str, list[str]] = {}
    table = store.read_all(folder, "drawn")
    columns = (table.column(name).to_pylist() for name in ("item", "unit"))
    for item, unit in zip(*columns, strict=True):
        found.setdefault(item, []).append(unit)
    return found


def _evidence(folder: Path) -> dict[str, dict[str, Any]]:
    table = store.read_all(folder, "items")
    columns = (table.column(name).to_pylist() for name in ("item", "meta"))
    return {item: parsed(meta) for item, meta in zip(*columns, strict=True) if meta}


def _places(folder: Path | None, units: set[str]) -> dict[str, tuple[str, str]]:
    """Return the document and the cluster of each of these units, file by file."""
    found: dict[str, tuple[str, str]] = {}
    wanted = pa.array(sorted(units), pa.string())
    for table in _kept(folder):
        own = table.filter(pc.is_in(table["id"], value_set=wanted))
        columns = (own.column(name).to_pylist() for name in ("id", "document", "cluster"))
        found.update((unit, (doc, cluster)) for unit, doc, cluster in zip(*columns, strict=True))
    return found


def _kept(folder: Path | None) -> Iterator[pa.Table]:
    for path in store.tables(folder, "kept") if folder is not None else []:
        yield store.read_table(path, "kept")


def _distances(folder: Path | None) -> dict[str, float]:
    if folder is None:
        return {}
    table = store.read_all(folder, "distances")
    return dict(zip(table["item"].to_pylist(), table["distance"].to_pylist(), strict=True))


def _day(given: Any) -> str | None:
    """Return the day of a date as sources give it, such as 2020-12-16 or 2020-12-16T09:00."""
    return given[:10] if isinstance(given, str) and len(given) >= len("2020-12-16") else None
