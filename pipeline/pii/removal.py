"""Stage `pii`: sentences with an e-mail or web address or a mention leave (Section 2.3).

All 16 types are looked for and noted in the table `personal`; those in `drop` make a unit leave.
"""

from __future__ import annotations

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
    at = hits.column("row")
    owners = units.select(["id", "source"]).take(at)
    columns = {"unit": owners.column("id"), "source": owners.column("source")}
    columns |= {
        name: hits.column(name) for name in schemas.PERSONAL.names if name in schemas.HITS.names
    }
    personal = schemas.check(pa.table(columns).select(schemas.PERSONAL.names), "personal")
    leaving = _leaving(hits, drop)
    gone = pa.array(sorted(leaving), pa.int64())
    stays = pc.invert(pc.is_in(pa.array(range(units.num_rows), pa.int64()), value_set=gone))
    rows = [_row(units, row, found) for row, found in sorted(leaving.items())]
    return {
        "units": units.filter(stays),
        "personal": personal,
        "ledger": schemas.build("ledger", rows),
    }


def _leaving(hits: pa.Table, drop: list[str]) -> dict[int, list[dict[str, object]]]:
    """Return the hits that make a unit leave, by row."""
    found: dict[int, list[dict[str, object]]] = {}
    for hit in hits.filter(
        pc.is_in(hits.column("type"), value_set=pa.array(drop, pa.string()))
    ).to_pylist():
        found.setdefault(hit["row"], []).append(hit)
    return found


def _row(units: pa.Table, row: int, hits: list[dict[str, object]]) -> dict[str, object]:
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
    law="filter",
    shards=lambda call: table_shards(call, "units"),
    run=_run,
)
