"""Stage `length`: short sentences of sources leave whose longer ones are well formed.

Section 4.1 keeps those of at least 200 characters of CC-100 and the news crawl.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import ledger, store
from pipeline.core.stage import Call, Outcome, Shard, Stage, own_shards

SHORT: Final = "length.short@1"


def drop_short(units: pa.Table, shortest: int) -> tuple[pa.Table, pa.Table]:
    """Return the units of at least `shortest` characters and the ledger rows of the others.

    Their score is how many characters they have.
    """
    lengths = pc.utf8_length(units.column("text"))
    is_short = pc.less(lengths, shortest)
    rows = ledger.rows(
        units.filter(is_short),
        stage="length",
        rule=SHORT,
        action="drop",
        reason=f"fewer than {shortest} characters",
        score=lengths.filter(is_short).cast(pa.float64()),
    )
    return units.filter(pc.invert(is_short)), rows


def _run(call: Call, shard: Shard) -> Outcome:
    units = store.read_table(shard.payload, "units")
    kept, rows = drop_short(units, call.params["shortest"])
    return Outcome(
        units.num_rows, {"units": kept, "ledger": rows}, units.column("id").combine_chunks()
    )


STAGE = Stage(
    name="length",
    main="units",
    invariant="filter",
    shards=lambda call: own_shards(call, "units"),
    run=_run,
)
