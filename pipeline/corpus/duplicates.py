"""Stage `dedup`: exact duplicates leave, near-duplicates share a cluster id.

Exact means equal after normalisation, within one source and one kind of unit; the first in the
source's order stays; with `exact: keep` all stay, in its cluster. Near-duplicates (trigram
Jaccard at or above the threshold) of one kind stay, over all sources, so that later splits can keep
a cluster together.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.core import ledger, schemas, store
from pipeline.core.database import open_database, sql_string
from pipeline.core.pool import active
from pipeline.core.stage import Call, Outcome, Shard, Stage, table_shards
from pipeline.corpus.signatures import BANDS, shingles

EXACT = "duplicate.exact@1"
#: In a band shared by more units than this, each is compared with its neighbours alone.
CROWD = 16
#: Pairs that are joined with their texts at a time, and that are held in memory of these.
BATCH = 100_000
FETCH = 5_000

#: Two units and their texts.
_Pair = tuple[str, str, str, str]

# Units are numbered in corpus order, so that joins handle integers: a file begins with the number
# of rows in the files before. A unit whose exact duplicate came before is not compared again.
_FILES = """
    CREATE TABLE files AS
    SELECT filename, regexp_extract(filename, 'signatures-(.*)[.]parquet$', 1) AS label,
           CAST(sum(count(*)) OVER (ORDER BY filename) - count(*) AS BIGINT) AS first
    FROM read_parquet(?, filename = true) GROUP BY filename
"""
_NUMBERED = """
    CREATE TABLE units AS
    SELECT f.first + s.file_row_number AS n, s.source || '-' || f.label AS shard, s.unit, s.source,
           s.kind, s.exact, s.bands
    FROM read_parquet(?, filename = true, file_row_number = true) s JOIN files f USING (filename)
"""
_EXACT = """
    CREATE TABLE repeats AS
    SELECT u.n, u.shard, u.unit, f.unit AS original
    FROM units u
    JOIN (SELECT source, kind, exact, min(n) AS n FROM units GROUP BY ALL HAVING count(*) > 1) g
      USING (source, kind, exact)
    JOIN units f ON f.n = g.n
    WHERE u.n <> g.n
"""
_BAND = """
    INSERT INTO pairs
    WITH shared AS (
      SELECT n, kind, hash, count(*) OVER (PARTITION BY hash, kind) AS crowd,
             row_number() OVER (PARTITION BY hash, kind ORDER BY n) AS place
      FROM (SELECT n, kind, bands[{band}] AS hash FROM units ANTI JOIN repeats USING (n)) b
      SEMI JOIN (
        SELECT kind, bands[{band}] AS hash FROM units ANTI JOIN repeats USING (n)
        GROUP BY hash, kind HAVING count(*) > 1) g USING (hash, kind))
    SELECT a.n, b.n FROM shared a JOIN shared b
      ON a.hash = b.hash AND a.kind = b.kind AND a.place < b.place
     AND (a.crowd <= {crowd} OR b.place - a.place <= 2 OR a.place = 1)
"""
_TEXTS = """
    CREATE TABLE texts AS
    SELECT u.n, u.unit, t.text
    FROM read_parquet(?) t JOIN units u ON u.unit = t.id
    SEMI JOIN (SELECT a AS n FROM pairs UNION SELECT b FROM pairs) p ON p.n = u.n
"""
_COMPARED = """
    SELECT l.unit, r.unit, l.text, r.text
    FROM (SELECT a, b FROM found WHERE number BETWEEN ? AND ?) p
    JOIN texts l ON l.n = p.a
    JOIN texts r ON r.n = p.b
"""


def _prepare(call: Call, folder: Path) -> None:
    """Write `exact.parquet` (original) and `clusters.parquet` (cluster), by shard and unit."""
    signatures, units = _files(call, "signatures"), _files(call, "units")
    with open_database(folder) as db:
        db.execute(_FILES, [signatures])
        db.execute(_NUMBERED, [signatures])
        db.execute(_EXACT)
        target = sql_string(folder / "exact.parquet")
        db.execute(f"COPY (SELECT shard, unit, original FROM repeats ORDER BY shard) TO {target}")
        db.execute("CREATE TABLE pairs (a BIGINT, b BIGINT)")
        for band in range(1, BANDS + 1):
            db.execute(_BAND.format(band=band, crowd=CROWD))
        pairs = _similar(db, units, call.params["threshold"])
        if call.params.get("exact") == "keep":
            again = db.execute("SELECT unit, original FROM repeats").fetchall()
            pq.write_table(
                pq.read_table(folder / "exact.parquet").slice(0, 0), folder / "exact.parquet"
            )
            pairs = chain(pairs, again)
        clusters = components(pairs)
        members = pa.table(
            {
                "unit": pa.array(clusters.keys(), pa.string()),
                "cluster": pa.array(clusters.values(), pa.string()),
            }
        )
        db.register("members", members)
        target = sql_string(folder / "clusters.parquet")
        db.execute(
            "COPY (SELECT shard, unit, cluster FROM members JOIN units USING (unit)"
            f" ORDER BY shard) TO {target}"
        )


def _similar(
    db: duckdb.DuckDBPyConnection, units: list[str], threshold: float
) -> Iterator[tuple[str, str]]:
    """Yield the candidate pairs whose trigram Jaccard similarity reaches the threshold.

    The workers of the active pool compare them.
    """
    db.execute(_TEXTS, [units])
    db.execute(
        "CREATE TABLE found AS SELECT a, b, row_number() OVER () AS number"
        " FROM (SELECT DISTINCT a, b FROM pairs)"
    )
    for similar in active().map(partial(_at_least, threshold), _compared(db)):
        yield from similar


def _compared(db: duckdb.DuckDBPyConnection) -> Iterator[list[_Pair]]:
    """Yield the candidate pairs with their texts, few at a time."""
    ((total,),) = db.execute("SELECT count(*) FROM found").fetchall()
    for first in range(1, total + 1, BATCH):
        compared = db.execute(_COMPARED, [first, first + BATCH - 1])
        while pairs := compared.fetchmany(FETCH):
            yield pairs


def _at_least(threshold: float, pairs: list[_Pair]) -> list[tuple[str, str]]:
    """Return the ids of the pairs whose texts are so similar."""
    sets = {text: shingles(text) for pair in pairs for text in pair[2:]}
    return [
        (left, right)
        for left, right, text, other in pairs
        if similarity(sets[text], sets[other]) >= threshold
    ]


def similarity(left: set[str], right: set[str]) -> float:
    """Return the Jaccard similarity of two texts' character trigrams, from 0 to 1."""
    common = len(left & right)
    return common / (len(left) + len(right) - common)


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
    originals = _lookup(folder / "exact.parquet", shard.label, "original")
    clusters = _lookup(folder / "clusters.parquet", shard.label, "cluster")
    repeated = pc.is_in(units.column("id"), value_set=pa.array(sorted(originals), pa.string()))
    dropped = units.filter(repeated)
    units_dropped = dropped.column("id").to_pylist()
    reason = pa.array([f"repeats {originals[unit]}" for unit in units_dropped], pa.string())
    rows = ledger.rows(dropped, stage="dedup", rule=EXACT, action="drop", reason=reason)
    kept = units.filter(pc.invert(repeated))
    names = [clusters.get(unit, unit) for unit in kept.column("id").to_pylist()]
    kept = kept.append_column(schemas.KEPT.field("cluster"), pa.array(names, pa.string()))
    return Outcome(
        units.num_rows, {"kept": kept, "ledger": rows}, units.column("id").combine_chunks()
    )


def _lookup(path: Path, shard: str, column: str) -> dict[str, str]:
    table = pq.read_table(path, columns=["unit", column], filters=[("shard", "=", shard)])
    return dict(schemas.rows(table, "unit", column))


def _files(call: Call, name: str) -> list[str]:
    return [str(path) for folder in call.inputs for path in store.tables(folder, name)]


STAGE = Stage(
    name="dedup",
    main="kept",
    invariant="filter",
    shards=lambda call: table_shards(call, "units"),
    run=_run,
    prepare=_prepare,
    distributions=("duckdb",),
)
