"""Batches: what was given to annotators under one version of one spec, and what came back.

    WORK/annotation/TASK/NAME/  batch.json, items.parquet, assignments.parquet   never changed
                                votes.parquet, ledger.parquet                    grow by imports

A batch appears as a whole, by rename; votes and ledger are each replaced by rename.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from dataclasses import replace as replaced
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.assignment import Barred, assign
from pipeline.annotation.batches.card import (
    CARD,
    Card,
    Kind,
    Plan,
    folder_of,
    list_batches,
    read_card,
)
from pipeline.annotation.intake.answers import source_in
from pipeline.annotation.intake.intake import Taken, intake
from pipeline.annotation.intake.vote import RawVote, Refused, Within
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_value

#: Who gives a batch out: the rules of the ledger.
STAGE: Final = "batch"
#: Items that are held as rows at a time.
_ROWS: Final = 1_024
_TABLES: Final = ("items", "assignments", "votes", "ledger")
PILOT_RULE: Final = "batch.pilot@1"


@dataclass(frozen=True)
class Batch:
    """A batch as it lies in its folder."""

    folder: Path
    card: Card
    items: pa.Table
    assignments: pa.Table
    votes: pa.Table
    ledger: pa.Table


#: What making a batch decides, and what making it again must not change.
_DECIDED: Final = tuple(
    f.name for f in fields(Card) if f.name not in ("items", "taken_out", "assignments")
)


def make(
    work: Path, plan: Plan, items: pa.Table, spec: TaskSpec, *, barred: Barred | None = None
) -> Batch:
    """Make a batch of items, or return it unchanged where it was made of the same before.

    A main batch leaves out, with a ledger row, the items of every pilot of the task. Raises
    StoreError for a batch that was made of other things, and for a pilot whose items are in a main
    batch already; InputError for items or a plan that cannot be given out.
    """
    folder = folder_of(work, spec.task, plan.name)
    card = _card(plan, items, spec, barred or {})
    if folder.is_dir():
        there = read(folder)
        _same(there.card, card, folder)
        return there
    left, ledger = _without_pilots(items, plan, folder.parent)
    if not left.num_rows:
        raise InputError(f"batch {plan.name}: no items are left to give out; give other items")
    assignments = schemas.empty("assignments")
    if plan.annotators:
        names, people = left.column("item").to_pylist(), plan.annotators
        assignments = assign(names, people, per_item=card.per_item, seed=plan.seed, barred=barred)
    counts = {"items": left.num_rows, "taken_out": ledger.num_rows}
    card = replace(card, **counts, assignments=assignments.num_rows)
    batch = Batch(folder, card, left, assignments, schemas.empty("votes"), ledger)
    _write(batch)
    return batch


def read(folder: Path) -> Batch:
    """Read a batch from its folder.

    Raises StoreError when it is not there or damaged.
    """
    card = read_card(folder)
    tables = (store.read_table(folder / f"{name}.parquet", name) for name in _TABLES)
    return Batch(folder, card, *tables)


def pilot_items(folder: Path) -> dict[str, str]:
    """Return the items of all pilots beside a batch (in the task's folder), each with a pilot."""
    return _items_of(folder, "pilot")


def record(batch: Batch, taken: Taken) -> Batch:
    """Store what a reading brought; a reading that changes nothing writes nothing.

    The rows that refused records of a file make way for those of the file's newest reading; what
    was taken out or replaced stays on record.
    """
    columns = batch.ledger.column("file").to_pylist(), batch.ledger.column("action").to_pylist()
    stays = [
        action != "quarantine" or file not in taken.files
        for file, action in zip(*columns, strict=True)
    ]
    every = pa.concat_tables([batch.ledger.filter(pa.array(stays, pa.bool_())), taken.ledger])
    keys = [(name, "ascending") for name in ("file", "line", "rule", "unit", "action", "reason")]
    ledger = schemas.check(every.sort_by(keys).combine_chunks(), "ledger")
    # The ledger comes first: killed in between, the same import again completes the votes.
    for name, old, new in (
        ("ledger", batch.ledger, ledger),
        ("votes", batch.votes, taken.votes),
    ):
        if not new.equals(old):
            store.write_parquet(batch.folder / f"{name}.parquet", new)
    return replace(batch, votes=taken.votes, ledger=ledger)


def _card(plan: Plan, items: pa.Table, spec: TaskSpec, barred: Barred) -> Card:
    round_ = spec.round(plan.round)
    if round_ is None:
        allowed = ", ".join(r.id for r in spec.rounds)
        raise InputError(f"{spec.name} has no round {plan.round!r}; allowed: {allowed}")
    everybody = len(plan.annotators) if plan.kind != "main" else 0
    per_item = plan.per_item if plan.per_item is not None else everybody or round_.per_item
    _check(plan, items, spec, per_item)
    return Card(
        task=spec.task,
        name=plan.name,
        kind=plan.kind,
        round=plan.round,
        role=round_.role,
        spec=spec.name,
        spec_digest=spec.digest,
        seed=plan.seed,
        per_item=per_item,
        annotators=tuple(sorted(plan.annotators)),
        format=plan.format,
        attempt=plan.attempt,
        given=digest_of(items),
        barred=of_value({item: sorted(who) for item, who in sorted(barred.items()) if who}),
    )


def _check(plan: Plan, items: pa.Table, spec: TaskSpec, per_item: int) -> None:
    names = items.column("item")
    twice = items.num_rows - int(pc.count_distinct(names).as_py())
    if twice:
        raise InputError(f"batch {plan.name}: {twice} items stand there twice; give each once")
    others = set(items.column("task").to_pylist()) - {spec.task}
    if others:
        raise InputError(f"batch {plan.name}: holds items of {sorted(others)[0]}, not {spec.task}")
    if per_item < 1:
        raise InputError(f"batch {plan.name}: {per_item} answers an item; allowed: 1 or more")


def digest_of(items: pa.Table) -> str:
    """Return a digest of items, whatever their order."""
    rows = items.sort_by("item").select(schemas.TABLES["items"].names)
    made = sha256()
    for batch in rows.to_batches(max_chunksize=_ROWS):
        for row in batch.to_pylist():
            made.update(of_value(row).encode())
    return made.hexdigest()


def _same(there: Card, wanted: Card, folder: Path) -> None:
    told = [
        f"{name} (there: {_told(old)}, asked for: {_told(new)})"
        for name in _DECIDED
        if (old := getattr(there, name)) != (new := getattr(wanted, name))
    ]
    if told:
        raise StoreError(
            f"{folder}: this batch was made before, with another {'; '.join(told)}; a batch never"
            " changes: give the new one another name"
        )


def _told(value: Any) -> str:
    text = f"{len(value)} names" if isinstance(value, tuple) else str(value)
    return text if len(text) < 24 else text[:12] + "..."


def _without_pilots(items: pa.Table, plan: Plan, folder: Path) -> tuple[pa.Table, pa.Table]:
    """Keep pilots and main batches apart; returns the items left, and the ledger of the others."""
    if plan.kind == "baseline":
        return items, schemas.empty("ledger")
    other = _items_of(folder, "main" if plan.kind == "pilot" else "pilot")
    out = [item in other for item in items.column("item").to_pylist()]
    if plan.kind == "pilot" and any(out):
        first = items.column("item")[out.index(True)].as_py()
        raise StoreError(
            f"pilot {plan.name}: {sum(out)} of its items are in the main batch {other[first]}"
            f" already, the first is {first}; a pilot needs items of its own"
        )
    mask = pa.array(out, pa.bool_())
    ledger = [_pilot_row(item, other[item["item"]]) for item in items.filter(mask).to_pylist()]
    return items.filter(pc.invert(mask)), schemas.build("ledger", ledger)


def _pilot_row(item: dict[str, Any], pilot: str) -> dict[str, object]:
    return {
        "unit": item["item"],
        "source": item["source"] or source_in(item["item"]) or "",
        "stage": STAGE,
        "rule": PILOT_RULE,
        "action": "drop",
        "reason": f"is an item of the pilot {pilot}; pilot items never enter the main batch",
    }


def _items_of(folder: Path, kind: Kind) -> dict[str, str]:
    cards = list_batches(folder.parents[1], folder.name)
    return {
        item: card.name
        for card in cards
        if card.kind == kind
        for item in store.read_table(folder / card.name / "items.parquet", "items")
        .column("item")
        .to_pylist()
    }


def _write(batch: Batch) -> None:
    partial = store.partial_of(batch.folder)
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        for name in _TABLES:
            table = schemas.check(getattr(batch, name), name).combine_chunks()
            store.write_parquet(partial / f"{name}.parquet", table)
        store.write_json(partial / CARD, asdict(batch.card))
        partial.rename(batch.folder)
    except OSError as error:
        raise StoreError(
            f"{batch.folder}: cannot be written: {error.strerror}; check the work directory"
        ) from None


def receive(
    batch: Batch,
    raw: Iterable[RawVote | Refused],
    *,
    task: Task,
    spec: TaskSpec,
    barred: Barred | None = None,
    simulated: bool = False,
    replace: bool = False,
) -> tuple[Batch, Taken]:
    """Take votes into a batch; returns it with them, and what became of each record.

    Only the batch's items, round and assignments are taken; taking the same file in twice changes
    no byte. Raises InputError when the batch was given out under a spec that `spec` rules out.
    """
    card = batch.card
    if not spec.accepts(card.spec):
        raise InputError(
            f"batch {card.name} was given out under {card.spec}, which {spec.name} rules out; use"
            " the spec of then (--specs), or make a new batch"
        )
    pilot = pilot_items(batch.folder.parent) if card.kind == "main" else {}
    within = Within(card.round, batch.assignments, barred or {}, frozenset(pilot))
    taken = intake(
        _numbered(raw, card.attempt),
        task=task,
        spec=spec,
        items=batch.items,
        existing=batch.votes,
        simulated=simulated,
        within=within,
        replace=replace,
    )
    return record(batch, taken), taken


def _numbered(raw: Iterable[RawVote | Refused], attempt: int) -> Iterable[RawVote | Refused]:
    """Mark the answers of a batch that revises rejected ones; tools do not know of attempts."""
    for record in raw:
        if attempt > 1 and isinstance(record, RawVote) and record.value.get("attempt") is None:
            yield replaced(record, value={**record.value, "attempt": attempt})
        else:
            yield record
