"""The stage `aggregate`: the votes of a task to gold.

params: task, spec (TASK@VERSION). arguments: specs, a folder or None. The one input holds items and
votes. Tables: gold (one row an item), ledger.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import SPECS, load_spec
from pipeline.core import store
from pipeline.core.stage import Call, Outcome, Shard, Stage


def _shards(_call: Call) -> Iterator[Shard]:
    yield Shard("all", None)


def _run(call: Call, _shard: Shard) -> Outcome:
    task, folder = task_of(call.params["task"]), call.arguments.get("specs")
    spec = load_spec(task.id, Path(folder) if folder else SPECS)
    items, votes = (store.read_all(call.inputs[0], name) for name in ("items", "votes"))
    found = aggregate(votes, task=task, spec=spec, items=items)
    return Outcome(items.num_rows, {"gold": found.gold, "ledger": found.ledger})


STAGE = Stage(name="aggregate", main="gold", invariant="mark", shards=_shards, run=_run)
