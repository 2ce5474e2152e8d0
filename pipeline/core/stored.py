"""A table of a stage that stays in its files: what is asked for is read, and long columns by parts.

It is for reports, which go over the rows again and again and hold little of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core import schemas, store

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class StoredTable:
    """Some columns and rows of a stored table, with what reports need of the methods of `pa.Table`.

    `kept` (rows,) tells which rows of the files are among them. Reading raises StoreError for files
    that are damaged.
    """

    paths: tuple[Path, ...]
    name: str
    columns: tuple[str, ...]
    kept: Bools

    @classmethod
    def of(cls, folder: Path, name: str) -> StoredTable:
        """Return the whole table of that name of a stage's folder."""
        paths = tuple(store.tables(folder, name))
        rows = sum(store.metadata(path).num_rows for path in paths)
        return cls(paths, name, tuple(schemas.TABLES[name].names), np.ones(rows, np.bool_))

    @property
    def num_rows(self) -> int:
        """Return the number of rows."""
        return int(self.kept.sum())

    @property
    def nbytes(self) -> int:
        """Return about how many bytes the rows take in the files before they are compressed."""
        metas = map(store.metadata, self.paths)
        groups = (meta.row_group(place) for meta in metas for place in range(meta.num_row_groups))
        chunks = (group.column(place) for group in groups for place in range(group.num_columns))
        sizes = (
            chunk.total_uncompressed_size
            for chunk in chunks
            if chunk.path_in_schema.partition(".")[0] in self.columns
        )
        return int(sum(sizes) * self.num_rows / max(len(self.kept), 1))

    def select(self, columns: Collection[str]) -> StoredTable:
        """Return it with these columns alone."""
        return replace(self, columns=tuple(columns))

    def filter(self, mask: pa.ChunkedArray) -> StoredTable:
        """Return it with those rows alone for which the mask (rows,) is true."""
        kept = self.kept.copy()
        kept[self.kept] = mask.to_numpy()
        return replace(self, kept=kept)

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        """Read a column."""
        return pa.Table.from_batches(
            self.select([name]).to_batches(), pa.schema([schemas.TABLES[self.name].field(name)])
        )[name]

    column = __getitem__

    def to_batches(self, max_chunksize: int = 1 << 16) -> Iterator[pa.RecordBatch]:
        """Read the rows in order, so many of the file at a time; batches may be empty."""
        start = 0
        for path in self.paths:
            for batch in store.read_batches(path, self.name, self.columns, max_chunksize):
                kept = self.kept[start : start + len(batch)]
                start += len(batch)
                yield batch if kept.all() else batch.filter(pa.array(kept))

    def read(self) -> pa.Table:
        """Read all of it."""
        fields: list[Any] = [schemas.TABLES[self.name].field(name) for name in self.columns]
        return pa.Table.from_batches(self.to_batches(), pa.schema(fields))
