"""Batches: what was given to annotators under one version of one spec, and what came back.

    WORK/annotation/TASK/NAME/  batch.json, items.parquet, assignments.parquet   never changed
                                votes.parquet, ledger.parquet                    grow by imports

A batch appears as a whole, by rename; votes and ledger are each replaced by rename.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from dataclasses import replace as replaced
from pathlib import Path
from typing import Final, Literal

import pyarrow as pa

from pipeline.annotation.batches.assignment import Barred
from pipeline.annotation.intake.intake import Taken, intake
from pipeline.annotation.intake.vote import RawVote, Refused, Within
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import MOST_BYTES, regular_file
from pipeline.core.jsontext import parsed

FOLDER: Final = "annotation"
CARD: Final = "batch.json"
TABLES: Final = ("items", "assignments", "votes", "ledger")
#: The layout of a batch's folder; a number that is not known is refused.
LAYOUT: Final = 1
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")

Kind = Literal["main", "pilot", "baseline"]


@dataclass(frozen=True)
class Plan:
    """What is to be given out.

    `kind` pilot is a test before the main batch, baseline the measuring of people (Tables 7, 21).
    Without `annotators` nothing is assigned: another tool gives the items out. An item gets
    `per_item` answers: by default as many as the round says, in a pilot and a baseline one of every
    annotator. `format` is the tool's; `attempt` counts from 1 where answers are given again.
    """

    name: str
    round: str
    seed: int
    annotators: tuple[str, ...] = ()
    kind: Kind = "main"
    per_item: int | None = None
    format: str = "jsonl"
    attempt: int = 1


@dataclass(frozen=True, kw_only=True)
class Card(Plan):
    """What a batch says of itself, in batch.json; nothing in it depends on time or host.

    `given` is a digest of the items asked for, `taken_out` of how many of them were left out as
    pilot items; `barred` a digest of who was barred from what.
    """

    task: str
    role: str
    spec: str
    spec_digest: str
    per_item: int
    given: str
    barred: str
    items: int = 0
    taken_out: int = 0
    assignments: int = 0
    layout: int = LAYOUT


@dataclass(frozen=True)
class Batch:
    """A batch as it lies in its folder."""

    folder: Path
    card: Card
    items: pa.Table
    assignments: pa.Table
    votes: pa.Table
    ledger: pa.Table


def folder_of(work: Path, task: str, name: str) -> Path:
    """Return the folder of a batch; raises InputError for a name that cannot be one."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot name a batch; allowed: up to 64 of a to z, 0 to 9, - and _, beginning"
            " with a letter or digit"
        )
    return work / FOLDER / task / name


def list_batches(work: Path, task: str | None = None) -> list[Card]:
    """Return the cards of all batches of a work directory, by task and name."""
    paths = (work / FOLDER).glob(f"{task or '*'}/*/{CARD}")
    return [read_card(p.parent) for p in sorted(paths) if _NAME.fullmatch(p.parent.name)]


def read_card(folder: Path) -> Card:
    """Read what a batch says of itself.

    Raises StoreError when it is not there or damaged.
    """
    path = folder / CARD
    try:
        data = parsed(regular_file(path, most=MOST_BYTES).read_text("utf-8"))
        card = Card(**{**data, "annotators": tuple(data["annotators"])})
    except FileNotFoundError:
        others = ", ".join(sorted(p.parent.name for p in folder.parent.glob(f"*/{CARD}")))
        raise StoreError(
            f"{folder}: no such batch; of this task there are: {others or 'none'}; `klue export`"
            " makes one"
        ) from None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(
            f"{path}: unreadable ({type(error).__name__}); put it back from a copy, or remove the"
            " folder to make the batch again (its votes are in it)"
        ) from None
    if card.layout != LAYOUT:
        raise StoreError(
            f"{path}: layout {card.layout!r} is not known; this version reads {LAYOUT}"
        )
    return card


def read(folder: Path) -> Batch:
    """Read a batch from its folder.

    Raises StoreError when it is not there or damaged.
    """
    card = read_card(folder)
    tables = (store.read_table(folder / f"{name}.parquet", name) for name in TABLES)
    return Batch(folder, card, *tables)


def read_where(work: Path, task: str, condition: Callable[[Card], bool]) -> Iterator[Batch]:
    """Return the batches of a task whose cards meet a condition, by name; each is read in turn."""
    cards = filter(condition, list_batches(work, task))
    return (read(folder_of(work, task, card.name)) for card in cards)


def items_by_kind(folder: Path, kind: Kind) -> dict[str, str]:
    """Return the items of all batches of a kind in a task's folder, each with its batch."""
    cards = (card for card in list_batches(folder.parents[1], folder.name) if card.kind == kind)
    return {
        item: card.name
        for card in cards
        for item in store.read_table(folder / card.name / "items.parquet", "items")[
            "item"
        ].to_pylist()
    }


def receive(
    batch: Batch,
    raw: Iterable[RawVote | Refused],
    *,
    task: Task,
    spec: TaskSpec,
    barred: Barred | None = None,
    replace: bool = False,
    open_tool: bool = False,
) -> tuple[Batch, Taken]:
    """Take votes into a batch; returns it with them, and what became of each record.

    Only the batch's items, round and assignments are taken, out of an `open_tool` also answers to
    items of others; taking the same file in twice changes no byte. Raises InputError when the batch
    was given out under a spec that `spec` rules out.
    """
    card = batch.card
    require_spec([batch], spec)
    pilot = items_by_kind(batch.folder.parent, "pilot") if card.kind == "main" else {}
    result = intake(
        _with_attempt(raw, card.attempt),
        task=task,
        spec=spec,
        items=batch.items,
        existing=batch.votes,
        within=Within(card.round, batch.assignments, barred or {}, frozenset(pilot), open_tool),
        replace=replace,
    )
    return _record(batch, result), result


def require_spec(read: Iterable[Batch], spec: TaskSpec) -> None:
    """Raise InputError for a batch given out under a spec that this one rules out."""
    for batch in read:
        if not spec.accepts(batch.card.spec):
            raise InputError(
                f"batch {batch.card.name} was given out under {batch.card.spec}, which {spec.name}"
                " rules out; use the spec of then (--specs), or make a new batch"
            )


def _with_attempt(raw: Iterable[RawVote | Refused], attempt: int) -> Iterator[RawVote | Refused]:
    """Mark the answers of a batch that revises rejected ones; tools do not know of attempts."""
    for record in raw:
        if attempt > 1 and isinstance(record, RawVote) and record.value.get("attempt") is None:
            yield replaced(record, value={**record.value, "attempt": attempt})
        else:
            yield record


def _record(batch: Batch, result: Taken) -> Batch:
    """Store what a reading brought; a reading that changes nothing writes nothing.

    The rows that refused records of a file make way for those of the file's newest reading; what
    was taken out or replaced stays on record.
    """
    keys = ("file", "line", "rule", "unit", "action", "reason")
    # The ledger comes first: killed in between, the same import again completes the votes, and
    # brings rows that are there already.
    repeated = set(schemas.rows(result.ledger, *keys))
    stays = [
        row not in repeated and (row[-2] != "quarantine" or row[0] not in result.files)
        for row in schemas.rows(batch.ledger, *keys)
    ]
    every = pa.concat_tables([batch.ledger.filter(pa.array(stays, pa.bool_())), result.ledger])
    order = [(name, "ascending") for name in keys]
    tables = {
        "ledger": schemas.check(every.sort_by(order).combine_chunks(), "ledger"),
        "votes": result.votes,
    }
    for name, table in tables.items():
        if not table.equals(getattr(batch, name)):
            store.write_parquet(batch.folder / f"{name}.parquet", table)
    return replaced(batch, **tables)
