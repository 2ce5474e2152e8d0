"""The gold examples of a task, with what split rules look at and what connects them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.splits import Split
from pipeline.core import store
from pipeline.core.jsontext import parsed
from pipeline.release.splits.member import Member


@dataclass(frozen=True)
class Folders:
    """Where the tables are: items, gold, candidates (drawn), and dedup and distances if any."""

    items: Path
    gold: Path
    candidates: Path
    dedup: Path | None = None
    distances: Path | None = None


def read_pool(
    folders: Folders, *, styles: Mapping[str, str], kept: Mapping[str, Split]
) -> tuple[list[Member], dict[str, list[str]]]:
    """Read the gold examples of a task, and for each the keys that connect it with others.

    `styles` are those of the sources, `kept` the splits of an earlier version by id. Connected are
    examples of one unit, of near-duplicate units, and those that were made from one item.
    """
    gold = store.read_all(folders.gold, "gold")
    gold = gold.filter(pc.equal(gold["status"], "gold"))
    items = {row["item"]: row for row in store.read_all(folders.items, "items").to_pylist()}
    drawn: dict[str, list[str]] = {}
    for name, unit in _rows(folders.candidates, "drawn", "item", "unit"):
        drawn.setdefault(name, []).append(unit)
    places = _places(folders.dedup, {unit for units in drawn.values() for unit in units})
    distances = dict(_rows(folders.distances, "distances", "item", "distance"))
    metas = _rows(folders.candidates, "items", "item", "meta")
    evidence = {name: parsed(meta) for name, meta in metas if meta}
    members: list[Member] = []
    links: dict[str, list[str]] = {}
    for row in gold.to_pylist():
        item = items[row["item"]]
        own = parsed(item["meta"]) if item["meta"] else {}
        origin = own.get("origin", item["item"])  # the item that it was made from
        meta = {**evidence.get(origin, {}), **own}
        units = drawn.get(origin, [])
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
                kept=kept.get(item["item"]),
            )
        )
        clusters = [places[unit][1] for unit in units if unit in places]
        links[item["item"]] = sorted({origin, *units, *clusters})
    return members, links


def _rows(folder: Path | None, table: str, *columns: str) -> Iterator[tuple[Any, ...]]:
    if folder is not None:
        read = store.read_all(folder, table)
        yield from zip(*(read.column(name).to_pylist() for name in columns), strict=True)


def _places(folder: Path | None, units: set[str]) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    wanted = pa.array(sorted(units), pa.string())
    for path in store.tables(folder, "kept") if folder is not None else []:
        table = store.read_table(path, "kept")
        own = table.filter(pc.is_in(table["id"], value_set=wanted))
        columns = (own.column(name).to_pylist() for name in ("id", "document", "cluster"))
        found.update((unit, (doc, cluster)) for unit, doc, cluster in zip(*columns, strict=True))
    return found


def _day(date: Any) -> str | None:
    """Return the day of a date as sources give it, such as 2020-12-16 or 2020-12-16T09:00."""
    return date[:10] if isinstance(date, str) and len(date) >= len("2020-12-16") else None
