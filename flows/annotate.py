"""Candidates -> batches: what a build gives out of every task it drew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from flows.commands.batch_export import Export, hand_out, record
from flows.plan.build import BuildPlan
from flows.plan.candidates import TaskPlan
from flows.view.console import console, from_here
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches import making
from pipeline.annotation.batches.batch import CARD, folder_of
from pipeline.core import store
from pipeline.core.ids import draw

Row = dict[str, Any]


def hand_out_batches(plan: BuildPlan, work: Path) -> list[Row]:
    """Make a batch of the first round of every task that has candidates; returns what they are.

    A batch is named by the build and the content of its candidates, so that the same candidates are
    given out once, whatever else changes: one that is out already is found as it is.
    """
    found = (_hand_out(plan, task, work) for task in plan.tasks)
    return [made for made in found if made is not None]


def _hand_out(plan: BuildPlan, task: TaskPlan, work: Path) -> Row | None:
    items = store.read_all(task.candidates.folder, "items")
    if not items.num_rows:
        return None
    name = f"{plan.name}-{making.digest_of(items)[:8]}"
    there = folder_of(work, task.task, name)
    if (there / CARD).is_file():
        batch = batches.read(there)
        if task.spec.accepts(batch.card.spec):
            return {**record(batch, sorted((there / "export").glob("*"))), "new": False}
    given = plan.corpus.build.candidates
    request = Export(
        task=task.task,
        to=given.tool,
        annotators=_people(given.annotators),
        batch=name,
        seed=plan.corpus.build.seed,
        work=work,
        specs=given.specs,
    )
    batch, written = hand_out(request, _mixed(items, plan.corpus.build.seed))
    return {**record(batch, sorted(written)), "new": True}


def _mixed(items: pa.Table, seed: int) -> pa.Table:
    """Return items in keyed order: those of one source or sampler must not stand together."""
    names = items.column("item").to_pylist()
    order = sorted(range(len(names)), key=lambda n: (draw(seed, "hand out", names[n]), names[n]))
    return items.take(pa.array(order, pa.int64()))


def _people(given: int | tuple[str, ...] | None) -> str | None:
    """Return annotators as `klue export` takes them."""
    if given is None or isinstance(given, int):
        return None if given is None else str(given)
    return ",".join(given) + ","


def show_batches(found: list[Row]) -> None:
    """Print where each batch lies."""
    out = console()
    for batch in found:
        people = len(batch["annotators"])
        whom = f"to {people} annotators" if people else "to nobody by name"
        when = "" if batch["new"] else ", given out before"
        told = f"{batch['items']:,} items of {batch['spec']}, round {batch['round']}, {whom}{when}"
        where = from_here(Path(batch["folder"])) / "export"
        out.print(f"batch        {batch['name']}: {told}: {where}", soft_wrap=True)
