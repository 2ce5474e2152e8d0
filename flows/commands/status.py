"""Where things stand: what `klue status` and `klue qualify` tell."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from flows.commands.votes import task_and_spec
from flows.view.console import console, emit_json
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.card import folder_of, list_batches
from pipeline.annotation.batches.progress import Progress, progress
from pipeline.annotation.qualification.pilot import reviews
from pipeline.annotation.qualification.qualify import Qualified
from pipeline.annotation.qualification.qualify import qualify as judged
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError

#: So many annotators are told one by one.
_TOLD: Final = 30


def status(build_file: Path | None, *, task: str | None, work: Path, as_json: bool) -> None:
    """Tell where a build stands, and every batch: what is answered, what is missing from whom."""
    if work.exists() and not work.is_dir():
        raise InputError(f"--work {work}: is a file; give the folder in which batches lie")
    cards = list_batches(work, task_of(task).id if task is not None else None)
    found = [progress(batches.read(folder_of(work, card.task, card.name))) for card in cards]
    built = _build(build_file, work) if build_file is not None else None
    if as_json:
        record: dict[str, Any] = {"batches": [asdict(one) for one in found]}
        emit_json(record | ({"build": built} if built is not None else {}))
        return
    if built is not None:
        done, total = built["done"], built["stages"]
        console().print(f"build {built['name']}: {done} of {total} stages are in the store")
    if not found:
        console().print(f"no batches below {work}/annotation; `klue export` makes one")
    for one in found:
        _show(one)


def _build(build_file: Path, work: Path) -> dict[str, Any]:
    from flows.plan.corpus import plan_corpus

    plan = plan_corpus(build_file, work.resolve())
    done = sum(call.done for call in plan.calls)
    return {"name": plan.build.name, "stages": len(plan.calls), "done": done}


def _show(one: Progress) -> None:
    from rich.table import Table

    out = console()
    out.print(
        f"{one.task} {one.batch} ({one.kind}, round {one.round}, {one.spec}): {one.answered:,} of"
        f" {one.assigned:,} answers; items: {one.complete:,} complete, {one.partial:,} begun,"
        f" {one.untouched:,} untouched; {one.reported:,} reports, {one.quarantined:,} quarantined"
    )
    late = [share for share in one.annotators if share.missing]
    if not late:
        return
    table = Table(title="Missing", title_justify="left")
    table.add_column("annotator")
    for title in ("assigned", "answered", "missing"):
        table.add_column(title, justify="right")
    table.add_column("next items", overflow="fold")
    for share in late[:_TOLD]:
        numbers = (share.assigned, share.answered, len(share.missing))
        table.add_row(share.annotator, *(f"{n:,}" for n in numbers), ", ".join(share.missing[:2]))
    out.print(table)
    if len(late) > _TOLD:
        out.print(f"and {len(late) - _TOLD:,} more annotators; --json has all")


def qualify(task: str, *, batch: str, work: Path, specs: Path | None, as_json: bool) -> None:
    """Tell who passed a pilot, and why."""
    found, spec = task_and_spec(task, specs)
    results = _results(batch, work, found, spec)
    if as_json:
        emit_json({"task": found.id, "batch": batch, "annotators": [asdict(r) for r in results]})
        return
    if not results:
        console().print(f"pilot {batch} of {spec.name}: nobody was given it or has answered yet")
        return
    from rich.table import Table

    table = Table(title=f"Pilot {batch} of {spec.name}", title_justify="left")
    for title in ("annotator", "result", "why"):
        table.add_column(title)
    for one in results:
        table.add_row(one.annotator, one.status, one.reason)
    console().print(table)


def passed(batch: str, work: Path, task: Task, spec: TaskSpec) -> tuple[str, ...]:
    """Return who passed a pilot."""
    results = _results(batch, work, task, spec)
    return tuple(one.annotator for one in results if one.status == "passed")


def _results(batch: str, work: Path, task: Task, spec: TaskSpec) -> list[Qualified]:
    read = batches.read(folder_of(work, task.id, batch))
    round_ = spec.round(read.card.round)
    if read.card.kind != "pilot" or round_ is None:
        raise InputError(f"batch {batch} is no pilot; make one with klue export --pilot")
    if round_.answer == "verdict":
        raise InputError(f"batch {batch} holds the review of a pilot; name the pilot itself")
    said = reviews(
        batches.read(folder_of(work, task.id, card.name))
        for card in list_batches(work, task.id)
        if card.kind == "pilot" and _reviews(card.round, round_.id, spec)
    )
    mine = set(read.items.column("item").to_pylist())
    return judged(
        read.votes,
        task=task,
        spec=spec,
        items=read.items,
        reviews={key: good for key, good in said.items() if key[1] in mine} or None,
        workers=read.card.annotators,
        round_=read.card.round,
    )


def _reviews(name: str, of: str, spec: TaskSpec) -> bool:
    round_ = spec.round(name)
    return round_ is not None and round_.answer == "verdict" and round_.after == of
