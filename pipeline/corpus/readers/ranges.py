"""Plain files in ranges of whole lines or rows: the scanning process finds offsets, workers read.

A range has at most `BYTES` bytes and `RECORDS` records, which depends on the file alone. A row of
CSV may go over several lines; where it ends is asked of the library that reads it. Behind a place
where it is not sure (a stray quote, a line longer than a range) the file goes on as a stream.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import compress, islice
from pathlib import Path
from types import NoneType
from typing import Any, Final

import orjson

from pipeline.core.files import input_errors
from pipeline.core.io import batch, streams
from pipeline.core.io.delimited import MAX_ROW_LINES
from pipeline.core.io.source import READABLE, Source
from pipeline.corpus.readers.base import Batch, Options, Range, Record
from pipeline.corpus.readers.records import Columns, iso_date

#: A shard is closed at this many bytes or records, whichever comes first: constants, so that the
#: shards depend on the input alone.
BYTES: Final = 2 * 1024 * 1024
RECORDS: Final = 10_000
_PLAIN: Final = {str, int, NoneType}


def cut(source: Source, first: Range, options: Options) -> Iterator[Range]:
    """Cut a file into ranges: of rows if it is quoted CSV, else of lines.

    `first` has the header. The last range has no end if the rest must be read as a stream, as all
    of a packed file.
    """
    is_packed = source.path.suffix.lower() in {*READABLE, ".tgz"}
    with input_errors(source.path, "read"), source.path.open("rb") as file:
        mark = file.read(len(codecs.BOM_UTF8))
        part = first._replace(end=len(mark) if mark == codecs.BOM_UTF8 else 0)
        count = 0
        while True:
            part = part._replace(start=part.end or 0, line=part.line + count)
            file.seek(part.start)
            data = file.read(BYTES)
            if not data:
                return
            data = data if len(data) < BYTES else data[: data.rfind(b"\n") + 1]
            count = 0 if is_packed else _count_lines(data, source, part, options)
            if not count:
                yield part._replace(end=None)
                return
            part = part._replace(end=part.start + int(batch.line_ends(data)[count - 1]))
            yield part


def _count_lines(data: bytes, source: Source, part: Range, options: Options) -> int:
    """Return how many lines hold whole rows, surely, and few enough; 0 if the first does not."""
    if not source.quoted or b'"' not in data:
        return min(len(batch.line_ends(data)), RECORDS) if data else 0
    return max((end for _, end in islice(_rows(data, source, part, options), RECORDS)), default=0)


def _rows(
    data: bytes, source: Source, part: Range, options: Options
) -> Iterator[tuple[list[str], int]]:
    """Yield rows, each with the number of lines so far, before one that is not surely a row."""
    done = 0
    with suppress(csv.Error, UnicodeDecodeError):
        is_odd = b"\0" in data or b"\r\r" in data
        lines = io.StringIO("" if is_odd else data.decode(options.encoding), newline="\n")
        rows = csv.reader(
            lines,
            delimiter=source.delimiter,
            quoting=csv.QUOTE_MINIMAL if source.quoted else csv.QUOTE_NONE,
            strict=True,
        )
        for row in rows:
            if rows.line_num > done + (1 if len(row) != part.width else MAX_ROW_LINES):
                return
            done = rows.line_num
            yield row, done


def _read(path: Path, part: Range) -> bytes:
    with input_errors(path, "read"), path.open("rb") as file:
        file.seek(part.start)
        return file.read((part.end or 0) - part.start)


def read_lines(path: Path, part: Range) -> Iterator[streams.Line]:
    """Yield the lines of a range with their numbers in the file."""
    return enumerate(streams.split_lines(_read(path, part)), part.line)


def of_lines(
    path: Path, part: Range, load: Callable[[bytes], dict[str, Any]], columns: Columns
) -> Batch:
    """Return the documents of lines; `load` returns the fields of one, none of one that is odd."""
    data = _read(path, part)
    lines = list(map(streams.without_end, streams.split_lines(data)))
    is_odd = b"\0" in data or b"u0000" in data
    fields = [{} if is_odd else load(line) for line in lines]
    names = {
        name: column
        for name, column in columns.names().items()
        if name in columns.required or any(column in found for found in fields)
    }
    return _sorted(
        list(range(part.line, part.line + len(lines))),
        {name: [found.get(column) for found in fields] for name, column in names.items()},
        lambda n: Record(path.name, part.line + n, lines[n]),
    )


def of_rows(source: Source, part: Range, options: Options) -> Batch | None:
    """Return the documents of rows; None if one of them is blank or surely no row."""
    data = _read(source.path, part)
    read = list(_rows(data, source, part, options))
    starts = [part.line, *(part.line + done for _, done in read)]
    if (
        not part.places
        or starts[-1] != part.line + len(batch.line_ends(data))
        or {len(row) for row, _ in read} != {part.width}
    ):
        return None
    if any(not "".join(row).strip() for row, _ in read if not row[part.places["text"]].strip()):
        return None
    has_header = starts[0] == part.header
    lines, rows = starts[has_header:-1], [row for row, _ in read[has_header:]]
    columns = {name: [row[place] for row in rows] for name, place in part.places.items()}

    def record(n: int) -> Record:
        values = {name: column[n] for name, column in columns.items()}
        return Record(source.path.name, lines[n], orjson.dumps(values))

    return _sorted(lines, columns, record)


def _sorted(
    lines: list[int], columns: dict[str, list[Any]], record: Callable[[int], Record]
) -> Batch:
    """Sort rows into documents, checked as by `records.document`, and the records of others.

    `columns` are the values as read, by the project's names; `record` makes the record of a row.
    """
    odd = {n for n, text in enumerate(columns["text"]) if type(text) is not str or not text.strip()}
    odd |= {n for n, key in enumerate(columns.get("key", ())) if key is None or key == ""}
    for values in columns.values():
        if set(map(type, values)) - _PLAIN:
            odd |= {n for n, value in enumerate(values) if type(value) not in _PLAIN}
    good = [n not in odd for n in range(len(lines))]
    words = {name: list(map(_word, compress(column, good))) for name, column in columns.items()}
    if "date" in words:
        words["date"] = [iso_date(date or "") for date in words["date"]]
    return Batch(list(compress(lines, good)), words, [record(n) for n in sorted(odd)])


def _word(value: str | int | None) -> str | None:
    return None if value is None or value == "" else str(value)
