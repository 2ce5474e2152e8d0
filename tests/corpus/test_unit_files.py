"""Pairs of numbers, written for the shard of the first one, however they came."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.numbered import Texts, TextWriter
from pipeline.corpus.unit_files import UnitFile, write_by_shard


@given(
    rows=st.lists(st.integers(0, 5), min_size=1, max_size=6),
    chosen=st.sets(st.integers(0, 29)),
    cuts=st.lists(st.integers(0, 29), max_size=4),
)
def test_each_shard_has_its_pairs(rows: list[int], chosen: set[int], cuts: list[int]) -> None:
    firsts = [*accumulate(rows, initial=0)]
    units = np.array(sorted(n for n in chosen if n < firsts[-1]), np.int64)
    batches = [(some, some // 2) for some in np.split(units, sorted(cuts))]
    with TemporaryDirectory() as folder:
        found = _written(Path(folder), rows, batches)
    assert found == [
        [(f"u{n}", f"u{n // 2}") for n in units.tolist() if first <= n < first + many]
        for first, many in zip(firsts, rows, strict=False)
    ]


def _written(
    folder: Path, rows: list[int], batches: Sequence[tuple[np.ndarray, np.ndarray]]
) -> list[list[tuple[str, str]]]:
    """Return the rows that stand in the file of each shard, the shards having so many units."""
    firsts = [*accumulate(rows, initial=0)]
    files = [
        UnitFile("s", f"s-{n:05}", folder, folder, first, many)
        for n, (first, many) in enumerate(zip(firsts, rows, strict=False))
    ]
    with closing(TextWriter(folder, "ids")) as ids:
        ids.add(pa.chunked_array([[f"u{n}" for n in range(firsts[-1])]], pa.string()))
    write_by_shard(folder / "exact", files, Texts(folder, "ids"), original=iter(batches))
    found = []
    for file in files:
        table = pq.read_table(folder / "exact" / f"{file.shard}.parquet")
        assert table.column_names == ["unit", "original"]
        found.append([tuple(row.values()) for row in table.to_pylist()])
    return found
