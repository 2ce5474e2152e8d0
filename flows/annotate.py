"""The annotation flow of a build: exports the candidates of each task as a batch.

It has no stages. The answers come back by `klue import`; the next build collects them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from flows.engine.run import Part
from flows.plan.build import BuildPlan
from flows.plan.candidates import TaskPlan
from flows.view.tables import batch_table
from pipeline.annotation.batches import making
from pipeline.annotation.batches.batch import CARD, Batch, folder_of, read, read_card
from pipeline.core import store
from pipeline.core.ids import draw

if TYPE_CHECKING:
    from flows.engine.tasks import Tasks

Row = dict[str, Any]


def annotation_flow(plan: BuildPlan, work: Path, batches: list[Row]) -> Part:
    """Return the flow that exports a first batch of every task and adds records to `batches`."""

    def export(tasks: Tasks) -> None:
        for task in plan.tasks:
            batches.extend(tasks.run("export", task.task, partial(_export, plan, task, work)))

    def summary() -> str:
        return batch_table(batches).markdown()

    return Part("annotate", summary, then=None if _is_current(plan, work) else export)


def _is_current(plan: BuildPlan, work: Path) -> bool:
    return all(
        task.candidates.done and (not _items(task).num_rows or _batch_of(plan, task, work))
        for task in plan.tasks
    )


def export_batches(plan: BuildPlan, work: Path) -> list[Row]:
    """Export a batch of the first round of every task with candidates; return records of them.

    A batch is named by the build and the content of its candidates. So the same candidates are
    exported once by one spec: a batch of an earlier build is returned as it is, with `new` False.
    """
    return [row for task in plan.tasks for row in _export(plan, task, work)]


def _items(task: TaskPlan) -> pa.Table:
    return store.read_all(task.candidates.folder, "items")


def _name(plan: BuildPlan, task: TaskPlan, work: Path) -> str:
    """Return the name of the batch of a task's candidates.

    Where it names one made by a spec that is ruled out now, the first two numbers of the version
    are added: a third one keeps the votes.
    """
    name = f"{plan.name}-{making.digest_of(_items(task))[:8]}"
    folder = folder_of(work, task.task, name)
    if not (folder / CARD).is_file() or task.spec.accepts(read_card(folder).spec):
        return name
    major, minor, _ = task.spec.version.split(".")
    return f"{name}-{major}-{minor}"


def _batch_of(plan: BuildPlan, task: TaskPlan, work: Path) -> Batch | None:
    """Return the batch of a task's candidates, where one was exported by the same spec."""
    folder = folder_of(work, task.task, _name(plan, task, work))
    batch = read(folder) if (folder / CARD).is_file() else None
    return batch if batch is not None and task.spec.accepts(batch.card.spec) else None


def _export(plan: BuildPlan, task: TaskPlan, work: Path) -> list[Row]:
    items = _items(task)
    if not items.num_rows:
        return []
    from flows.commands.batch_export import Export, export_batch, record

    if batch := _batch_of(plan, task, work):
        exported = sorted((batch.folder / "export").glob("*"))
        return [{**record(batch, exported), "new": False}]
    settings, seed = plan.corpus.build.candidates, plan.corpus.build.seed
    annotators: int | str | tuple[str, ...] | None = settings.annotators
    if isinstance(annotators, tuple):  # as `klue export` takes names
        annotators = ",".join([*annotators, ""])
    request = Export(
        task=task.task,
        to=settings.tool,
        annotators=None if annotators is None else str(annotators),
        batch=_name(plan, task, work),
        seed=seed,
        work=work,
        specs=settings.specs,
    )
    # In keyed order, so that items of one source or sampler are not next to each other.
    ids = items.column("item").to_pylist()
    order = sorted(range(len(ids)), key=lambda n: (draw(seed, "hand out", ids[n]), ids[n]))
    batch, written = export_batch(request, items.take(pa.array(order, pa.int64())))
    return [{**record(batch, sorted(written)), "new": True}]
