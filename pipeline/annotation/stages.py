"""What the stages of annotation share: their task and spec, one shard a task, and their output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

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


def outcome(
    candidates: pa.Table, items: pa.Table, votes: pa.Table, *ledgers: pa.Table, stage: str
) -> Outcome:
    """Return the output of a stage of annotation: items, votes, and a ledger.

    A candidate that is no item, and from which no item was made (a premise: its pairs), gets a row
    of the ledger (drop). Raises ConservationError for an item that is there twice.
    """
    names = items.column("item").to_pylist()
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ConservationError(f"{len(twice)} items are there more than once: {twice[:5]}")
    present = pa.array({*names, *(name.rpartition(".")[0] for name in names)}, pa.string())
    unwritten = drop_rows(
        candidates.filter(pc.invert(pc.is_in(candidates["item"], value_set=present))),
        stage=stage,
        rule="annotation.unwritten@1",
        reason="no hypothesis was written for it",
    )
    ledger = pa.concat_tables([*ledgers, unwritten])
    return Outcome(candidates.num_rows, {"items": items, "votes": votes, "ledger": ledger})


def drop_rows(items: pa.Table, *, stage: str, rule: str, reason: str) -> pa.Table:
    """Return ledger rows (drop) of items, one each."""
    rows: list[dict[str, object]] = [
        {
            "unit": item,
            "source": source or "",
            "stage": stage,
            "rule": rule,
            "action": "drop",
            "reason": reason,
        }
        for item, source in schemas.rows(items, "item", "source")
    ]
    return schemas.build("ledger", rows)
