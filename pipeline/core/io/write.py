"""A file of texts written again: texts changed, columns added, all else as it was.

Lines and CSV rows that do not change are written byte for byte. A JSON line that changes keeps the
order of its keys and the spelling of numbers that a double cannot hold; a CSV row that changes
keeps delimiter, quoting and line end; Parquet keeps schema, metadata and codec.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.core.errors import InputError
from pipeline.core.io import parquet, streams
from pipeline.core.io.batch import Batch
from pipeline.core.io.encode import Encoder, encoder
from pipeline.core.io.source import PACKED, Source, form_of

_NONE: Final = pa.schema([])


class Writer(Protocol):
    """Takes batches in the order they were read in."""

    def write(
        self,
        batch: Batch,
        texts: pa.StringArray | None = None,
        columns: Mapping[str, pa.Array] | None = None,
    ) -> None:
        """Write the rows of a batch with these texts (None: as they are) and added columns.

        Raises ValueError for another number of texts, nulls among them, or other columns than
        were promised; InputError when the file cannot hold a text.
        """


@contextmanager
def open_writer(
    source: Source, out: Path, *, adds: pa.Schema = _NONE, force: bool = False
) -> Iterator[Writer]:
    """Write `source` again as `out`, which appears when all is written, and not on any error.

    `adds` are the columns that are added, in this order; one that exists is replaced. A name with
    .gz or .zst is packed. Raises InputError when `out` is the source, exists (unless `force`), is
    a folder, has the ending of another form, or cannot be written; or when plain text, which has
    no columns, should get some.
    """
    if source.text in adds.names:
        raise ValueError(f"{source.text!r} is the text column; it is not added")
    check_output(source, out, adds, force=force)
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        make = _parquet if source.form == "parquet" else _lines
        with make(source, out, temporary, adds) as writer:
            yield writer
        with _output_errors(out):
            temporary.replace(out)
    finally:
        temporary.unlink(missing_ok=True)


def check_output(source: Source, out: Path, adds: pa.Schema = _NONE, *, force: bool) -> None:
    """Raise what `open_writer` would raise before anything is read or written."""
    with _output_errors(out):
        if out.is_dir():
            raise InputError(f"{out}: is a folder; name the file to write")
        if out.exists() and not out.is_file():
            raise InputError(f"{out}: is a device or pipe; name a file to write")
        if out.exists() and source.path.exists() and out.samefile(source.path):
            raise InputError(f"{out}: is the input; name another file")
        if out.exists() and not force:
            raise InputError(f"{out}: exists; remove it, name another file, or use --force")
    if not out.parent.is_dir():
        raise InputError(f"{out}: there is no folder {out.parent}; make it first")
    if source.form == "csv" and (".tsv" in out.suffixes) != (source.delimiter == "\t"):
        raise InputError(
            f"{out}: the columns of its input are parted by {source.delimiter!r}, which this ending"
            " does not say; name it .tsv where that is a tab, else .csv"
        )
    if form_of(out) not in {None, source.form}:
        raise InputError(
            f"{out}: has the ending of another form than its input ({source.form}); the form cannot"
            " be changed"
        )
    if source.form == "text" and adds.names:
        raise InputError(
            f"{source.path}: plain text has no room for the columns {', '.join(adds.names)}; make"
            " it JSONL or CSV"
        )


@contextmanager
def _output_errors(out: Path) -> Iterator[None]:
    """Turn an error of the system into one about the output."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from None


class _Lines:
    def __init__(self, out: Path, file: BinaryIO, encode: Encoder, adds: pa.Schema) -> None:
        self._out = out
        self._file = file
        self._encode = encode
        self._adds = adds
        start = encode.start
        self._fresh = not start
        with _output_errors(out):
            file.write(start)

    def write(
        self,
        batch: Batch,
        texts: pa.StringArray | None = None,
        columns: Mapping[str, pa.Array] | None = None,
    ) -> None:
        """Write the rows that change anew, and those between them as they are."""
        texts = batch.texts if texts is None else texts
        columns = columns or {}
        _check_rows(batch, texts, columns, self._adds)
        data = b"".join(self._pieces(batch, texts, columns))
        with _output_errors(self._out):
            if self._fresh and data.startswith(codecs.BOM_UTF8):
                self._file.write(codecs.BOM_UTF8)  # else the text's own mark is taken for one
            self._file.write(data)
        self._fresh = self._fresh and not data

    def _pieces(
        self, batch: Batch, texts: pa.StringArray, columns: Mapping[str, pa.Array]
    ) -> Iterator[bytes | memoryview]:
        changed = range(len(batch)) if self._adds.names else _changed(batch.texts, texts)
        added = [columns[name].to_pylist() for name in self._adds.names]
        view, done = memoryview(batch.data), 0
        ends = batch.ends if batch.ends is not None else streams.line_ends(batch.data)
        for row in changed:
            start = int(ends[row - 1]) if row else 0
            end = int(ends[row])
            yield view[done:start]
            values = [column[row] for column in added]
            yield self._encode.row(batch.data[start:end], texts[row].as_py(), values)
            done = end
        yield view[done:]


def _changed(old: pa.StringArray, new: pa.StringArray) -> list[int]:
    if old is new:
        return []
    places: list[int] = pc.indices_nonzero(pc.not_equal(old, new)).to_pylist()
    return places


def _check_rows(
    batch: Batch, texts: pa.Array, columns: Mapping[str, pa.Array], adds: pa.Schema
) -> None:
    if len(texts) != len(batch) or texts.null_count:
        raise ValueError(f"{len(texts)} texts ({texts.null_count} null) for {len(batch)} rows")
    if set(columns) != set(adds.names) or any(len(c) != len(batch) for c in columns.values()):
        raise ValueError(f"columns {sorted(columns)} of {len(batch)} rows, expected: {adds.names}")


@contextmanager
def _lines(source: Source, out: Path, temporary: Path, adds: pa.Schema) -> Iterator[Writer]:
    encode = encoder(source, out, adds.names)
    packing = PACKED.get(out.suffix.lower())
    with _output_errors(out):
        raw = temporary.open("wb")
    with raw:
        file: Any = pa.CompressedOutputStream(raw, packing) if packing else raw
        yield _Lines(out, file, encode, adds)
        with _output_errors(out):
            file.close()
            raw.close()


class _Parquet:
    def __init__(self, out: Path, file: pq.ParquetWriter, text: str, adds: pa.Schema) -> None:
        self._out = out
        self._file = file
        self._text = text
        self._adds = adds

    def write(
        self,
        batch: Batch,
        texts: pa.StringArray | None = None,
        columns: Mapping[str, pa.Array] | None = None,
    ) -> None:
        """Write the rows as one row group."""
        columns = columns or {}
        _check_rows(batch, batch.texts if texts is None else texts, columns, self._adds)
        if batch.rest is None or not set(batch.rest.schema.names) >= self._kept():
            raise ValueError("the batches lack columns of the file: read them with whole=True")
        new = dict(columns) if texts is None else {**columns, self._text: texts}
        arrays = [
            new[f.name].cast(f.type) if f.name in new else batch.rest.column(f.name)
            for f in self._file.schema
        ]
        with _output_errors(self._out):
            self._file.write_batch(pa.RecordBatch.from_arrays(arrays, schema=self._file.schema))

    def _kept(self) -> set[str]:
        return set(self._file.schema.names) - set(self._adds.names)


@contextmanager
def _parquet(source: Source, out: Path, temporary: Path, adds: pa.Schema) -> Iterator[Writer]:
    with parquet.open_parquet(source) as original:
        schema = _with(original.schema_arrow, adds)
        codec = _codec(original)
    with _output_errors(out):
        file = pq.ParquetWriter(temporary, schema, compression=codec)
    with file:
        yield _Parquet(out, file, source.text, adds)
        with _output_errors(out):
            file.close()


def _with(schema: pa.Schema, adds: pa.Schema) -> pa.Schema:
    for field in adds:
        place = schema.get_field_index(field.name)
        schema = schema.append(field) if place < 0 else schema.set(place, field)
    return schema


def _codec(file: pq.ParquetFile) -> str:
    """Return the codec of the file's first column."""
    if not file.metadata.num_row_groups:
        return "zstd"
    codec: str = file.metadata.row_group(0).column(0).compression
    return "none" if codec == "UNCOMPRESSED" else codec.lower()
