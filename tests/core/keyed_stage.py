"""A stage for tests: a shard for each number of `numbers`, known by the number that it reads."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import toy_stage

from pipeline.core import schemas
from pipeline.core.stage import Call, Outcome, Shard, Stage


def _shards(call: Call) -> Iterator[Shard]:
    for place, number in enumerate(call.params["numbers"]):
        yield Shard(f"{place:05d}", number, reads=number)


def _run(call: Call, shard: Shard) -> Outcome:
    """Note the number in the file `log`, and end the process at the one that `kill` names."""
    if shard.payload == call.arguments.get("kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    if "log" in call.arguments:
        with Path(call.arguments["log"]).open("a") as log:
            log.write(f"{shard.payload} ")
    table = toy_stage.units(10 * shard.payload, 10)
    inputs = table.column("id").combine_chunks()
    return Outcome(10, {"units": table, "ledger": schemas.empty("ledger")}, inputs)


STAGE = Stage(name="keyed", main="units", invariant="filter", shards=_shards, run=_run)
