"""Votes of any form as one table, with what they are about and what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.commands.outputs import check_choice
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.batch import CARD, FOLDER
from pipeline.annotation.batches.rounds import asks_hypotheses, main_batches
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.annotation.exports.answer import ITEM
from pipeline.annotation.exports.read import READERS, ToolVotes, read_tool
from pipeline.annotation.intake.answers import MULTILABEL
from pipeline.annotation.intake.columns import Columns
from pipeline.annotation.intake.intake import intake
from pipeline.annotation.intake.items import read_items, require_fields
from pipeline.annotation.intake.label_names import Measured
from pipeline.annotation.intake.vote import UNASSIGNED
from pipeline.annotation.intake.votefile import read_votes
from pipeline.contracts.official.files import read_official
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import SPECS, Round, TaskSpec, load_spec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError, SchemaError
from pipeline.core.files import reason_of, refuse
from pipeline.core.io.parquet import BoundedFile
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count

OFFICIAL: Final = "klue"
#: Rules under which a record of an official file is taken as it is, with its fault.
KEPT: Final = "official.kept."
#: What votes may be read from.
SOURCES: Final = ("votes", OFFICIAL, *dict.fromkeys([*FORMATS, *READERS]))
#: The columns of gold that are read.
_GOLD: Final = ("item", "status", "label")
#: So many refused records are listed.
LISTED: Final = 5

#: Where a record stands, and what is wrong with it: file, line, rule, reason.
_Row = tuple[str, int | None, str, str]


@dataclass(frozen=True)
class Loaded:
    """Votes (VOTES), the items they are about (ITEMS) where known, and records refused by rule.

    `quarantined` (LEDGER) has a row for each of these records. `unassigned` votes are about items
    that were not given to their annotators. `level` is that of votes of no task. `refused_items`
    are those about which a record was refused, of votes whose items are not known.
    """

    votes: pa.Table
    items: pa.Table | None = None
    refused: Counter[str] = field(default_factory=Counter)
    messages: tuple[str, ...] = ()
    unassigned: int = 0
    level: str | None = None
    quarantined: pa.Table = field(default_factory=partial(schemas.empty, "ledger"))
    refused_items: frozenset[str] = frozenset()


def task_and_spec(task: str, specs: Path | None) -> tuple[Task, TaskSpec]:
    """Return the task of that name with its spec."""
    known = task_of(task)
    if specs is not None and not specs.is_dir():
        raise InputError(f"--specs {specs}: no such folder; give one that holds TASK/spec.yaml")
    return known, load_spec(known.id, specs or SPECS)


def load(
    path: Path,
    *,
    task: Task | None,
    spec: TaskSpec | None,
    source: str | None = None,
    measured: Measured | None = None,
    items: Path | None = None,
    columns: Columns | None = None,
) -> Loaded:
    """Read votes of a batch, a task's folder of batches, an official file, an export, a vote file.

    `columns` says where votes stand in a vote file, or which question of a tool's export they
    answer; votes of no task are read as `measured`. Raises InputError for a source that is not
    known or needs a task, and for an unusable file.
    """
    is_tool = is_tool_export(source, task)
    if columns is not None and not is_tool and (source not in (None, "votes") or path.is_dir()):
        raise InputError(
            "--columns and --wide are for vote files and for exports of tools without a task; leave"
            " them out for other votes"
        )
    refuse(path, (not path.exists(), "no such file or folder; give votes, or a batch's folder"))
    if source == OFFICIAL:
        return _official(path, _require_task(task, f"--from {source}"))
    if path.is_dir() and not is_tool:
        if source is not None or items is not None:
            raise InputError(f"{path}: a folder of batches needs neither --from nor --items")
        return _batch(path, task, spec) if (path / CARD).is_file() else _task(path, spec)
    about = load_items(items, _require_task(task, "--items")) if items is not None else None
    check_choice("--from", source, SOURCES)
    notes: tuple[str, ...] = ()
    level = measured.level if measured is not None else None
    if is_tool:
        export = _read_tool(str(source), path, columns)
        level = level or (export.level if task is None else None)
        raw, notes = export.votes(level), tuple(export.messages())
    elif source is None or source == "votes":
        raw = read_votes(path, columns, names=level in ("nominal", MULTILABEL))
    elif task is None or spec is None:
        raise InputError(f"--from {source} needs --task, such as --task sts")
    else:
        raw = FORMATS[source].read(path, task=task, spec=spec)
    if measured is not None:
        raw = measured.read(raw)
    result = intake(raw, task=task, spec=spec, items=about, level=level)
    loaded = _build_loaded(result.votes, about, result.ledger)
    return replace(
        loaded,
        messages=(*notes, *loaded.messages),
        level=level,
        refused_items=result.refused_items if about is None else frozenset(),
    )


def is_tool_export(source: str | None, task: Task | str | None) -> bool:
    """Tell whether votes are those of a tool's own project, rather than of a batch given to it."""
    return source in READERS and (task is None or source not in FORMATS)


def _read_tool(source: str, path: Path, columns: Columns | None) -> ToolVotes:
    if columns is not None and (columns.wide or columns.asked - {"item", "label"}):
        raise InputError(
            f"--from {source} takes --columns label=NAME, the question, and item=NAME, a key of the"
            " tool's data that names the item; leave out the rest"
        )
    names = columns.names if columns is not None else {}
    label = names["label"][0] if columns is not None and "label" in columns.asked else None
    return read_tool(source, path, label=label, item=names.get("item", (ITEM,))[0])


def load_items(
    path: Path, task: Task, *, source: str = "items", round_: Round | None = None
) -> pa.Table:
    """Read items of a user's file, or of an official one; the lines that give none are an error.

    In a round in which hypotheses are written they are no field of an item.
    """
    if source == OFFICIAL:
        return read_official(task.id, path).items
    check_choice("--from", source, ["items", OFFICIAL])
    if round_ is not None and round_.answer == "hypotheses":
        task = replace(task, fields=tuple(name for name in task.fields if name != "hypothesis"))
    table, refused = read_items(path, task)
    if refused:
        first = refused[0]
        raise InputError(
            f"{path}: {count(len(refused), 'line')} without an item, the first is line"
            f" {first.line}: {first.reason} ({first.rule}); mend them"
        )
    try:
        require_fields(table, task)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return table


def gold_set(name: str, gold: Any, task: Task, spec: TaskSpec) -> list[str]:
    """Return the gold of an item that has several labels: a list, or a text with | between them.

    Raises InputError for other gold, and for a label that the spec does not have.
    """
    round_ = next(round_ for round_ in spec.rounds if round_.answer != "verdict")
    try:
        labels: list[str] = task.parse(gold, {}, spec, round_)
    except RecordError as error:
        raise InputError(f"{name}: gold: {error.reason}") from None
    return labels


def gold_labels(path: Path, option: str) -> dict[str, Any]:
    """Return the labels of gold.parquet (`klue aggregate`) by item, of what is gold.

    Raises InputError for any other file.
    """
    try:
        with BoundedFile(path) as file:
            table = file.read()
        columns = [name for name in _GOLD if name in table.column_names]
        table = schemas.check(table.select(columns), "gold", _GOLD)
    except (OSError, pa.ArrowException, SchemaError) as error:
        raise InputError(
            f"{option} {path}: not a table of gold ({reason_of(error)}); give gold.parquet of"
            " `klue aggregate`"
        ) from None
    rows = schemas.rows(table, "item", "status", "label")
    return {item: parsed(label) for item, status, label in rows if status == "gold"}


def refusal_messages(refused: Iterable[_Row]) -> tuple[str, ...]:
    """Return messages with the place of the first refused records, and the number of the others."""
    rows = list(refused)
    lines = [f"{file} line {line}: {reason} ({rule})" for file, line, rule, reason in rows[:LISTED]]
    if len(rows) > LISTED:
        lines.append(f"{count(len(rows) - LISTED, 'more record')} quarantined")
    return tuple(lines)


def quarantined_rows(ledger: pa.Table) -> Iterator[_Row]:
    """Return (file, line, rule, reason) of the quarantined records of a ledger."""
    for row in ledger.to_pylist():
        if row["action"] == "quarantine":
            yield row["file"], row["line"], row["rule"], row["reason"]


def _require_task(task: Task | None, option: str) -> Task:
    if task is None:
        raise InputError(f"{option} needs --task, such as --task sts")
    return task


def _official(path: Path, task: Task) -> Loaded:
    official = read_official(task.id, path)
    if not official.votes.num_rows:
        raise InputError(
            f"{path}: holds {count(official.items.num_rows, 'item')} with their final labels,"
            " and no raw judgement to audit or aggregate; official files that hold them are those"
            " of KLUE-STS, KLUE-NLI, and YNAT as JSON"
        )
    problems = [(path.name, p.line, p.rule, p.reason) for p in official.problems]
    refused = [row for row in problems if not row[2].startswith(KEPT)]
    messages = refusal_messages(refused)
    if unchanged := len(problems) - len(refused):
        messages += (f"{count(unchanged, 'fault')} in records that are kept as they are",)
    rules = Counter(rule for _, _, rule, _ in refused)
    return Loaded(official.votes, official.items, rules, messages)


def _batch(path: Path, task: Task | None, spec: TaskSpec | None) -> Loaded:
    batch = batches.read(path)
    if task is not None and batch.card.task != task.id:
        raise InputError(f"{path}: is a batch of task {batch.card.task}, not of {task.id}")
    loaded = _build_loaded(batch.votes, batch.items, batch.ledger)
    if spec is None:
        return loaded
    batches.require_spec([batch], spec)
    if asks_hypotheses(batch, spec):
        raise InputError(
            f"{path}: holds hypotheses, which are no votes; give the batch in which the pairs made"
            " of them are judged, or the task's folder"
        )
    round_ = spec.round(batch.card.round)
    if round_ is None or round_.after is None:
        return loaded
    note = f"round {round_.id} builds on {round_.after}; {path.parent} has all rounds together"
    return replace(loaded, messages=(*loaded.messages, note))


def _task(path: Path, spec: TaskSpec | None) -> Loaded:
    place = path.resolve()
    if place.parent.name != FOLDER:
        raise InputError(
            f"{path}: is a folder without {CARD}; give a vote file, a batch's folder"
            f" (WORK/{FOLDER}/TASK/BATCH), or a task's (WORK/{FOLDER}/TASK)"
        )
    if spec is None or spec.task != place.name:
        raise InputError(f"{path}: holds batches of task {place.name}; give --task {place.name}")
    every = main_batches(path, spec)
    return _build_loaded(every.votes, every.items, every.ledger)


def _build_loaded(votes: pa.Table, items: pa.Table | None, ledger: pa.Table) -> Loaded:
    rows = list(quarantined_rows(ledger))
    messages = refusal_messages(rows)
    kept = schemas.rows(ledger, "rule", "action")
    unassigned = sum(row == (UNASSIGNED, "keep") for row in kept)
    if unassigned:
        messages += (f"{count(unassigned, 'vote')} about items that were given to others",)
    rules = Counter(rule for _, _, rule, _ in rows)
    quarantined = ledger.filter(pc.equal(ledger["action"], "quarantine"))
    return Loaded(votes, items, rules, messages, unassigned, quarantined=quarantined)
