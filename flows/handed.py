"""Candidates -> batches: what a build gives out of every task it drew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.annotate import Export, hand_out, record
from flows.buildplan import BuildPlan
from flows.console import console
from flows.sampling_plan import TaskPlan
from pipeline.core import store
from pipeline.core.buildfile import resolve


def handed_out(plan: BuildPlan, work: Path, build_file: Path) -> list[dict[str, Any]]:
    """Make a batch of the first round of every task that has candidates; returns what they are.

    A batch is named by the build and the fingerprint of its candidates, so that the same candidates
    are given out once, whatever else changes.
    """
    return [
        made
        for task in plan.tasks
        if (made := _handed_out(plan, task, work, build_file)) is not None
    ]


def _handed_out(
    plan: BuildPlan, task: TaskPlan, work: Path, build_file: Path
) -> dict[str, Any] | None:
    items = store.read_all(task.candidates.folder, "items")
    if not items.num_rows:
        return None
    given = plan.corpus.build.candidates
    specs = resolve(given.specs, build_file, "candidates.specs") if given.specs else None
    request = Export(
        task=task.task,
        to=given.tool,
        annotators=_people(given.annotators),
        batch=f"{plan.name}-{task.candidates.fingerprint[:8]}",
        seed=plan.corpus.build.seed,
        work=work,
        specs=specs,
    )
    return record(*hand_out(request, items))


def _people(given: int | tuple[str, ...] | None) -> str | None:
    """Return annotators as `klue export` takes them."""
    if given is None or isinstance(given, int):
        return None if given is None else str(given)
    return ",".join(given)


def show_batches(batches: list[dict[str, Any]]) -> None:
    """Print where each batch lies."""
    out = console()
    for batch in batches:
        told = f"{batch['items']:,} items of {batch['spec']}, round {batch['round']}"
        out.print(f"batch        {batch['name']}: {told}: {batch['folder']}/export", soft_wrap=True)
