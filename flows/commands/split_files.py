"""Labelled items of files -> train, dev and test: what `klue split` does."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.outputs import check_folder
from flows.commands.votes import gold_set, load_items, task_and_spec
from flows.plan.release import SCORINGS
from flows.view.console import Result, print_line, print_table, say
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.contracts.task import Task, answer_form, mask
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count
from pipeline.corpus.catalogue import load_catalogue
from pipeline.release.leakage.check import check
from pipeline.release.splits.member import Member
from pipeline.release.splits.splitting import split_pool, split_tables

_FILES: Final = ("examples", "constraints", "leaks", "overlaps", "ledger")


def split(
    files: tuple[Path, ...],
    task: str,
    *,
    source: str = "items",
    out: Path | None = None,
    seed: int = 0,
    force: bool = False,
    specs: Path | None = None,
) -> Result:
    """Split the items of all files together; write the tables if asked."""
    known, spec = task_and_spec(task, specs)
    check_folder("--out", out, (f"{name}.parquet" for name in _FILES), force=force)
    items = _items(files, source, known)
    members = _members(items, known, spec, seed=seed)
    groups, assignment = split_pool(members, {}, spec, seed=seed)
    tables = split_tables(known.id, members, groups, assignment)
    leaked = check(tables["examples"], task=known.id)
    tables |= {"leaks": leaked["leaks"], "overlaps": leaked["overlaps"]}
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            store.write_parquet(out / f"{name}.parquet", tables[name])
    splits = tables["examples"]["split"].to_pylist()
    record = {
        "task": spec.task,
        "spec": spec.name,
        "seed": seed,
        "items": items.num_rows,
        "splits": {split: splits.count(split) for split in SPLITS},
        "left_out": tables["ledger"].num_rows,
        "constraints": tables["constraints"].to_pylist(),
        "leaks": sum(leaked["leaks"]["stops"].to_pylist()),
        "out": str(out) if out is not None else None,
    }
    return record, _show


def _items(files: tuple[Path, ...], source: str, task: Task) -> pa.Table:
    tables = [load_items(path, task, source=source) for path in files]
    items = pa.concat_tables(tables).sort_by("item")
    names = items["item"].to_pylist()
    twice = next((a for a, b in pairwise(names) if a == b), None)
    if twice is not None:
        raise InputError(f"item {twice} stands in the files twice; give each file once")
    return items


def _label(item: str, gold: Any, task: Task, spec: TaskSpec) -> Any:
    """Return gold in the form of its task: labels may be given as a plain text."""
    if isinstance(gold, str) and any(answer_form(spec, r) == "topics" for r in spec.rounds):
        gold = [gold]
    if task.kind == "labels":
        return gold_set(item, gold, task, spec)
    if task.kind == "category":
        label = gold[0] if isinstance(gold, list) and gold else gold
        if not isinstance(label, str) or label not in spec.ids():
            allowed = ", ".join(spec.ids())
            raise InputError(f"{item}: gold {mask(label)} is no label of {task.id}: {allowed}")
    return gold


def _members(items: pa.Table, task: Task, spec: TaskSpec, *, seed: int) -> list[Member]:
    styles = {name: source.style for name, source in load_catalogue().sources.items()}
    rows = [row for row in items.to_pylist() if row["gold"] is not None]
    if len(rows) < items.num_rows:
        say(f"{count(items.num_rows - len(rows), 'item')} without gold left out")
    members = []
    for row in rows:
        meta = parsed(row["meta"]) if row["meta"] else {}
        date = meta.get("date")
        members.append(
            Member(
                id=row["item"],
                source=row["source"] or "unknown",
                fields=parsed(row["fields"]),
                label=_label(row["item"], parsed(row["gold"]), task, spec),
                sampler=row["sampler"],
                style=styles.get(row["source"] or ""),
                date=date[:10].replace(".", "-") if isinstance(date, str) else None,
                meta=meta,
            )
        )
    if not members:
        raise InputError("no item has gold, so there is nothing to split; give labelled items")
    if task.id not in SCORINGS:
        return members
    distances = SCORINGS[task.id].distances(
        [member.fields for member in members],
        [member.label for member in members],
        spec,
        seed=seed,
        tell=say,
    )
    return [replace(member, distance=far) for member, far in zip(members, distances, strict=True)]


def _show(record: dict[str, Any]) -> None:
    sizes = ", ".join(f"{n:,} {split}" for split, n in record["splits"].items())
    print_line(f"{count(record['items'], 'item')} of {record['spec']}: {sizes}")
    rows = []
    for row in record["constraints"]:
        holds = "yes" if row["met"] else ("no, it binds" if row["binds"] else "no")
        numbers = (f"{row[name]:,.6g}" for name in ("wanted", "found"))
        rows.append((row["name"], row["split"] or "all", *numbers, holds, row["detail"]))
    heads = ("constraint", "split", "wanted", "found", "holds", "remark")
    print_table("What the split promises", heads, rows, left=("split", "holds", "remark"))
    print_line(f"left out: {record['left_out']:,}; leaks that stop a release: {record['leaks']:,}")
    if (out := record["out"]) is not None:
        say(f"written: {', '.join(f'{out}/{name}.parquet' for name in _FILES)}")
