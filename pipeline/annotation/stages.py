"""What the stages of annotation share: their task and spec, and one shard for all of a task."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import SPECS, TaskSpec, load_spec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import ConservationError
from pipeline.core.stage import Call, Outcome, Shard


def task_and_spec(call: Call) -> tuple[Task, TaskSpec]:
    """Return the task and the spec of a call: `task` of its params, `specs` of its arguments."""
    task, folder = task_of(call.params["task"]), call.arguments.get("specs")
    return task, load_spec(task.id, Path(folder) if folder else SPECS)


def one_shard(_call: Call) -> Iterator[Shard]:
    """Yield the one shard of a task: everybody's votes are judged together."""
    yield Shard("all", None)


def outcome(candidates: pa.Table, items: pa.Table, votes: pa.Table, ledger: pa.Table) -> Outcome:
    """Return what a stage of annotation comes to, held to its law.

    Every candidate is an item, or the origin of items (a premise of its pairs), or has a row in the
    ledger (action drop) that says why it is neither. Raises ConservationError that names ids.
    """
    names = candidates.column("item").to_pylist()
    there = set(items.column("item").to_pylist())
    there |= {name.rpartition(".")[0] for name in there}
    rows: list[dict[str, Any]] = ledger.to_pylist()
    gone = {row["unit"] for row in rows if row["action"] == "drop"}
    lost = [name for name in names if name not in there and name not in gone]
    if lost or len(set(items.column("item").to_pylist())) < items.num_rows:
        raise ConservationError(
            f"{len(names)} candidates in, {len(lost)} of them have neither item nor ledger row:"
            f" {lost[:5]}"
        )
    return Outcome(len(names), {"items": items, "votes": votes, "ledger": ledger})


def unwritten(candidates: pa.Table, items: pa.Table, *, stage: str) -> pa.Table:
    """Return ledger rows (drop) of the candidates about which nobody wrote anything."""
    there = {name.rpartition(".")[0] for name in items.column("item").to_pylist()}
    there |= set(items.column("item").to_pylist())
    rows: list[dict[str, object]] = [
        {
            "unit": row["item"],
            "source": row["source"] or "",
            "stage": stage,
            "rule": "annotation.unwritten@1",
            "action": "drop",
            "reason": "no hypothesis was written for it",
        }
        for row in candidates.to_pylist()
        if row["item"] not in there
    ]
    return schemas.build("ledger", rows)
