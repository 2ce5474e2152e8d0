"""The funnel of a task: kept units to candidates, what was refused, and quotas that fell short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pyarrow.compute as pc
import pyarrow.dataset as ds

from flows.plan.candidates import TaskPlan
from flows.view.funnel import manifest
from pipeline.core import store
from pipeline.core.errors import ConservationError

Counts = dict[str, int]


@dataclass
class TaskFunnel:
    """The counts of one task.

    units = drawn + refused + undrawn; a unit may be drawn for several `items`. `items` are counted
    by source and sampler ("wikitree kb"), refusals by rule; `before` are refusals of the stage that
    comes before (round trips), whose units may still be drawn otherwise. `short` says which quotas
    were not met.
    """

    units: int = 0
    drawn: int = 0
    refused: int = 0
    undrawn: int = 0
    items: int = 0
    samplers: Counts = field(default_factory=dict)
    refusals: Counts = field(default_factory=dict)
    before: Counts = field(default_factory=dict)
    quarantines: Counts = field(default_factory=dict)
    short: list[str] = field(default_factory=list)


def task_funnels(tasks: list[TaskPlan]) -> dict[str, TaskFunnel]:
    """Return the funnel of every task whose candidates are drawn, checked."""
    return {task.task: _funnel(task) for task in tasks}


def _funnel(task: TaskPlan) -> TaskFunnel:
    counts = manifest(task.candidates).counts
    found = TaskFunnel(
        units=counts.rows_in,
        drawn=counts.drawn,
        refused=counts.dropped,
        undrawn=counts.undrawn,
        items=counts.rows_out,
        samplers=_samplers(task),
        refusals=counts.rules.get("drop", {}),
        before=_before(task),
        quarantines=_merged(task, "quarantine"),
        short=_short(task),
    )
    if found.units != found.drawn + found.refused + found.undrawn:
        raise ConservationError(
            f"{task.task}: {found.units} units, {found.drawn} drawn + {found.refused} refused"
            f" + {found.undrawn} undrawn"
        )
    return found


def _before(task: TaskPlan) -> Counts:
    return _added(manifest(call).counts.rules.get("drop", {}) for call in task.calls[:-1])


def _merged(task: TaskPlan, action: str) -> Counts:
    return _added(manifest(call).counts.rules.get(action, {}) for call in task.calls)


def _added(counts: Iterable[Counts]) -> Counts:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))


def _samplers(task: TaskPlan) -> Counts:
    files = [str(path) for path in store.tables(task.candidates.folder, "items")]
    if not files:
        return {}
    table = ds.dataset(files).to_table(columns=["source", "sampler"])
    counted = table.group_by(["source", "sampler"]).aggregate([([], "count_all")])
    columns = (counted.column(name).to_pylist() for name in ("source", "sampler", "count_all"))
    rows = zip(*columns, strict=True)
    return dict(sorted((_name(source, sampler), n) for source, sampler, n in rows))


def _name(source: str | None, sampler: str | None) -> str:
    if source is None or sampler is None or source == sampler or sampler.startswith(f"{source}-"):
        return sampler or source or "?"
    return f"{source} {sampler}"


def _short(task: TaskPlan) -> list[str]:
    """Return what the calls of a task say of quotas that they could not meet, the last one last.

    A quota that two calls are about (round trips: translated, then paired) is told once.
    """
    found: dict[str, str] = {}
    for call in task.calls:
        files = [str(path) for path in store.tables(call.folder, "ledger")]
        if files:
            rows = ds.dataset(files).to_table(
                columns=["unit", "source", "reason"], filter=pc.field("action") == "short"
            )
            found |= {row["unit"]: _told(row) for row in rows.to_pylist()}
    return [found[unit] for unit in sorted(found)]


def _told(row: dict[str, Any]) -> str:
    reason = str(row["reason"])
    return reason if row["source"] in reason else f"{row['source']} {reason}"
