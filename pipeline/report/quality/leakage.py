"""What splits share, with each other and with files that the user named."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import Any, Final

import pyarrow as pa

from pipeline.report.record import Chart, Column, Section, Series, Table

#: So many leaks are listed one by one, the gravest first.
LISTED: Final = 200
_HIDDEN: Final = "(a test example)"
_TEXT: Final = "text"
_KINDS: Final = {
    "exact": "equal texts",
    "near": "nearly equal texts",
    "contained": "one text within the other",
    "document": "the same document",
    "entity": "the same entity",
}


def leakage_section(task: str, leaks: pa.Table, overlaps: pa.Table) -> Section:
    """Return the leaks (LEAKS) and n-gram overlaps (OVERLAPS) of a task.

    Ids of test examples are not shown: what they are like would tell their answers. Files are
    named without their folders.
    """
    rows, shared = leaks.to_pylist(), overlaps.to_pylist()
    tables = [_counts(task, rows), _listed(task, rows), _overlaps(task, shared)]
    return Section(
        id=f"leakage-{task}",
        title=f"Leakage, {task.upper()}",
        lead=_lead(rows, shared),
        tables=[table for table in tables if table.rows],
        charts=[_chart(task, shared)] if shared else [],
    )


def _lead(rows: list[dict[str, Any]], shared: list[dict[str, Any]]) -> str:
    stops = sum(row["stops"] for row in rows)
    if stops:
        told = f"{stops:,} leak{'s stop' if stops > 1 else ' stops'} the release"
        others = len(rows) - stops
        return f"{told}; {others:,} more do not." if others else f"{told}."
    if rows:
        return f"No leak stops the release; {len(rows):,} lesser ones are listed."
    if shared:
        return "No example was found in another split or in a file that was checked against."
    return "Nothing was compared: fewer than two splits, and no file to check against."


def _counts(task: str, rows: list[dict[str, Any]]) -> Table:
    found = Counter((not row["stops"], row["kind"], row["left_split"], _other(row)) for row in rows)
    return Table(
        id=f"leakage-{task}-counts",
        title="Leaks by kind",
        columns=[
            *(Column(name, _TEXT) for name in ("kind", "of", "and", "stops the release")),
            Column("leaks"),
        ],
        rows=[
            [_KINDS.get(kind, kind), left, right, "no" if passes else "yes", n]
            for (passes, kind, left, right), n in sorted(found.items())
        ],
    )


def _listed(task: str, rows: list[dict[str, Any]]) -> Table:
    ranked = sorted(
        rows, key=lambda row: (not row["stops"], -row["score"], row["left"], row["right"])
    )
    note = f"The first {LISTED} of {len(rows):,}." if len(rows) > LISTED else ""
    return Table(
        id=f"leakage-{task}-pairs",
        title="Leaks, those that stop the release first",
        columns=[
            *(Column(name, _TEXT) for name in ("kind", "example", "split", "is like", "in")),
            *(Column("line"), Column("alike", "three"), Column("stops", _TEXT)),
        ],
        rows=[
            [
                _KINDS.get(row["kind"], row["kind"]),
                *(_shown(row["left"], row["left_split"]), row["left_split"]),
                *(_shown(row["right"], row["right_split"]), _other(row)),
                *(row["line"], row["score"], "yes" if row["stops"] else "no"),
            ]
            for row in ranked[:LISTED]
        ],
        note=note,
        long=True,
    )


def _shown(name: str, split: str | None) -> str:
    return _HIDDEN if split == "test" else name


def _other(row: dict[str, Any]) -> str:
    return str(row["right_split"]) if row["right_split"] else _file(row["file"] or "a file")


def _file(name: str) -> str:
    """Return a file's own name; a split's stays as it is."""
    return PurePath(name).name or name


def _overlaps(task: str, shared: list[dict[str, Any]]) -> Table:
    return Table(
        id=f"leakage-{task}-overlaps",
        title="Shared n-grams of words",
        columns=[
            *(Column("examples of", _TEXT), Column("looked for in", _TEXT), Column("n")),
            *(Column("examples"), Column("sharing one"), Column("sharing one", "share")),
            Column("mean share of n-grams", "share"),
        ],
        rows=[
            [
                *(row["left_split"], _file(row["right"]), row["n"], row["examples"]),
                *(row["sharing"], _share(row), row["mean"]),
            ]
            for row in shared
        ],
        note="Sharing one: examples with at least one run of n words that occurs there too. Common"
        " phrases do; long runs should be rare.",
        long=True,
    )


def _share(row: dict[str, Any]) -> float | None:
    return round(row["sharing"] / row["examples"], 6) if row["examples"] else None


def _chart(task: str, shared: list[dict[str, Any]]) -> Chart:
    sizes = sorted({row["n"] for row in shared})
    series = []
    for n in sizes:
        own = [row for row in shared if row["n"] == n]
        names = [f"{row['left_split']} in {_file(row['right'])}" for row in own]
        series.append(Series(f"{n} words", names, [_share(row) for row in own]))
    return Chart(
        id=f"leakage-{task}-overlaps",
        title="Examples that share a run of words",
        kind="bars",
        x="split, and where it was looked for",
        y="share of examples",
        series=series,
    )
