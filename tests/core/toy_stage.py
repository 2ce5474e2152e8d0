"""A stage for tests: numbered units in, every third one dropped."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import ledger, schemas
from pipeline.core.stage import Call, Outcome, Shard, Stage


def units(first: int, n: int) -> pa.Table:
    rows = [
        {
            "id": f"toy-s{i:06d}",
            "source": "toy",
            "document": f"toy-d{i:06d}",
            "kind": "sentence",
            "ordinal": 0,
            "start": 0,
            "end": 2,
            "text": f"가{i}",
        }
        for i in range(first, first + n)
    ]
    return schemas.build("units", rows)


def _shards(call: Call) -> Iterator[Shard]:
    for i in range(call.params["shards"]):
        yield Shard(f"{i:05d}", i)


def _run(call: Call, shard: Shard) -> Outcome:
    trap = call.arguments.get("trap")
    if trap and shard.payload == 3 and os.path.exists(trap):  # noqa: PTH110
        os.unlink(trap)  # noqa: PTH108
        if call.arguments.get("kill"):
            os.kill(os.getpid(), signal.SIGKILL)
        raise RuntimeError("fell over")
    table = units(shard.payload * 10, 10)
    number = pc.cast(pc.utf8_slice_codeunits(table.column("id"), 5), pa.int64())
    third = pc.equal(pc.subtract(number, pc.multiply(pc.divide(number, 3), 3)), 0)
    dropped = table.filter(third)
    lost = call.params.get("lose", 0)
    rows = ledger.rows(dropped, stage="toy", rule="toy.third@1", action="drop", reason="third")
    kept = table.filter(pc.invert(third))
    if call.params.get("swap"):  # the numbers add up, the units do not
        kept = pa.concat_tables([kept.slice(0, 1), kept.slice(0, kept.num_rows - 1)])
    inputs = table.column("id").combine_chunks()
    return Outcome(10, {"units": kept.slice(lost), "ledger": rows}, inputs)


STAGE = Stage(name="toy", main="units", invariant="filter", shards=_shards, run=_run)
