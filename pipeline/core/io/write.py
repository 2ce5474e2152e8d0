"""A file of texts written again: texts changed, columns added, all else as it was.

Lines and CSV rows that do not change are written byte for byte. A JSON line that changes keeps the
order of its keys and the spelling of numbers that a double cannot hold; a CSV row that changes
keeps delimiter, quoting and line end, and a cell of it that changes begins no formula; Parquet
keeps schema, metadata and codec.
"""

from __future__ import annotations

import codecs
import csv
import io
import lzma
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.core.errors import InputError
from pipeline.core.files import input_errors, refuse, replacing
from pipeline.core.io import delimited, jsonl, parquet, streams
from pipeline.core.io.batch import Batch
from pipeline.core.io.source import HEAD, PACKED, Source, form_of

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
    .gz, .bz2, .xz or .zst is packed. Raises InputError when `out` is the source, exists (unless
    `force`), is a folder, has the ending of another form, or cannot be written; or when plain text,
    which has no columns, should get some.
    """
    if source.text in adds.names:
        raise ValueError(f"{source.text!r} is the text column; it is not added")
    check_output(source, out, adds, force=force)
    make = _open_parquet if source.form == "parquet" else _open_lines
    with replacing(out) as temporary, make(source, out, temporary, adds) as writer:
        yield writer


def check_output(source: Source, out: Path, adds: pa.Schema = _NONE, *, force: bool) -> None:
    """Raise what `open_writer` would raise before anything is read or written."""
    with input_errors(out, "written"):
        exists = out.exists()
        is_input = exists and source.path.exists() and out.samefile(source.path)
        refuse(
            out,
            (out.is_dir(), "is a folder; name the file to write"),
            (exists and not out.is_file(), "is a device or pipe; name a file to write"),
            (is_input, "is the input; name another file"),
            (exists and not force, "exists; remove it, name another file, or use --force"),
            (not out.parent.is_dir(), f"there is no folder {out.parent}; make it first"),
            (
                source.form == "csv" and (".tsv" in out.suffixes) != (source.delimiter == "\t"),
                f"the columns of its input are parted by {source.delimiter!r}, which this ending"
                " does not say; name it .tsv where that is a tab, else .csv",
            ),
            (
                form_of(out) not in {None, source.form},
                f"has the ending of another form than its input ({source.form}); the form cannot be"
                " changed",
            ),
            (
                source.form == "text" and adds.names,
                f"its input is plain text, which has no room for the columns"
                f" {', '.join(adds.names)}; make that JSONL or CSV",
            ),
        )


def _check_rows(
    batch: Batch, texts: pa.Array, columns: Mapping[str, pa.Array], adds: pa.Schema
) -> None:
    if len(texts) != len(batch) or texts.null_count:
        raise ValueError(f"{len(texts)} texts ({texts.null_count} null) for {len(batch)} rows")
    if set(columns) != set(adds.names) or any(len(c) != len(batch) for c in columns.values()):
        raise ValueError(f"columns {sorted(columns)} of {len(batch)} rows, expected: {adds.names}")


class _Lines(ABC):
    """Rows of text files; `start` comes before them."""

    start: bytes

    def __init__(self, source: Source, out: Path, adds: pa.Schema) -> None:
        self.source, self.out, self.adds = source, out, adds
        with streams.open_text(source) as stream:
            stream.read(HEAD)
        self.start = stream.bom

    @abstractmethod
    def encode(self, line: bytes, text: str, added: Sequence[object]) -> bytes:
        """Return a line, both without line end, with another text and added values."""

    def open(self, file: BinaryIO) -> None:
        self._file, self._is_empty = file, not self.start
        with input_errors(self.out, "written"):
            file.write(self.start)

    def write(
        self,
        batch: Batch,
        texts: pa.StringArray | None = None,
        columns: Mapping[str, pa.Array] | None = None,
    ) -> None:
        texts, columns = batch.texts if texts is None else texts, columns or {}
        _check_rows(batch, texts, columns, self.adds)
        data = b"".join(self._pieces(batch, texts, columns))
        with input_errors(self.out, "written"):
            if self._is_empty and data.startswith(codecs.BOM_UTF8):
                self._file.write(codecs.BOM_UTF8)  # else the text's own mark is taken for one
            self._file.write(data)
        self._is_empty = self._is_empty and not data

    def _pieces(
        self, batch: Batch, texts: pa.StringArray, columns: Mapping[str, pa.Array]
    ) -> Iterator[bytes | memoryview]:
        changed: Sequence[int] = range(len(batch))
        if not self.adds.names:
            changed = pc.indices_nonzero(pc.not_equal(batch.texts, texts)).to_pylist()
        added = [columns[name].to_pylist() for name in self.adds.names]
        view, done = memoryview(batch.data), 0
        for row in changed:
            start = int(batch.ends[row - 1]) if row else 0
            end = int(batch.ends[row])
            yield view[done:start]
            line = streams.without_end(batch.data[start:end])
            yield self.encode(line, texts[row].as_py(), [column[row] for column in added])
            yield view[start + len(line) : end]
            done = end
        yield view[done:]


class _TextLines(_Lines):
    def encode(self, line: bytes, text: str, added: Sequence[object]) -> bytes:  # noqa: ARG002
        if "\n" in text:
            raise InputError(f"{self.out}: a text of two lines does not fit a file of lines")
        return text.encode()


class _JsonLines(_Lines):
    def encode(self, line: bytes, text: str, added: Sequence[object]) -> bytes:
        changes = {self.source.text: text, **dict(zip(self.adds.names, added, strict=True))}
        return jsonl.dump(line, changes)


class _CsvLines(_Lines):
    """Keeps the delimiter and quoting of the source, and whether it quotes all fields."""

    def __init__(self, source: Source, out: Path, adds: pa.Schema) -> None:
        super().__init__(source, out, adds)
        header = delimited.read_header(source)
        names = list(dict.fromkeys([*header.names, *adds.names]))
        self._width = len(names)
        self._places = [names.index(name) for name in adds.names]
        self._text = names.index(source.text) if header.names else -1
        line = streams.without_end(header.raw)
        self._all = source.quoted and line == self._quote(header.names, csv.QUOTE_ALL)
        self.start = header.bom + header.raw
        if header.names and names != header.names:
            self.start = header.bom + self._join(names) + (header.raw[len(line) :] or b"\n")

    def encode(self, line: bytes, text: str, added: Sequence[object]) -> bytes:
        fields: list[object] = list(delimited.split_row(line, self.source))
        fields += [""] * (self._width - len(fields))
        if fields[self._text] != text:
            fields[self._text] = delimited.defuse(text)
        for place, value in zip(self._places, added, strict=True):
            fields[place] = delimited.defuse(value)
        return self._join(fields)

    def _join(self, fields: Sequence[object]) -> bytes:
        if self.source.quoted:
            return self._quote(fields, csv.QUOTE_ALL if self._all else csv.QUOTE_MINIMAL)
        values = ["" if value is None else str(value) for value in fields]
        if any(mark in value for value in values for mark in (self.source.delimiter, "\n")):
            raise InputError(
                f"{self.out}: a value holds the delimiter or a line end, which a file without"
                " quoting cannot; make the input CSV"
            )
        return self.source.delimiter.join(values).encode()

    def _quote(self, fields: Sequence[object], quoting: Literal[0, 1]) -> bytes:
        stream = io.StringIO(newline="")
        # The library quotes a line end within a field only if it is one of its own.
        end = "\r\n"
        csv.writer(
            stream, delimiter=self.source.delimiter, quoting=quoting, lineterminator=end
        ).writerow(fields)
        return stream.getvalue().removesuffix(end).encode()


_FORMS: Final[Mapping[str, type[_Lines]]] = {
    "text": _TextLines,
    "jsonl": _JsonLines,
    "csv": _CsvLines,
}


@contextmanager
def _open_lines(source: Source, out: Path, temporary: Path, adds: pa.Schema) -> Iterator[Writer]:
    writer = _FORMS[source.form](source, out, adds)
    with input_errors(out, "written"):
        raw = temporary.open("wb")
    with raw:
        file = _packed(raw, out.suffix.lower())
        writer.open(file)
        yield writer
        with input_errors(out, "written"):
            file.close()
            raw.close()


def _packed(raw: BinaryIO, suffix: str) -> Any:
    if suffix == ".xz":
        return lzma.LZMAFile(raw, "wb")
    return pa.CompressedOutputStream(raw, PACKED[suffix]) if suffix in PACKED else raw


class _Parquet:
    """Writes each batch as one row group."""

    def __init__(self, out: Path, file: pq.ParquetWriter, text: str, adds: pa.Schema) -> None:
        self._out, self._file, self._text, self._adds = out, file, text, adds

    def write(
        self,
        batch: Batch,
        texts: pa.StringArray | None = None,
        columns: Mapping[str, pa.Array] | None = None,
    ) -> None:
        columns = columns or {}
        _check_rows(batch, batch.texts if texts is None else texts, columns, self._adds)
        schema = self._file.schema
        needed = set(schema.names) - set(self._adds.names)
        if batch.rest is None or not set(batch.rest.schema.names) >= needed:
            raise ValueError("the batches lack columns of the file: read them with whole=True")
        new = dict(columns) if texts is None else {**columns, self._text: texts}
        arrays = [
            new[f.name].cast(f.type) if f.name in new else batch.rest.column(f.name) for f in schema
        ]
        with input_errors(self._out, "written"):
            self._file.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))


@contextmanager
def _open_parquet(source: Source, out: Path, temporary: Path, adds: pa.Schema) -> Iterator[Writer]:
    with parquet.open_parquet(source) as original:
        schema, codec = original.schema, "zstd"
        if original.metadata.num_row_groups:
            codec = original.metadata.row_group(0).column(0).compression.lower()
    for field in adds:
        place = schema.get_field_index(field.name)
        schema = schema.append(field) if place < 0 else schema.set(place, field)
    with input_errors(out, "written"):
        file = pq.ParquetWriter(
            temporary, schema, compression="none" if codec == "uncompressed" else codec
        )
    with file:
        yield _Parquet(out, file, source.text, adds)
        with input_errors(out, "written"):
            file.close()
