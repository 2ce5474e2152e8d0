"""Candidates -> batches: what a build gives out of every task it drew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from flows.commands.batch_export import Export, hand_out, record
from flows.plan.build import BuildPlan
from flows.plan.candidates import TaskPlan
from flows.view.console import from_here, print_line
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
    return [row for task in plan.tasks if (row := _hand_out(plan, task, work)) is not None]


def _hand_out(plan: BuildPlan, task: TaskPlan, work: Path) -> Row | None:
    items = store.read_all(task.candidates.folder, "items")
    if not items.num_rows:
        return None
    name = f"{plan.name}-{making.digest_of(items)[:8]}"
    folder = folder_of(work, task.task, name)
    if (folder / CARD).is_file():
        batch = batches.read(folder)
        if task.spec.accepts(batch.card.spec):
            return {**record(batch, sorted((folder / "export").glob("*"))), "new": False}
    settings, seed = plan.corpus.build.candidates, plan.corpus.build.seed
    people: int | str | tuple[str, ...] | None = settings.annotators
    if isinstance(people, tuple):  # as `klue export` takes names
        people = ",".join([*people, ""])
    request = Export(
        task=task.task,
        to=settings.tool,
        annotators=None if people is None else str(people),
        batch=name,
        seed=seed,
        work=work,
        specs=settings.specs,
    )
    # In keyed order: items of one source or sampler must not stand together.
    names = items.column("item").to_pylist()
    order = sorted(range(len(names)), key=lambda n: (draw(seed, "hand out", names[n]), names[n]))
    batch, written = hand_out(request, items.take(pa.array(order, pa.int64())))
    return {**record(batch, sorted(written)), "new": True}


def show_batches(rows: list[Row]) -> None:
    """Print where each batch lies."""
    for batch in rows:
        people = len(batch["annotators"])
        whom = f"to {people} annotators" if people else "to nobody by name"
        when = "" if batch["new"] else ", given out before"
        items = f"{batch['items']:,} items of {batch['spec']}, round {batch['round']}"
        where = from_here(Path(batch["folder"])) / "export"
        print_line(f"batch        {batch['name']}: {items}, {whom}{when}: {where}")
