"""Stage `select`: the decisions about whole documents: repeated keys and the source's timeframe."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.core import ledger, store
from pipeline.core.join_memory import MEMORY
from pipeline.core.numbered import Numbers
from pipeline.core.partitions import Partitions, Rows, in_order, scratch, shared_groups
from pipeline.core.stage import Call, Outcome, Shard, Stage, own_shards

REPEATED = "read.repeated_id@1"
TIMEFRAME = "select.timeframe@1"
#: The days that an open timeframe begins and ends with.
_FIRST, _LAST = "0001-01-01", "9999-12-31"
#: Rows of a group of repeated documents: a shard reads the groups alone that name it.
_ROWS: Final = 2**14
#: `key` and `rest` are a digest of a document's id.
_DOCUMENT: Final = [("key", "<u8"), ("rest", "<u8"), ("file", "<i8"), ("row", "<i8")]


def _prepare(call: Call, folder: Path) -> None:
    """Write the ids that occur more than once, each occurrence but the first by file and row."""
    paths = store.tables(call.inputs[0], "documents")
    schema = pa.schema({"shard": pa.string(), "row": pa.int64()})
    with (
        scratch(folder) as place,
        pq.ParquetWriter(folder / "repeated.parquet", schema, compression="zstd") as writer,
    ):
        memory = call.arguments.get("memory", MEMORY)
        repeats = _repeats(paths, place, memory)
        for files, rows in in_order(repeats, place / "repeats", memory, below=len(paths)):
            names = pa.array([paths[file].name for file in files.tolist()], pa.string())
            writer.write_table(pa.table([names, rows], schema=schema), row_group_size=_ROWS)


def _repeats(paths: list[Path], folder: Path, memory: int) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield file and row of documents whose id came before."""
    documents = Partitions(folder / "documents", _DOCUMENT, memory)
    for file, path in enumerate(paths):
        ids = store.read_table(path, "documents", ("id",)).column("id").to_pylist()
        rows = np.empty(len(ids), _DOCUMENT)
        digests = b"".join(blake2b(name.encode(), digest_size=16).digest() for name in ids)
        rows[["key", "rest"]] = np.frombuffer(digests, [("key", "<u8"), ("rest", "<u8")])
        rows["file"], rows["row"] = file, np.arange(len(ids))
        documents.add(rows)
    first: Rows = np.empty(0, _DOCUMENT)
    for part in documents.parts():
        rows, starts = shared_groups(part)
        first = first if part.continues else rows[:1]
        is_repeat = rows["rest"] == (first if part.continues else rows[starts])["rest"]
        if not part.continues:
            is_repeat &= starts != np.arange(len(rows))
        yield rows["file"][is_repeat], rows["row"][is_repeat]


def _shards(call: Call) -> Iterator[Shard]:
    for shard in own_shards(call, "documents"):
        reads = shard.reads and [*shard.reads, sorted(_repeated(call, shard))]
        yield shard._replace(reads=reads)


def _repeated(call: Call, shard: Shard) -> set[int]:
    """Return the rows of a shard whose ids came before."""
    path = store.partial_of(call.folder) / "repeated.parquet"
    rows = pq.read_table(path, filters=[("shard", "=", shard.payload.name)])
    return set(rows.column("row").to_pylist())


def _run(call: Call, shard: Shard) -> Outcome:
    documents = store.read_table(shard.payload, "documents")
    kept, rows = select(
        documents,
        repeated=_repeated(call, shard),
        start=call.params["from"],
        end=call.params["to"],
    )
    return Outcome(
        documents.num_rows,
        {"documents": kept, "ledger": rows},
        documents.column("id").combine_chunks(),
    )


def select(
    documents: pa.Table, *, repeated: set[int], start: str | None, end: str | None
) -> tuple[pa.Table, pa.Table]:
    """Leave out documents whose key was read before and those outside the timeframe.

    `repeated` are row numbers; `start` and `end` are ISO dates, both inclusive, or None. A document
    without a date is kept. Returns the documents kept and the ledger rows.
    """
    number = pa.array(range(documents.num_rows), pa.int64())
    again = pc.is_in(number, value_set=pa.array(sorted(repeated), pa.int64()))
    dates = documents.column("date")
    outside = pc.or_(pc.less(dates, start or _FIRST), pc.greater(dates, end or _LAST))
    outside = pc.and_(pc.fill_null(outside, False), pc.invert(again))
    late = f"date outside {start or '...'} to {end or '...'}"
    rows = [
        ledger.rows(
            documents.filter(again),
            stage="select",
            rule=REPEATED,
            action="quarantine",
            reason="key was read before",
        ),
        ledger.rows(
            documents.filter(outside), stage="select", rule=TIMEFRAME, action="drop", reason=late
        ),
    ]
    return documents.filter(pc.invert(pc.or_(again, outside))), pa.concat_tables(rows)


STAGE = Stage(
    name="select",
    main="documents",
    invariant="filter",
    shards=_shards,
    run=_run,
    prepare=_prepare,
)
