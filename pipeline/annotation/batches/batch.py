"""Batches: what was given to annotators under one version of one spec, and what came back.

    WORK/annotation/TASK/NAME/  batch.json, spec.json, items.parquet,
                                assignments.parquet                              never changed
                                votes.parquet, ledger.parquet                    grow by imports
                                control/  items, assignments, votes: of its control items, if any

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
import pyarrow.compute as pc

from pipeline.annotation.batches.assignment import Barred
from pipeline.annotation.intake.intake import Taken, intake
from pipeline.annotation.intake.vote import RawVote, Refused, Within
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import MOST_BYTES, regular_file
from pipeline.core.ids import candidate_id
from pipeline.core.jsontext import parsed

FOLDER: Final = "annotation"
CARD: Final = "batch.json"
TABLES: Final = ("items", "assignments", "votes", "ledger")
#: The folder and tables of control items (batches/control.py); a batch without any has none.
CONTROL: Final = "control"
CONTROL_TABLES: Final = ("items", "assignments", "votes")
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
    pilot items; `barred` a digest of who was barred from what. `control_given` is a digest of the
    items with known answers of which `control_items` were handed out, as `control_assignments`
    answers wanted; `control_likeness` how like gold a right answer is.
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
    control_given: str = ""
    control_share: float = 0.0
    control_likeness: float = 1.0
    control_items: int = 0
    control_assignments: int = 0
    layout: int = LAYOUT


@dataclass(frozen=True)
class Control:
    """The control items of a batch, who was given them, and what they answered."""

    items: pa.Table
    assignments: pa.Table
    votes: pa.Table


#: What a batch without control items has of them.
NO_CONTROL: Final = Control(*map(schemas.empty, CONTROL_TABLES))


@dataclass(frozen=True)
class Batch:
    """A batch as it lies in its folder; its own tables hold nothing of its control items."""

    folder: Path
    card: Card
    items: pa.Table
    assignments: pa.Table
    votes: pa.Table
    ledger: pa.Table
    control: Control = NO_CONTROL


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

    Raises InputError when it is not there, StoreError when it is damaged.
    """
    path = folder / CARD
    try:
        data = parsed(regular_file(path, most=MOST_BYTES).read_text("utf-8"))
        card = Card(**{**data, "annotators": tuple(data["annotators"])})
    except FileNotFoundError:
        others = ", ".join(sorted(p.parent.name for p in folder.parent.glob(f"*/{CARD}")))
        raise InputError(
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

    Raises InputError when it is not there, StoreError when it is damaged.
    """
    card = read_card(folder)
    control = NO_CONTROL
    if card.control_items:
        control = Control(*_read_tables(folder / CONTROL, CONTROL_TABLES))
    items, assignments, votes, ledger = _read_tables(folder, TABLES)
    return Batch(folder, card, items, assignments, votes, ledger, control)


def _read_tables(folder: Path, names: Iterable[str]) -> Iterator[pa.Table]:
    return (store.read_table(folder / f"{name}.parquet", name) for name in names)


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
    items of others; taking the same file in twice changes no byte. Items go by their own ids or
    those of the tool's files (`tool_ids`). Raises InputError when the batch was given out under a
    spec that `spec` rules out.
    """
    card, control = batch.card, batch.control
    require_spec([batch], spec)
    pilot = items_by_kind(batch.folder.parent, "pilot") if card.kind == "main" else {}
    assignments = pa.concat_tables([batch.assignments, control.assignments])
    result = intake(
        _with_attempt(_with_own_ids(raw, batch), card.attempt),
        task=task,
        spec=spec,
        items=pa.concat_tables([batch.items, control.items]),
        existing=pa.concat_tables([batch.votes, control.votes]),
        within=Within(card.round, assignments, barred or {}, frozenset(pilot), open_tool),
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


def tool_ids(batch: Batch) -> dict[str, str]:
    """Return the ids of a batch's items in the files of a tool.

    They are the items' own, but for a batch with control items: then those are hashes too.
    """
    card, names = batch.card, batch.items.column("item").to_pylist()
    if not card.control_items:
        return dict(zip(names, names, strict=True))
    key = card.name, str(card.seed)
    ids = {name: candidate_id(card.task, "item", *key, name) for name in names}
    return ids | {name: name for name in batch.control.items.column("item").to_pylist()}


def _with_own_ids(raw: Iterable[RawVote | Refused], batch: Batch) -> Iterable[RawVote | Refused]:
    if not batch.card.control_items:
        return raw
    own = {shown: item for item, shown in tool_ids(batch).items()}
    return (
        replaced(record, value={**record.value, "item": own.get(item, item)})
        if isinstance(record, RawVote) and isinstance(item := record.value.get("item"), str)
        else record
        for record in raw
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
    ledger = schemas.check(every.sort_by(order).combine_chunks(), "ledger")
    is_control = pc.is_in(result.votes["item"], value_set=batch.control.items["item"])
    votes, control = (
        result.votes.filter(mask).combine_chunks() for mask in (pc.invert(is_control), is_control)
    )
    for path, table, before in (
        ("ledger", ledger, batch.ledger),
        ("votes", votes, batch.votes),
        (f"{CONTROL}/votes", control, batch.control.votes),
    ):
        if not table.equals(before):
            store.write_parquet(batch.folder / f"{path}.parquet", table)
    return replaced(
        batch, ledger=ledger, votes=votes, control=replaced(batch.control, votes=control)
    )
