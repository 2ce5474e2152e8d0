"""Parquet, by batches of rows; written with the schema, metadata and codec that were read.

Every Parquet file of a user's, and of a release, is opened by `BoundedFile`, which bounds what it
may inflate to.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.core.errors import InputError, RecordError
from pipeline.core.files import regular_file
from pipeline.core.io import batch, inflation, meter
from pipeline.core.io.batch import Batch, Quarantine, Quarantined
from pipeline.core.io.pages import read_columns
from pipeline.core.io.source import Source, require_column, require_file


class BoundedFile:
    """An open Parquet file whose rows are read in bounded memory.

    Raises OSError for what is no regular file and for a file that inflates as no table does, or to
    more than `most` bytes; else ArrowException for one that is no Parquet or damaged.
    """

    def __init__(self, path: Path, most: int | None = None) -> None:
        self._path = regular_file(path)
        self._size = path.stat().st_size
        self._most = most
        self._file = pq.ParquetFile(path)
        self.metadata: pq.FileMetaData = self._file.metadata
        self.schema: pa.Schema = self._file.schema_arrow
        with path.open("rb") as file:
            self._columns, fault = read_columns(file, self.metadata, most)
        self._refuse(fault)

    def __enter__(self) -> BoundedFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def batches(
        self, columns: Sequence[str] | None = None, *, rows: int = batch.ROWS, **options: Any
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rows by at most so many, fewer where one long value stands for many rows."""
        widest = sum(
            column.longest
            for column in self._columns
            if not column.repeated and (columns is None or is_within(column.path, columns))
        )
        rows = max(1, min(rows, inflation.BOMB_BYTES // max(widest, 1)))
        inflated = done = 0
        for part in self._file.iter_batches(batch_size=rows, columns=columns, **options):
            inflated += part.nbytes
            self._refuse(inflation.ratio_fault(inflated, self._size, self._most))
            place, done = done, done + len(part)
            share = self._size / self.metadata.num_rows
            meter.count(int(done * share) - int(place * share))
            yield part

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return all rows, of these columns only if there are any."""
        schema = self.schema if columns is None else pa.schema(map(self.schema.field, columns))
        return pa.Table.from_batches(self.batches(columns), schema)

    def _refuse(self, fault: str) -> None:
        if fault:
            raise OSError(errno.EFBIG, fault, str(self._path))


@contextmanager
def open_file(path: Path, *, most: int | None = None) -> Iterator[BoundedFile]:
    """Open a Parquet file; raises InputError when it is missing, unreadable, damaged or none.

    One of more than `most` bytes unpacked is unreadable.
    """
    try:
        require_file(path)
        with BoundedFile(path, most) as file:
            yield file
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        raise InputError(
            f"{path}: damaged or no Parquet file ({type(error).__name__}); make or fetch it again"
        ) from None


@contextmanager
def open_parquet(source: Source) -> Iterator[BoundedFile]:
    """Open a Parquet file; raises InputError also when it has no (single) column of texts."""
    with open_file(source.path) as file:
        schema = file.schema
        require_column(source, schema.names)
        kind = schema.field(source.text).type
        if not _is_text(kind):
            raise InputError(
                f"{source.path}: column {source.text!r} is {kind}; allowed: string; name the column"
                " of the texts"
            )
        yield file


def read_batches(
    source: Source, columns: Sequence[str], quarantine: Quarantine, *, whole: bool
) -> Iterator[Batch]:
    """Stream the rows of a Parquet file; a column that it lacks is null."""
    with open_parquet(source) as file:
        names = file.schema.names
        wanted = None if whole else [n for n in (source.text, *columns) if n in names]
        first = 0
        size = _batch_rows(file, wanted)
        for read in file.batches(wanted, rows=size, use_threads=False):
            for piece in _halve(read):
                rows = _batch(source, piece, columns, first, quarantine)
                first += piece.num_rows
                if len(rows):
                    yield rows


def is_within(path: str, columns: Sequence[str]) -> bool:
    """Return whether a leaf of the schema, by its path, belongs to one of these columns."""
    return any(path == name or path.startswith(f"{name}.") for name in columns)


def _batch_rows(file: BoundedFile, wanted: list[str] | None) -> int:
    largest = 1.0
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        chunks = (group.column(n) for n in range(group.num_columns))
        sizes = (
            c.total_uncompressed_size
            for c in chunks
            if wanted is None or is_within(c.path_in_schema, wanted)
        )
        largest = max(largest, sum(sizes) / max(group.num_rows, 1))
    return max(1, min(batch.ROWS, int(batch.BYTES / largest)))


def _halve(read: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Halve a batch until it is within the bounds: rows may differ much in size."""
    if read.nbytes <= batch.BYTES or read.num_rows <= 1:
        yield read
        return
    half = read.num_rows // 2
    yield from _halve(read.slice(0, half))
    yield from _halve(read.slice(half))


def _batch(
    source: Source, read: pa.RecordBatch, columns: Sequence[str], first: int, quarantine: Quarantine
) -> Batch:
    texts = read.column(source.text).cast(pa.string())
    others = {name: _strings(source, read, name) for name in columns}
    absent = np.flatnonzero(texts.is_null().to_numpy(zero_copy_only=False)).tolist()
    reason = f"column {source.text!r} is null"
    faults = {place: RecordError("file.missing@1", reason) for place in absent}
    for column in (texts, *others.values()):
        faults |= _faults(column)
    for place, fault in sorted(faults.items()):
        number = first + place
        quarantine(Quarantined(number, number + 1, fault.rule, fault.reason))
    rows = np.arange(first, first + len(texts))
    if faults:
        good = np.ones(len(texts), np.bool_)
        good[list(faults)] = False
        mask = pa.array(good)
        rows, texts, read = rows[good], texts.filter(mask), read.filter(mask)
        others = {name: column.filter(mask) for name, column in others.items()}
    return Batch(texts, pa.array(rows), pa.array(rows + 1), others, rest=read)


def _strings(source: Source, read: pa.RecordBatch, name: str) -> pa.StringArray:
    if name not in read.schema.names:
        return pa.nulls(read.num_rows, pa.string())
    try:
        return read.column(name).cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        kind = read.schema.field(name).type
        raise InputError(
            f"{source.path}: column {name!r} is {kind}; allowed: types that Arrow casts to strings"
        ) from None


def _faults(column: pa.StringArray) -> dict[int, RecordError]:
    data = column.cast(pa.binary())
    long = pc.greater(pc.binary_length(data), batch.LIMIT)
    odd = pc.or_kleene(long, pc.match_substring(data, b"\0")).fill_null(False)
    faults: dict[int, RecordError] = {}
    try:
        column.validate(full=True)
        suspects = np.flatnonzero(odd.to_numpy(zero_copy_only=False))
    except pa.ArrowInvalid:
        suspects = np.arange(len(column))
    for place in suspects.tolist():
        value = data[place].as_py()
        try:
            if value is not None and len(value) > batch.LIMIT:
                raise batch.too_long("text")
            batch.decode(value or b"")
        except RecordError as fault:
            faults[place] = fault
    return faults


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return kind in _TEXTS


_TEXTS: Final = (pa.string(), pa.large_string(), pa.string_view())
