"""Stage `dedup`: exact duplicates leave, near-duplicates share a cluster id.

Exact means equal after normalisation, within one source and one kind of unit; the first in the
source's order stays. Near-duplicates (trigram Jaccard at or above the threshold) stay, over all
sources, so that later splits can keep a cluster together.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import ledger, schemas, store
from pipeline.core.stage import Call, Outcome, Shard, Stage, table_shards
from pipeline.ingest.signatures import shingles

EXACT = "duplicate.exact@1"
#: In a band shared by more units than this, each is compared with its neighbours by id alone.
CROWD = 16

_EXACT = """
    CREATE TABLE firsts AS
    SELECT unit, source, kind, exact, filename, file_row_number AS row,
           first_value(unit) OVER (
             PARTITION BY source, kind, exact ORDER BY filename, file_row_number) AS original
    FROM read_parquet(?, filename = true, file_row_number = true)
"""
_DUPLICATES = """
    COPY (SELECT unit, original FROM firsts WHERE unit <> original ORDER BY unit)
    TO '{}' (FORMAT parquet)
"""
_BANDS = """
    CREATE TABLE crowds AS
    SELECT s.unit, unnest(s.bands) AS hash
    FROM read_parquet(?) s JOIN firsts f ON s.unit = f.unit AND f.unit = f.original
"""
_PAIRS = """
    CREATE TABLE pairs AS
    WITH shared AS (
      SELECT unit, hash, count(*) OVER (PARTITION BY hash) AS crowd,
             row_number() OVER (PARTITION BY hash ORDER BY unit) AS place
      FROM crowds QUALIFY crowd > 1)
    SELECT DISTINCT a.unit AS left_unit, b.unit AS right_unit
    FROM shared a JOIN shared b
      ON a.hash = b.hash AND a.place < b.place
     AND (a.crowd <= {crowd} OR b.place - a.place <= 2 OR a.place = 1)
"""
_TEXTS = """
    SELECT p.left_unit, p.right_unit, l.text, r.text
    FROM pairs p
    JOIN read_parquet($units) l ON l.id = p.left_unit
    JOIN read_parquet($units) r ON r.id = p.right_unit
"""


def _prepare(call: Call, folder: Path) -> None:
    """Write `exact.parquet` (unit, original) and `clusters.parquet` (unit, cluster)."""
    signatures, units = _files(call, "signatures"), _files(call, "units")
    with duckdb.connect(str(folder / "join.duckdb"), config=store.duckdb_config(folder)) as db:
        db.execute(_EXACT, [signatures])
        db.execute(_DUPLICATES.format(_quoted(folder / "exact.parquet")))
        db.execute(_BANDS, [signatures])
        db.execute(_PAIRS.format(crowd=CROWD))
        pairs = _similar(db, units, call.params["threshold"])
        clusters = components(pairs)
    (folder / "join.duckdb").unlink()
    members = sorted(clusters)
    table = pa.table(
        {
            "unit": pa.array(members, pa.string()),
            "cluster": pa.array([clusters[m] for m in members], pa.string()),
        }
    )
    store.write_parquet(folder / "clusters.parquet", table)


def _similar(
    db: duckdb.DuckDBPyConnection, units: list[str], threshold: float
) -> Iterator[tuple[str, str]]:
    """Yield the candidate pairs whose trigram Jaccard similarity reaches the threshold."""
    result = db.execute(_TEXTS, {"units": units})
    while rows := result.fetchmany(10_000):
        for left, right, text, other in rows:
            if similarity(text, other) >= threshold:
                yield left, right


def similarity(left: str, right: str) -> float:
    """Return the Jaccard similarity of two texts' character trigrams, from 0 to 1."""
    a, b = shingles(left), shingles(right)
    common = len(a & b)
    return common / (len(a) + len(b) - common)


def components(pairs: Iterator[tuple[str, str]]) -> dict[str, str]:
    """Return for every unit in a pair the smallest id that it is connected with."""
    parent: dict[str, str] = {}

    def find(unit: str) -> str:
        root = unit
        while parent.setdefault(root, root) != root:
            root = parent[root]
        while parent[unit] != root:
            parent[unit], unit = root, parent[unit]
        return root

    for left, right in pairs:
        a, b = find(left), find(right)
        parent[max(a, b)] = min(a, b)
    return {unit: find(unit) for unit in parent}


def _run(call: Call, shard: Shard) -> Outcome:
    units = store.read_table(shard.payload, "units")
    folder = store.partial_of(call.folder)
    mine = units.column("id").to_pylist()
    originals = _lookup(folder / "exact.parquet", mine, "original")
    clusters = _lookup(folder / "clusters.parquet", mine, "cluster")
    repeated = pc.is_in(units.column("id"), value_set=pa.array(sorted(originals), pa.string()))
    dropped = units.filter(repeated)
    rows = ledger.rows(dropped, stage="dedup", rule=EXACT, action="drop", reason="")
    reasons = [f"repeats {originals[unit]}" for unit in dropped.column("id").to_pylist()]
    index = schemas.LEDGER.get_field_index("reason")
    rows = rows.set_column(index, schemas.LEDGER.field("reason"), pa.array(reasons, pa.string()))
    kept = units.filter(pc.invert(repeated))
    names = [clusters.get(unit, unit) for unit in kept.column("id").to_pylist()]
    kept = kept.append_column(schemas.KEPT.field("cluster"), pa.array(names, pa.string()))
    return Outcome(units.num_rows, {"kept": kept, "ledger": rows})


def _lookup(path: Path, units: list[str], column: str) -> dict[str, str]:
    wanted = pa.table({"unit": pa.array(units, pa.string())})
    with duckdb.connect(config={"memory_limit": "1GB", "threads": "1"}) as db:
        db.register("wanted", wanted)
        found = db.execute(
            f"SELECT unit, {column} FROM read_parquet(?) SEMI JOIN wanted USING (unit)", [str(path)]
        )
        return dict(found.fetchall())


def _files(call: Call, name: str) -> list[str]:
    return [str(path) for folder in call.inputs for path in store.tables(folder, name)]


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


STAGE = Stage(
    name="dedup",
    main="kept",
    law="filter",
    shards=lambda call: table_shards(call, "units"),
    run=_run,
    prepare=_prepare,
    distributions=("duckdb", "datasketch"),
)
