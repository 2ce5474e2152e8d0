"""Votes of any form as one table, with what they are about and what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyarrow as pa

from pipeline.annotation import batches
from pipeline.annotation.batchcard import CARD
from pipeline.annotation.intake import intake
from pipeline.annotation.itemfile import read_items
from pipeline.annotation.native import read_votes
from pipeline.annotation.raw import RawVote, Refused
from pipeline.core.errors import InputError
from pipeline.tasks.base import Task
from pipeline.tasks.klue.files import read_official
from pipeline.tasks.registry import task_of
from pipeline.tasks.spec import SPECS, TaskSpec, load_spec

OFFICIAL: Final = "klue"
#: So many refused records are told one by one.
TOLD: Final = 5


@dataclass(frozen=True)
class Loaded:
    """Votes (VOTES), the items they are about (ITEMS) where known, and records refused by rule."""

    votes: pa.Table
    items: pa.Table | None = None
    refused: Counter[str] = field(default_factory=Counter)
    told: tuple[str, ...] = ()


def specified(task: str | None, specs: Path | None) -> tuple[Task | None, TaskSpec | None]:
    """Return the task of that name with its spec."""
    if task is None:
        return None, None
    found = task_of(task)
    return found, load_spec(found.id, specs or SPECS)


def load(
    path: Path,
    *,
    task: Task | None,
    spec: TaskSpec | None,
    source: str | None = None,
    level: str | None = None,
    items: Path | None = None,
) -> Loaded:
    """Read votes from a batch's folder, an official file, a tool's export or a vote file.

    Raises InputError for a source that is not known or needs a task, and for an unusable file.
    """
    known = items_of(items, task) if items is not None else None
    if source == OFFICIAL:
        return _official(path, _needed(task, source))
    if path.is_dir():
        return _batch(path, task)
    raw = (
        read_votes(path)
        if source is None or source == "votes"
        else _exported(path, source, task, spec)
    )
    return _taken(raw, task, spec, known, level)


def _exported(
    path: Path, source: str, task: Task | None, spec: TaskSpec | None
) -> Iterator[RawVote | Refused]:
    from pipeline.annotation.exchange.registry import FORMATS

    if source not in FORMATS:
        allowed = ", ".join(["votes", OFFICIAL, *FORMATS])
        raise InputError(f"--from {source!r} is not known; allowed: {allowed}")
    if spec is None:
        raise InputError(f"--from {source} needs --task: its export is read by the task's spec")
    return FORMATS[source].read(path, task=_needed(task, source), spec=spec)


def items_of(path: Path, task: Task | None) -> pa.Table:
    """Read a file of items; the lines that give none are an error here."""
    table, refused = read_items(path, _needed(task, "--items"))
    if refused:
        first = refused[0]
        raise InputError(
            f"{path}: {len(refused)} lines give no item, the first is line {first.line}:"
            f" {first.reason} ({first.rule}); mend them"
        )
    return table


def told(refused: Iterable[tuple[str, int | None, str, str]]) -> tuple[str, ...]:
    """Say where the first refused records are, and how many more there are."""
    rows = list(refused)
    lines = [f"{file} line {line}: {reason} ({rule})" for file, line, rule, reason in rows[:TOLD]]
    if len(rows) > TOLD:
        lines.append(f"{len(rows) - TOLD:,} more records were quarantined")
    return tuple(lines)


def of_ledger(ledger: pa.Table) -> Iterator[tuple[str, int | None, str, str]]:
    """Return (file, line, rule, reason) of the quarantined records of a ledger."""
    for row in ledger.to_pylist():
        if row["action"] == "quarantine":
            yield row["file"], row["line"], row["rule"], row["reason"]


def _needed(task: Task | None, what: str) -> Task:
    if task is None:
        raise InputError(f"{what} needs --task, such as --task sts")
    return task


def _official(path: Path, task: Task) -> Loaded:
    found = read_official(task.id, path)
    problems = [(path.name, p.line, p.rule, p.reason) for p in found.problems]
    return Loaded(
        found.votes, found.items, Counter(rule for _, _, rule, _ in problems), told(problems)
    )


def _batch(path: Path, task: Task | None) -> Loaded:
    if not (path / CARD).is_file():
        raise InputError(
            f"{path}: is a folder without {CARD}; give a vote file or a batch's folder"
        )
    batch = batches.read(path)
    if task is not None and batch.card.task != task.id:
        raise InputError(f"{path}: is a batch of task {batch.card.task}, not of {task.id}")
    rows = list(of_ledger(batch.ledger))
    return Loaded(batch.votes, batch.items, Counter(rule for _, _, rule, _ in rows), told(rows))


def _taken(
    raw: Iterable[RawVote | Refused],
    task: Task | None,
    spec: TaskSpec | None,
    items: pa.Table | None,
    level: str | None,
) -> Loaded:
    taken = intake(raw, task=task, spec=spec, items=items, level=level)
    rows = list(of_ledger(taken.ledger))
    return Loaded(taken.votes, items, Counter(rule for _, _, rule, _ in rows), told(rows))
