"""A folder of a release while it is written: tables with fixed bytes, texts, and their entries."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.core import store
from pipeline.core.files import refuse
from pipeline.core.fingerprint import of_file
from pipeline.release.latefailure import failing_late
from pipeline.release.manifest import Entry, Files

#: Rows of a group of a table that comes in parts.
ROWS: Final = 65_536
#: How tables are written: a page of a column ends by its content, after 64 KiB at the earliest, so
#: that a change leaves the pages around it as they were and the Hugging Face hub stores these once.
#: A dictionary is one page, which any change makes another: large ones are not kept.
PARQUET: Final[Mapping[str, Any]] = {
    "compression": "zstd",
    "dictionary_pagesize_limit": 16 * 2**10,
    "use_content_defined_chunking": {"min_chunk_size": 64 * 2**10, "max_chunk_size": 256 * 2**10},
}


@dataclass
class FolderWriter:
    """A folder that is being written, and the entries of its files so far."""

    root: Path
    mode: int = 0o777
    files: Files = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root.mkdir(mode=self.mode)

    def table(self, path: str, table: pa.Table) -> None:
        """Write a table, always with the same bytes for the same rows."""
        self.stream(path, iter([table.replace_schema_metadata(None)]), table.schema)

    def stream(self, path: str, parts: Iterator[pa.Table], schema: pa.Schema) -> None:
        """Write a table that comes in parts of any size."""
        place, rows = self._place(path), 0
        schema = schema.remove_metadata()
        with failing_late(place) as file, pq.ParquetWriter(file, schema, **PARQUET) as writer:
            for part in _even(parts):
                writer.write_table(part, row_group_size=ROWS)
                file.check()
                rows += part.num_rows
        self._enter(path, rows)

    def text(self, path: str, text: str) -> None:
        """Write a text."""
        store.write_text(self._place(path), text)
        self._enter(path, None)

    def copy(self, path: str, source: Path, rows: int | None) -> None:
        """Copy a file, of a table with its number of rows."""
        shutil.copyfile(source, self._place(path))
        self._enter(path, rows)

    def _place(self, path: str) -> Path:
        pure = PurePosixPath(path)
        leaves = pure.is_absolute() or ".." in pure.parts or str(pure) != path
        is_there = path in self.files or path == store.MANIFEST
        outside = "is no path inside a release; such as report/index.html"
        refuse(repr(path), (leaves, outside), (is_there, "a release has one, and two are given"))
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def _enter(self, path: str, rows: int | None) -> None:
        place = self.root / path
        self.files[path] = Entry(bytes=place.stat().st_size, sha256=of_file(place), rows=rows)


def _even(parts: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Yield the same rows in parts of one size, so that the bytes do not depend on the parts."""
    waiting: list[pa.Table] = []
    rows = 0
    for part in parts:
        waiting.append(part)
        rows += part.num_rows
        if rows >= ROWS:
            whole, rest = pa.concat_tables(waiting), rows % ROWS
            yield whole.slice(0, rows - rest).combine_chunks()
            waiting, rows = [whole.slice(rows - rest)], rest
    if rows:
        yield pa.concat_tables(waiting).combine_chunks()
