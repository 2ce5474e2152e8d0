"""What was done before: the batches that a round builds on, taken together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.batch import Batch
from pipeline.annotation.batches.batchcard import folder_of, list_batches
from pipeline.contracts.spec import TaskSpec
from pipeline.core import schemas
from pipeline.core.errors import InputError


@dataclass(frozen=True)
class Earlier:
    """The batches named, and those that they build on themselves.

    `items` are those of the batches named, each once; where rejected answers were given again,
    only of the last `attempt`. `votes` and `ledger` are all there are; `rounds` are those of the
    batches named.
    """

    items: pa.Table
    votes: pa.Table
    ledger: pa.Table
    rounds: tuple[str, ...]
    attempt: int


def earlier(work: Path, spec: TaskSpec, names: Sequence[str]) -> Earlier:
    """Read the batches of these names, with those that hold what their rounds judge.

    The order of the names changes nothing. Raises StoreError for a batch that is not there, and
    InputError for one given out under a spec that this one rules out.
    """
    named = [batches.read(folder_of(work, spec.task, name)) for name in sorted(set(names))]
    require_spec(named, spec)
    attempt = max(batch.card.attempt for batch in named)
    rounds = {batch.card.round for batch in named}
    last = [batch for batch in named if batch.card.attempt == attempt]
    every = [*named, *_judged(work, spec, named, rounds)]
    return Earlier(
        items_of(last),
        pa.concat_tables([batch.votes for batch in every]),
        pa.concat_tables([batch.ledger for batch in every]),
        tuple(sorted(rounds)),
        attempt,
    )


def main_batches(folder: Path, spec: TaskSpec) -> Earlier:
    """Read all main batches in a task's folder (WORK/annotation/TASK).

    Where hypotheses are written the items are the pairs made of them, and what was said of the
    premises is left out. Raises InputError for a folder without a main batch.
    """
    work = folder.resolve().parents[1]
    cards = [card for card in list_batches(work, spec.task) if card.kind == "main"]
    read = [batches.read(folder_of(work, spec.task, card.name)) for card in cards]
    require_spec(read, spec)
    asked = [batch for batch in read if not writes(batch, spec)]
    if not asked:
        what = "no main batch" if not read else "only batches in which hypotheses are written"
        raise InputError(f"{folder}: holds {what}; `klue export` makes one")
    return Earlier(
        items_of(asked),
        pa.concat_tables([batch.votes for batch in asked]),
        pa.concat_tables([batch.ledger for batch in read]),
        tuple(sorted({batch.card.round for batch in asked})),
        max(batch.card.attempt for batch in asked),
    )


def writes(batch: Batch, spec: TaskSpec) -> bool:
    """Tell whether a batch asks for hypotheses, so that its items are premises."""
    round_ = spec.round(batch.card.round)
    return round_ is not None and round_.answer == "hypotheses"


def items_of(read: Iterable[Batch]) -> pa.Table:
    """Return the items of batches, each once, in the order of the batches.

    Raises InputError for an id that means different things.
    """
    seen: dict[str, str] = {}
    parts = []
    for batch in read:
        names, fields = (batch.items.column(n).to_pylist() for n in ("item", "fields"))
        pairs = list(zip(names, fields, strict=True))
        other = next((n for n, f in pairs if seen.get(n, f) != f), None)
        if other is not None:
            raise InputError(
                f"batch {batch.card.name}: item {other} is another thing than the item of this id"
                " in the batches before; item ids must mean one thing within a task"
            )
        parts.append(batch.items.filter(pa.array([n not in seen for n in names], pa.bool_())))
        seen.update(pairs)
    return pa.concat_tables(parts).combine_chunks() if parts else schemas.empty("items")


def require_spec(read: Iterable[Batch], spec: TaskSpec) -> None:
    """Raise InputError for a batch given out under a spec that this one rules out."""
    for batch in read:
        if not spec.accepts(batch.card.spec):
            raise InputError(
                f"batch {batch.card.name} was given out under {batch.card.spec}, which {spec.name}"
                " rules out; use the spec of then (--specs)"
            )


def _judged(
    work: Path, spec: TaskSpec, named: Sequence[Batch], rounds: set[str]
) -> Iterator[Batch]:
    """Yield the batches, of items of the named ones, that hold what their verdicts are about."""
    wanted = {name for one in rounds for name in _before(spec, one)} - rounds
    kinds = {batch.card.kind for batch in named}
    items = pa.concat_arrays(
        [chunk for batch in named for chunk in batch.items.column("item").chunks]
    )
    for card in list_batches(work, spec.task) if wanted else []:
        if card.round in wanted and card.kind in kinds:
            batch = batches.read(folder_of(work, spec.task, card.name))
            require_spec([batch], spec)
            if pc.any(pc.is_in(batch.items.column("item"), value_set=items)).as_py():
                yield batch


def _before(spec: TaskSpec, name: str) -> Iterator[str]:
    """Yield the rounds that a round builds on, from the last to the first."""
    round_ = spec.round(name)
    while round_ is not None and round_.after is not None:
        yield round_.after
        round_ = spec.round(round_.after)
