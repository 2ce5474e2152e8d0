"""What annotators answered to a batch, taken into it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace as replaced

from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.assignment import Barred
from pipeline.annotation.batches.batch import Batch
from pipeline.annotation.intake.intake import Taken, intake
from pipeline.annotation.intake.raw import RawVote, Refused
from pipeline.annotation.intake.vote import Within
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError


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
    pilot = batches.pilot_items(batch.folder.parent) if card.kind == "main" else {}
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
    return batches.record(batch, taken), taken


def _numbered(raw: Iterable[RawVote | Refused], attempt: int) -> Iterable[RawVote | Refused]:
    """Mark the answers of a batch that revises rejected ones; tools do not know of attempts."""
    for record in raw:
        if attempt > 1 and isinstance(record, RawVote) and record.value.get("attempt") is None:
            yield replaced(record, value={**record.value, "attempt": attempt})
        else:
            yield record
