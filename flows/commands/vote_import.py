"""Annotators -> votes: what `klue import` does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from flows.commands.votes import KEPT, OFFICIAL, quarantined_rows, refusal_messages, task_and_spec
from flows.view.console import console, emit_json, say
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.assignment import barred_by
from pipeline.annotation.batches.batch import Batch, receive
from pipeline.annotation.batches.card import folder_of, list_batches, read_card
from pipeline.annotation.exchange.registry import FORMATS
from pipeline.annotation.intake.intake import Taken
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed

#: The form in which experts' decisions come, which are of rounds of their own.
_OWN: Final = "jsonl"


@dataclass(frozen=True)
class Import:
    """What `klue import` was asked for."""

    file: Path
    task: str
    source: str = "jsonl"
    batch: str = "main"
    annotators: Path | None = None
    replace: bool = False
    work: Path = Path("data/work")
    specs: Path | None = None


def import_votes(request: Import, *, as_json: bool) -> None:
    """Take the answers of a file into a batch."""
    task, spec = task_and_spec(request.task, request.specs)
    if request.source not in FORMATS and request.source != OFFICIAL:
        allowed = ", ".join([*FORMATS, OFFICIAL])
        raise InputError(f"--from {request.source!r} is not known; allowed: {allowed}")
    if not request.file.is_file():
        what = "is a folder" if request.file.is_dir() else "no such file"
        raise InputError(f"{request.file}: {what}; give the file that the tool exported")
    folder = folder_of(request.work, task.id, request.batch)
    read_card(folder)  # a batch that is not there is told before a lock file is made
    with store.locked(request.work):
        batch = batches.read(folder)
        batch, taken = receive(
            batch,
            _raw(request, task, spec, batch),
            task=task,
            spec=spec,
            barred=barred(batch, spec, request.work),
            replace=request.replace,
        )
    _report(batch, taken, as_json=as_json)


def _raw(request: Import, task: Task, spec: TaskSpec, batch: Batch) -> Iterator[RawVote | Refused]:
    if request.source == OFFICIAL:
        return _official(request.file, task)
    return FORMATS[request.source].read(
        request.file,
        task=task,
        spec=spec,
        round_=spec.round(batch.card.round) if request.source != _OWN else None,
        annotators=_map(request.annotators),
    )


def _official(path: Path, task: Task) -> Iterator[RawVote | Refused]:
    found = read_official(task.id, path)
    yield from (Refused(path.name, *p) for p in found.problems if not p.rule.startswith(KEPT))
    for line, row in enumerate(found.votes.to_pylist(), 1):
        value = {key: one for key, one in row.items() if one is not None and key != "at"}
        if "label" in value:
            value["label"] = parsed(value["label"])
        yield RawVote(path.name, line, value)


def _map(path: Path | None) -> dict[str, str] | None:
    """Return the map of a tool's ids to annotators."""
    if path is None:
        return None
    try:
        found = parsed(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            f"--annotators {path}: cannot be read ({type(error).__name__}); give a JSON object such"
            ' as {"7": "ann-01"}'
        ) from None
    if not isinstance(found, dict) or not all(isinstance(v, str) and v for v in found.values()):
        raise InputError(f'--annotators {path}: must be a JSON object such as {{"7": "ann-01"}}')
    return dict(found)


def barred(batch: Batch, spec: TaskSpec, work: Path) -> dict[str, set[str]]:
    """Return who answered the batch's items in a round whose annotators must not answer here."""
    round_ = spec.round(batch.card.round)
    if round_ is None or not round_.not_by:
        return {}
    others = [
        batches.read(folder_of(work, spec.task, card.name)).votes
        for card in list_batches(work, spec.task)
        if card.round in round_.not_by
    ]
    return barred_by(round_, pa.concat_tables(others), batch.items) if others else {}


def _report(batch: Batch, taken: Taken, *, as_json: bool) -> None:
    for line in refusal_messages(quarantined_rows(taken.ledger)):
        say(line)
    record = {
        "batch": batch.card.name,
        "task": batch.card.task,
        **asdict(taken.counts),
        "votes": taken.votes.num_rows,
    }
    if as_json:
        emit_json(record)
        return
    counts = taken.counts
    console().print(
        f"{counts.read:,} records read: {counts.new:,} new, {counts.unchanged:,} unchanged,"
        f" {counts.replaced:,} replaced, {counts.quarantined:,} quarantined;"
        f" {taken.votes.num_rows:,} votes in batch {batch.card.name}"
    )
    for rule, n in counts.rules.items():
        console().print(f"  {rule}: {n:,}")
