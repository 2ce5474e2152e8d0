"""Stage `clean`: the noise and news rules over units, every edit and drop in the ledger."""

from __future__ import annotations

from pipeline.core import store
from pipeline.core.stage import Call, Outcome, Shard, Stage, table_shards
from pipeline.corpus.rules.table import clean


def _run(call: Call, shard: Shard) -> Outcome:
    units = store.read_table(shard.payload, "units")
    kept, rows = clean(units, call.params["rules"], max_foreign=call.params["max_foreign"])
    inputs = units.column("id").combine_chunks()
    return Outcome(units.num_rows, {"units": kept, "ledger": rows}, inputs)


STAGE = Stage(
    name="clean",
    main="units",
    law="filter",
    shards=lambda call: table_shards(call, "units"),
    run=_run,
)
