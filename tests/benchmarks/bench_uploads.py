"""How many bytes of a new version the Hugging Face hub has already.

    python tests/benchmarks/bench_uploads.py [RELEASE] [--json]

Each large table of a release (the sample without RELEASE), and one of 100,000 reviews in the order
in which they were read, as a pretraining corpus holds them, is written as it is and changed: 20
values of one column edited, 5 rows removed, 1 % of the rows removed wherever they stand, and 1 % of
them removed in one block. Each pair is uploaded with the hub's own client (hf-xet) into a store on
this disk, so that its chunks are the hub's; nothing leaves the machine. Three ways of writing are
compared: pages of a fixed size, pages that end by content as pyarrow does by default, and those of
`pipeline.release.folder`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hf_xet
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from real_reviews import load_texts
from results import ROOT, Figure, parser_of, show

SAMPLE = ROOT / "data/releases/sample/1.0.0"
#: Smaller tables are one page a column, however they are written.
LARGE = 200_000
Table = tuple[str, pa.Table]
Found = dict[str, dict[str, tuple[int, int]]]


def main() -> int:
    """Measure, and print the bytes that are uploaded."""
    parser = parser_of(__doc__)
    parser.add_argument("release", nargs="?", type=Path, default=SAMPLE)
    given = parser.parse_args()
    groups = {"release": list(large_tables(given.release)), "reviews": [reviews()]}
    found = {name: measure(tables) for name, tables in groups.items() if tables}
    figures = [
        Figure(f"new bytes: {name}, {change}, {way}", new / 1e6, "MB")
        for name, ways in found.items()
        for way, changes in ways.items()
        for change, (new, _) in changes.items()
    ]
    return show(__doc__, figures, as_json=given.json, bytes=found)


def large_tables(release: Path) -> Iterator[Table]:
    """Yield the tables of a release that have more than one page a column."""
    for path in sorted(release.rglob("*.parquet")):
        if path.stat().st_size > LARGE:
            yield path.relative_to(release).as_posix(), pq.read_table(path)


def reviews() -> Table:
    """Return reviews with the columns of a pretraining corpus."""
    from pipeline.core.ids import unit_id
    from pipeline.release.pretraining.parts import ROWS

    texts = load_texts(100_000, repeat=True)[1]
    ids = [unit_id("nsmc", str(row), "sentence", 0, 1) for row in range(len(texts))]
    documents = [unit_id("nsmc", str(row), "document") for row in range(len(texts))]
    columns = [ids, documents, ["nsmc"] * len(ids), [" ".join(text.split()) for text in texts], ids]
    return "reviews", pa.table(dict(zip(ROWS.names, columns, strict=True)), schema=ROWS)


def measure(tables: list[Table]) -> Found:
    """Return, by way of writing and change, the bytes that are new and those of all files."""
    from pipeline.release.folder import PARQUET

    plain = {"compression": "zstd"}
    chunked = {**plain, "use_content_defined_chunking": True}
    ways = {"pages of one size": plain, "pyarrow's chunks": chunked, "ours": dict(PARQUET)}
    found: Found = {way: {} for way in ways}
    for way, options in ways.items():
        for _, table in tables:
            for change, changed in versions(table):
                new, all_bytes = _upload(table, changed, options)
                before = found[way].get(change, (0, 0))
                found[way][change] = (before[0] + new, before[1] + all_bytes)
    return found


def versions(table: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    """Yield changed versions of a table; every draw is that of the table's size alone."""
    rows = table.num_rows
    draws = np.random.default_rng(rows)
    some = draws.choice(rows, min(20, rows), replace=False)
    name = next(field.name for field in reversed(table.schema) if field.type == pa.string())
    values = table[name].to_pylist()
    for row in some:
        values[row] = values[(row + 1) % rows]
    place = table.schema.get_field_index(name)
    yield "20 values", table.set_column(place, table.schema.field(place), pa.array(values))
    yield "5 rows", _without(table, draws.choice(rows, 5, replace=False))
    yield "1 % of rows", _without(table, draws.choice(rows, rows // 100, replace=False))
    yield "a block of 1 %", _without(table, np.arange(rows // 3, rows // 3 + rows // 100))


def _without(table: pa.Table, rows: np.ndarray[Any, Any]) -> pa.Table:
    return table.filter(pa.array(~np.isin(np.arange(table.num_rows), rows)))


def _upload(before: pa.Table, after: pa.Table, options: dict[str, Any]) -> tuple[int, int]:
    """Return the bytes that the hub lacks of the second table, and all that its file has."""
    from pipeline.release.folder import ROWS

    with TemporaryDirectory() as folder:
        for name, table in (("before", before), ("after", after)):
            path = Path(folder, f"{name}.parquet")
            pq.write_table(table.combine_chunks(), path, row_group_size=ROWS, **options)
            metrics = _send(path, f"local://{folder}/hub")
        return metrics.new_bytes, metrics.total_bytes


def _send(path: Path, hub: str) -> Any:
    commit = hf_xet.XetSession().new_upload_commit(endpoint=hub)
    commit.start_upload_file(str(path))
    finish: Callable[[], Any] = commit.wait_to_finish
    return finish().dedup_metrics


if __name__ == "__main__":
    sys.exit(main())
