"""Simulated annotators -> votes: what `klue simulate` does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from flows.commands.batch_items import resolving
from flows.commands.vote_import import barred
from flows.commands.votes import load_items, task_and_spec
from flows.view.console import console, emit_json
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.assignment import assign
from pipeline.annotation.batches.batch import Batch
from pipeline.annotation.batches.card import folder_of
from pipeline.annotation.batches.rounds import current_answers, main_batches
from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.simulated.deciding import decide
from pipeline.annotation.simulated.engine import Earlier
from pipeline.annotation.simulated.engine import simulate as answered
from pipeline.annotation.simulated.pools import Pool, default_pool
from pipeline.annotation.simulated.truths import Truths
from pipeline.contracts.decisions import RESOLVE
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import store
from pipeline.core.errors import InputError


@dataclass(frozen=True)
class Simulation:
    """What `klue simulate` was asked for."""

    task: str
    out: Path
    batch: str = "main"
    truth: Path | None = None
    seed: int = 0
    experts: bool = False
    force: bool = False
    work: Path = Path("data/work")
    specs: Path | None = None


def simulate(request: Simulation, *, as_json: bool) -> None:
    """Answer a batch by simulated annotators and write their votes."""
    task, spec = task_and_spec(request.task, request.specs)
    if request.out.is_dir():
        raise InputError(f"--out {request.out}: is a folder; give the file to write")
    if request.out.exists() and not request.force:
        raise InputError(f"--out {request.out}: exists already; use --force to replace it")
    batch = batches.read(folder_of(request.work, task.id, request.batch))
    round_ = spec.round(batch.card.round)
    if round_ is None or not spec.accepts(batch.card.spec):
        raise InputError(f"batch {request.batch} is of {batch.card.spec}, not of {spec.name}")
    given = load_items(request.truth, task) if request.truth is not None else None
    truths = Truths(task.id, given, spec) if given is not None else None
    if request.experts:
        votes = _decided(batch, task, spec, request.seed, truths)
    else:
        votes = _answered(request, batch, task, spec, round_, truths)
    lines = [json.dumps(v.value, ensure_ascii=False, sort_keys=True) + "\n" for v in votes]
    request.out.parent.mkdir(parents=True, exist_ok=True)
    store.write_text(request.out, "".join(lines))
    if as_json:
        told = {"task": task.id, "batch": request.batch, "votes": len(lines)}
        emit_json({**told, "out": str(request.out)})
    else:
        console().print(f"written  {request.out} ({len(lines):,} simulated votes)", soft_wrap=True)


def _answered(
    request: Simulation,
    batch: Batch,
    task: Task,
    spec: TaskSpec,
    round_: Round,
    truths: Truths | None,
) -> Iterator[RawVote]:
    pool = default_pool(spec, round_, items=batch.items.num_rows)
    return answered(
        batch.items,
        _assigned(request, batch, spec, pool),
        task=task,
        spec=spec,
        round_=round_,
        pool=pool,
        seed=request.seed,
        truths=truths,
        earlier=_earlier(batch, task, spec, round_),
    )


def _decided(
    batch: Batch, task: Task, spec: TaskSpec, seed: int, truths: Truths | None
) -> Iterator[RawVote]:
    """Return what experts say of the batch's items that wait for them."""
    every = main_batches(batch.folder.parent, spec)
    gold = aggregate(every.votes, task=task, spec=spec, items=every.items).gold
    return decide(gold, every.votes, batch.items, task=task, spec=spec, seed=seed, truths=truths)


def _assigned(request: Simulation, batch: Batch, spec: TaskSpec, pool: Pool) -> pa.Table:
    """Return the assignments of a batch, or drawn ones where it was given to nobody by name."""
    if batch.assignments.num_rows:
        return batch.assignments
    return assign(
        batch.items.column("item").to_pylist(),
        pool.ids,
        per_item=batch.card.per_item,
        seed=request.seed,
        barred=barred(batch, spec, request.work),
    )


def _earlier(batch: Batch, task: Task, spec: TaskSpec, round_: Round) -> Earlier | None:
    """Return the answers that a round is about, and the number of its attempt."""
    items = batch.items.column("item").to_pylist()
    attempts = dict.fromkeys(items, batch.card.attempt)
    if round_.id != RESOLVE and round_.answer != "verdict":
        return Earlier(attempts=attempts)
    before = main_batches(batch.folder.parent, spec)
    if round_.id == RESOLVE:
        return Earlier(resolving(before, task, spec).shown, attempts)
    judged = spec.round(round_.after or "")
    assert judged is not None  # verdicts are about a round
    return Earlier(current_answers(before.votes, spec, judged), attempts)
