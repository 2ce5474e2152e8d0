"""The annotation flow of a build: exports the candidates of each task as a batch.

It submits no stages. The answers come back by `klue import`; the next build collects them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from flows.commands.batch_export import Export, export_batch, record
from flows.plan.build import BuildPlan
from flows.plan.candidates import TaskPlan
from pipeline.annotation.batches import making
from pipeline.annotation.batches.batch import CARD, folder_of, read
from pipeline.core import store
from pipeline.core.ids import draw

Row = dict[str, Any]


def export_batches(plan: BuildPlan, work: Path) -> list[Row]:
    """Export a batch of the first round of every task with candidates; return records of them.

    A batch is named by the build and the content of its candidates. So the same candidates are
    exported once: a batch of an earlier build is returned as it is, with `new` False.
    """
    return [row for task in plan.tasks if (row := _export(plan, task, work)) is not None]


def _export(plan: BuildPlan, task: TaskPlan, work: Path) -> Row | None:
    items = store.read_all(task.candidates.folder, "items")
    if not items.num_rows:
        return None
    name = f"{plan.name}-{making.digest_of(items)[:8]}"
    folder = folder_of(work, task.task, name)
    if (folder / CARD).is_file():
        batch = read(folder)
        if task.spec.accepts(batch.card.spec):
            return {**record(batch, sorted((folder / "export").glob("*"))), "new": False}
    settings, seed = plan.corpus.build.candidates, plan.corpus.build.seed
    annotators: int | str | tuple[str, ...] | None = settings.annotators
    if isinstance(annotators, tuple):  # as `klue export` takes names
        annotators = ",".join([*annotators, ""])
    request = Export(
        task=task.task,
        to=settings.tool,
        annotators=None if annotators is None else str(annotators),
        batch=name,
        seed=seed,
        work=work,
        specs=settings.specs,
    )
    # In keyed order, so that items of one source or sampler are not next to each other.
    ids = items.column("item").to_pylist()
    order = sorted(range(len(ids)), key=lambda n: (draw(seed, "hand out", ids[n]), ids[n]))
    batch, written = export_batch(request, items.take(pa.array(order, pa.int64())))
    return {**record(batch, sorted(written)), "new": True}
