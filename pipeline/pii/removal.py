"""Stage `pii`: sentences with personal data leave, or have it masked or replaced.

All 16 types are looked for and noted in the table `personal`; what becomes of which is the build's
choice (policy.py). Section 2.3 drops those with an e-mail or web address or a mention.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas, store
from pipeline.core.stage import Call, Outcome, Shard, Stage, own_shards
from pipeline.pii.key import read_key
from pipeline.pii.kinds import MINIMUM, TYPES

if TYPE_CHECKING:
    from pipeline.pii.actions import Pseudonymiser

#: What the stage imports when it runs: a plan can do without hundreds of compiled patterns.
MODULES: Final = ("pipeline.pii.actions", "pipeline.pii.detect")


def remove(
    units: pa.Table,
    drop: Collection[str],
    *,
    minimum: float,
    mask: Collection[str] = (),
    pseudonyms: tuple[Collection[str], Pseudonymiser | None] = ((), None),
) -> dict[str, pa.Table]:
    """Split units into those that stay and ledger rows of those with data of a type in `drop`.

    `mask` are the types that are masked in what stays, `pseudonyms` those that are replaced, and by
    what; the ledger has a row for every unit and type of them. Returns `units`, `personal` (hits of
    any type, also less sure ones, with places in the text as it was) and `ledger`. A unit leaves
    once, under the first of its types in the order of Table 29; the reason names them all.
    """
    from pipeline.pii.actions import pseudonymise, redact
    from pipeline.pii.detect import detect

    hits = detect(units.column("text"), minimum=min(minimum, MINIMUM))
    owners = units.select(["id", "source"]).take(hits.column("row"))
    columns = {"unit": owners.column("id"), "source": owners.column("source")}
    columns |= {
        name: hits.column(name) for name in schemas.PERSONAL.names if name in schemas.HITS.names
    }
    personal = schemas.check(pa.table(columns).select(schemas.PERSONAL.names), "personal")
    sure = hits.filter(pc.greater_equal(hits["confidence"], minimum))
    by_row = groupby(_of_types(sure, drop).to_pylist(), key=itemgetter("row"))
    leaving = {row: list(row_hits) for row, row_hits in by_row}
    rows = [_ledger_row(units, row, row_hits) for row, row_hits in leaving.items()]
    stays = np.ones(units.num_rows, dtype=bool)
    stays[list(leaving)] = False
    edits = _of_types(sure.filter(stays[sure["row"].to_numpy()]), {*mask, *pseudonyms[0]})
    if edits.num_rows:
        texts = units.column("text").combine_chunks()
        place, pseudonymiser = units.schema.get_field_index("text"), pseudonyms[1]
        edited = (
            pseudonymise(texts, edits, pseudonymiser, masked=mask)
            if pseudonymiser is not None
            else redact(texts, edits)
        )
        units = units.set_column(place, units.schema.field(place), edited)
        by_type = sorted(edits.to_pylist(), key=itemgetter("row", "type"))
        for (row, type), of_unit in groupby(by_type, key=itemgetter("row", "type")):
            how = "masked" if type in mask else "replaced"
            rows.append(_ledger_row(units, row, list(of_unit), "edit", f"personal data {how}"))
    return {
        "units": units.filter(pa.array(stays)),
        "personal": personal,
        "ledger": schemas.build("ledger", rows),
    }


def _of_types(hits: pa.Table, types: Collection[str]) -> pa.Table:
    return hits.filter(pc.is_in(hits.column("type"), value_set=pa.array(list(types), pa.string())))


def _ledger_row(
    units: pa.Table,
    row: int,
    hits: list[dict[str, object]],
    action: str = "drop",
    why: str = "holds personal data",
) -> dict[str, object]:
    """Make the ledger row of a unit; it names types and rules, never the value."""
    first = min(hits, key=lambda hit: TYPES.index(str(hit["type"])))
    rules = sorted({str(hit["rule"]) for hit in hits})
    return {
        "unit": units.column("id")[row].as_py(),
        "source": units.column("source")[row].as_py(),
        "stage": "pii",
        "rule": f"pii.{first['type']}@1",
        "action": action,
        "reason": f"{why}: {', '.join(rules)}",
        "score": first["confidence"],
    }


def _run(call: Call, shard: Shard) -> Outcome:
    units, params = store.read_table(shard.payload, "units"), call.params
    maker = None
    if params["pseudonymise"]:
        from pipeline.pii.actions import Pseudonymiser

        maker = Pseudonymiser(read_key(Path(call.arguments["key_file"])))
    tables = remove(
        units,
        params["drop"],
        minimum=params["minimum"],
        mask=params["mask"],
        pseudonyms=(params["pseudonymise"], maker),
    )
    return Outcome(units.num_rows, tables, units.column("id").combine_chunks())


STAGE = Stage(
    name="pii",
    main="units",
    invariant="filter",
    shards=lambda call: own_shards(call, "units"),
    run=_run,
    distributions=("Faker",),
)
