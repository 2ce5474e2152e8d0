"""Stage `pii`: sentences with an e-mail or web address or a mention leave (Section 2.3).

All 16 types are looked for and noted in the table `personal`; those in `drop` make a unit leave.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas, store
from pipeline.core.stage import Call, Outcome, Shard, Stage, table_shards
from pipeline.pii.detect import detect
from pipeline.pii.kinds import TYPES


def remove(units: pa.Table, drop: list[str], *, minimum: float) -> dict[str, pa.Table]:
    """Split units into those that stay and ledger rows of those with data of a type in `drop`.

    Returns `units`, `personal` (every hit of any type at or above `minimum`) and `ledger`. A unit
    leaves once, under the first of its types in the order of Table 29; the reason names them all.
    """
    hits = detect(units.column("text"), minimum=minimum)
    owners = units.select(["id", "source"]).take(hits.column("row"))
    columns = {"unit": owners.column("id"), "source": owners.column("source")}
    columns |= {
        name: hits.column(name) for name in schemas.PERSONAL.names if name in schemas.HITS.names
    }
    personal = schemas.check(pa.table(columns).select(schemas.PERSONAL.names), "personal")
    wanted = pc.is_in(hits.column("type"), value_set=pa.array(drop, pa.string()))
    by_row = groupby(hits.filter(wanted).to_pylist(), key=itemgetter("row"))
    leaving = {row: list(row_hits) for row, row_hits in by_row}
    stays = np.ones(units.num_rows, dtype=bool)
    stays[list(leaving)] = False
    rows = [_ledger_row(units, row, row_hits) for row, row_hits in leaving.items()]
    return {
        "units": units.filter(pa.array(stays)),
        "personal": personal,
        "ledger": schemas.build("ledger", rows),
    }


def _ledger_row(units: pa.Table, row: int, hits: list[dict[str, object]]) -> dict[str, object]:
    """Make the ledger row of a unit that leaves; it names types and rules, never the value."""
    first = min(hits, key=lambda hit: TYPES.index(str(hit["type"])))
    rules = sorted({str(hit["rule"]) for hit in hits})
    return {
        "unit": units.column("id")[row].as_py(),
        "source": units.column("source")[row].as_py(),
        "stage": "pii",
        "rule": f"pii.{first['type']}@1",
        "action": "drop",
        "reason": f"holds personal data: {', '.join(rules)}",
        "score": first["confidence"],
    }


def _run(call: Call, shard: Shard) -> Outcome:
    units = store.read_table(shard.payload, "units")
    tables = remove(units, call.params["drop"], minimum=call.params["minimum"])
    return Outcome(units.num_rows, tables, units.column("id").combine_chunks())


STAGE = Stage(
    name="pii",
    main="units",
    invariant="filter",
    shards=lambda call: table_shards(call, "units"),
    run=_run,
)
