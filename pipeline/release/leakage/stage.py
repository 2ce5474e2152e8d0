"""Stage `leakage`: what the splits of a task share with each other and with named files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pipeline.core import store
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.release.leakage.check import STAGE_NAME, check

ALL: Final = "all"


def _run(call: Call, shard: Shard) -> Outcome:
    examples = store.read_all(shard.payload, "examples")
    against = [Path(path) for path in call.arguments.get("against", ())]
    checked = check(examples, task=call.params["task"], against=against)
    tables = {"leaks": checked.leaks, "overlaps": checked.overlaps, "ledger": checked.ledger}
    return Outcome(examples.num_rows, tables)


STAGE = Stage(
    name=STAGE_NAME,
    main="leaks",
    law="own",
    shards=lambda call: iter([Shard(ALL, call.inputs[0])]),
    run=_run,
    distributions=("numpy",),
)
