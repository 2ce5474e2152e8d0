"""Labelled items of files -> train, dev and test: what `klue split` does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.votes import load_items, task_and_spec
from flows.plan.release import SCORINGS
from flows.view.console import console, emit_json, say
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.contracts.task import Task
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.corpus.catalogue import load_catalogue
from pipeline.release.leakage.check import check
from pipeline.release.splits.member import Member
from pipeline.release.splits.splitting import split_pool, split_tables

_FILES: Final = ("examples", "constraints", "leaks", "overlaps", "ledger")


@dataclass(frozen=True)
class Splitting:
    """What `klue split` was asked for."""

    files: tuple[Path, ...]
    task: str
    source: str = "items"
    out: Path | None = None
    seed: int = 0
    force: bool = False
    specs: Path | None = None


def split(request: Splitting, *, as_json: bool) -> None:
    """Split the items of all files together; print constraints and leaks, and write the tables."""
    task, spec = task_and_spec(request.task, request.specs)
    _check_out(request)
    items = _items(request, task)
    members = _members(items, task, spec, seed=request.seed)
    groups, assignment = split_pool(members, {}, spec, seed=request.seed)
    tables = split_tables(task.id, members, groups, assignment)
    leaked = check(tables["examples"], task=task.id)
    tables |= {"leaks": leaked.leaks, "overlaps": leaked.overlaps}
    record = _record(request, spec, items.num_rows, tables)
    if request.out is not None:
        request.out.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            store.write_parquet(request.out / f"{name}.parquet", tables[name])
    if as_json:
        emit_json(record)
    else:
        _show(record, request.out)


def _check_out(request: Splitting) -> None:
    out = request.out
    if out is not None and out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: is a file; give a folder, it may be new")
    there = [n for n in _FILES if out is not None and (out / f"{n}.parquet").exists()]
    if there and not request.force:
        raise InputError(f"--out {out}: holds {there[0]}.parquet already; use --force")


def _items(request: Splitting, task: Task) -> pa.Table:
    """Return the items of all files by id; raises InputError for an id that stands twice."""
    tables = [load_items(path, task, source=request.source) for path in request.files]
    items = pa.concat_tables(tables).sort_by("item")
    names = items["item"].to_pylist()
    twice = next((a for a, b in pairwise(names) if a == b), None)
    if twice is not None:
        raise InputError(f"item {twice} stands in the files twice; give each file once")
    return items


def _members(items: pa.Table, task: Task, spec: TaskSpec, *, seed: int) -> list[Member]:
    """Return the labelled items; those without gold are told and left out."""
    styles = {name: one.style for name, one in load_catalogue().sources.items()}
    rows = [row for row in items.to_pylist() if row["gold"] is not None]
    if len(rows) < items.num_rows:
        say(f"{items.num_rows - len(rows):,} items have no gold and are left out")
    members = [_member(row, styles) for row in rows]
    if not members:
        raise InputError("no item has gold, so there is nothing to split; give labelled items")
    if task.id not in SCORINGS:
        return members
    far = SCORINGS[task.id].distances(
        [one.fields for one in members],
        [one.label for one in members],
        spec,
        seed=seed,
        tell=say,
    )
    return [replace(one, distance=d) for one, d in zip(members, far, strict=True)]


def _member(row: dict[str, Any], styles: Mapping[str, str]) -> Member:
    meta = parsed(row["meta"]) if row["meta"] else {}
    date = meta.get("date")
    return Member(
        id=row["item"],
        source=row["source"] or "unknown",
        fields=parsed(row["fields"]),
        label=parsed(row["gold"]),
        sampler=row["sampler"],
        style=styles.get(row["source"] or ""),
        date=date[:10].replace(".", "-") if isinstance(date, str) else None,
        meta=meta,
    )


def _record(
    request: Splitting, spec: TaskSpec, items: int, tables: dict[str, pa.Table]
) -> dict[str, Any]:
    splits = tables["examples"]["split"].to_pylist()
    leaks = tables["leaks"].to_pylist()
    return {
        "task": spec.task,
        "spec": spec.name,
        "seed": request.seed,
        "items": items,
        "splits": {split: splits.count(split) for split in SPLITS},
        "left_out": tables["ledger"].num_rows,
        "constraints": tables["constraints"].to_pylist(),
        "leaks": sum(row["stops"] for row in leaks),
        "out": str(request.out) if request.out is not None else None,
    }


def _show(record: dict[str, Any], out: Path | None) -> None:
    from rich.table import Table

    shown = console()
    sizes = ", ".join(f"{n:,} {split}" for split, n in record["splits"].items())
    shown.print(f"{record['items']:,} items of {record['spec']}: {sizes}", soft_wrap=True)
    table = Table(title="What the split promises", title_justify="left")
    for heading in ("constraint", "split", "wanted", "found", "holds", "remark"):
        table.add_column(heading, justify="right" if heading in ("wanted", "found") else "left")
    for row in record["constraints"]:
        holds = "yes" if row["met"] else ("no, it binds" if row["binds"] else "no")
        numbers = (f"{row[name]:,.6g}" for name in ("wanted", "found"))
        table.add_row(row["name"], row["split"] or "all", *numbers, holds, row["detail"])
    shown.print(table)
    shown.print(f"left out: {record['left_out']:,}; leaks that stop a release: {record['leaks']:,}")
    if out is not None:
        say(f"written: {', '.join(f'{out}/{name}.parquet' for name in _FILES)}")
