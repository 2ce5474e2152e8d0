"""Plain files in ranges of whole lines or rows: the scanning process finds offsets, workers read.

A range has at most `BYTES` bytes and `RECORDS` lines, which depends on the file alone. A row of
CSV may go over several lines: where all quotes are at the ends of fields, or doubled within them,
their number before a line's end says whether the row ends there, and Arrow reads the fields. Else
the library of CSV reads them. Behind a place where it is not sure (a quote that is not closed, a
line longer than a range) the file goes on as a stream.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from types import NoneType
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from pipeline.core.files import input_errors, refuse
from pipeline.core.io import batch, streams
from pipeline.core.io.delimited import MAX_ROW_LINES
from pipeline.core.io.inflation import lines_fault
from pipeline.core.io.source import READABLE, Source
from pipeline.corpus.readers.base import Batch, Options, Range, Record
from pipeline.corpus.readers.records import Columns, iso_date

#: A shard is closed at this many bytes or records, whichever comes first: constants, so that the
#: shards depend on the input alone.
BYTES: Final = 2 * 1024 * 1024
RECORDS: Final = 10_000
#: What a text that is not blank nearly always has.
_SURELY_TEXT: Final = "[!-~가-힣]"

#: Of rows: how many lines the range has up to the end of each, and the wanted columns.
_Rows = tuple[npt.NDArray[np.int64], dict[str, pa.StringArray]]


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
            ends = batch.line_ends(data)[:RECORDS]
            data = b"" if is_packed else data[: ends[-1]]
            count = _count_lines(data, source, part, options) if data else 0
            if not count:
                yield part._replace(end=None)
                return
            part = part._replace(end=part.start + int(ends[count - 1]))
            flood = lines_fault(part.line - 1 + count, part.end or 0)
            refuse(source.path, (flood, flood))
            yield part


def _count_lines(data: bytes, source: Source, part: Range, options: Options) -> int:
    """Return how many lines hold whole rows, surely; 0 if the first does not."""
    ends = _row_ends(data, source, part)
    if ends is None:
        return max((end for _, end in _rows(data, source, part, options)), default=0)
    return int(ends[-1]) if len(ends) else 0


def _row_ends(data: bytes, source: Source, part: Range) -> npt.NDArray[np.int64] | None:
    """Return how many lines there are up to the end of each row, before one that is not surely one.

    Returns None where quotes are anywhere but at the ends of fields, or doubled within them.
    """
    ends = batch.line_ends(data)
    if not source.quoted or b'"' not in data:
        return np.arange(1, len(ends) + 1)
    # With a line feed before them, the end of a line is the place of its last byte.
    octets = np.frombuffer(b"\n%b\n" % data, np.uint8)
    comma, feed, quote = map(ord, (source.delimiter, "\n", '"'))
    quotes = np.flatnonzero(octets == quote)

    def outside(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        is_outside: npt.NDArray[np.bool_] = np.searchsorted(quotes, places, "right") % 2 == 0
        return places[is_outside]

    before, after = octets[quotes[::2] - 1], octets[quotes[1::2] + 1]
    returns = outside(np.flatnonzero(octets == ord("\r")))
    if not (
        np.isin(before, (comma, feed, quote)).all()
        and np.isin(after, (comma, feed, quote, ord("\r"))).all()
        and (octets[returns + 1] == feed).all()
    ):
        return None
    closed = outside(ends)
    rows = np.searchsorted(ends, closed) + 1
    commas = np.searchsorted(outside(np.flatnonzero(octets == comma)), closed)
    widths, lengths = np.diff(commas, prepend=0) + 1, np.diff(rows, prepend=0)
    unsure = (lengths > 1) & ((widths != part.width) | (lengths > MAX_ROW_LINES))
    return rows[: int(unsure.argmax())] if unsure.any() else rows


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
    path: Path, part: Range, load: Callable[[list[bytes]], list[dict[str, Any]]], columns: Columns
) -> Batch:
    """Return the documents of lines; `load` returns the fields of each, none of one that is odd."""
    data = _read(path, part)
    lines = streams.split_without_ends(data)
    is_odd = b"\0" in data or b"u0000" in data
    fields = [{}] * len(lines) if is_odd else load(lines)
    read, odd = dict[str, pa.StringArray](), set[int]()
    for name, column in columns.names().items():
        if name in columns.required or any(column in values for values in fields):
            values = _values(fields, column)
            if set(map(type, values)) - {str, NoneType}:
                kinds = {str} if name == "text" else {str, int, NoneType}
                odd |= {n for n, value in enumerate(values) if type(value) not in kinds}
                values = [str(v) if type(v) in kinds - {NoneType} else None for v in values]
            read[name] = pa.array(values, pa.string())
    return _sorted(
        np.arange(part.line, part.line + len(lines)),
        read,
        odd | _blank(read["text"]),
        lambda n: Record(path.name, part.line + n, lines[n]),
    )


def _values(fields: list[dict[str, Any]], column: str) -> list[Any]:
    """Return the values of a column; None where it is absent, which is rare."""
    try:
        return list(map(itemgetter(column), fields))
    except KeyError:
        return [values.get(column) for values in fields]


def of_rows(source: Source, part: Range, options: Options) -> Batch | None:
    """Return the documents of rows; None if one of them is blank or surely no row."""
    data = _read(source.path, part)
    read = part.places and (
        _by_arrow(data, source, part, options) or _by_row(data, source, part, options)
    )
    ends = batch.line_ends(data)
    if not read or list(read[0][-1:]) != [len(ends)]:
        return None
    rows, columns = read
    starts = np.append(0, rows[:-1])
    odd = _blank(columns["text"])
    bounds = np.append(0, ends)
    for n in odd:
        row = data[bounds[starts[n]] : bounds[rows[n]]].decode(options.encoding)
        if not row.replace(source.delimiter, " ").replace('"', " ").strip():
            return None
    if part.line == part.header:
        starts, columns = starts[1:], {name: values[1:] for name, values in columns.items()}
        odd = {n - 1 for n in odd if n}

    def record(n: int) -> Record:
        values = {name: column[n].as_py() for name, column in columns.items()}
        return Record(source.path.name, part.line + int(starts[n]), orjson.dumps(values))

    return _sorted(part.line + starts, columns, odd, record)


def _by_arrow(data: bytes, source: Source, part: Range, options: Options) -> _Rows | None:
    """Return rows where Arrow surely reads what the library of CSV would, else None."""
    ends = _row_ends(data, source, part)
    if ends is None or b"\0" in data or data.startswith(codecs.BOM_UTF8):
        return None
    names = [str(place) for place in range(part.width)]
    wanted = {name: str(place) for name, place in part.places.items()}
    try:
        text = data if options.encoding == "utf-8" else data.decode(options.encoding).encode()
        table = pa_csv.read_csv(
            pa.BufferReader(text),
            pa_csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=names),
            pa_csv.ParseOptions(
                delimiter=source.delimiter,
                quote_char='"' if source.quoted else False,
                newlines_in_values=True,
                ignore_empty_lines=False,
            ),
            pa_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                include_columns=sorted({*wanted.values()}),
            ),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    if len(table) != len(ends):
        return None
    return ends, {name: table[place].combine_chunks() for name, place in wanted.items()}


def _by_row(data: bytes, source: Source, part: Range, options: Options) -> _Rows | None:
    """Return rows by the library of CSV; None if one has another width than the range."""
    read = list(_rows(data, source, part, options))
    if {len(row) for row, _ in read} != {part.width}:
        return None
    columns = {
        name: pa.array([row[place] for row, _ in read], pa.string())
        for name, place in part.places.items()
    }
    return np.array([end for _, end in read]), columns


def _blank(texts: pa.StringArray) -> set[int]:
    """Return the places of texts that are blank or null."""
    full = pc.fill_null(pc.match_substring_regex(texts, _SURELY_TEXT), False)
    doubtful = np.flatnonzero(~full.to_numpy(zero_copy_only=False)).tolist()
    return {n for n in doubtful if not (texts[n].as_py() or "").strip()}


def _sorted(
    lines: npt.NDArray[np.int64],
    columns: dict[str, pa.StringArray],
    odd: set[int],
    record: Callable[[int], Record],
) -> Batch:
    """Sort rows into documents, checked as by `records.document`, and the records of others.

    `columns` are the values as read, by the project's names; `odd` are the places of rows that are
    no documents at first sight, and `record` makes the record of a row.
    """
    columns = {name: _without_empty(values) for name, values in columns.items()}
    if "key" in columns:
        odd |= set(np.flatnonzero(columns["key"].is_null()).tolist())
    if odd:
        good = np.ones(len(lines), bool)
        good[list(odd)] = False
        lines, columns = lines[good], {n: c.filter(pa.array(good)) for n, c in columns.items()}
    if "date" in columns:
        dates = columns["date"].dictionary_encode()
        days = [iso_date(date) for date in dates.dictionary.to_pylist()]
        columns["date"] = pa.array(days, pa.string()).take(dates.indices)
    return Batch(lines, columns, [record(n) for n in sorted(odd)])


def _without_empty(values: pa.StringArray) -> pa.StringArray:
    """Return strings with null for empty ones."""
    empty = pc.equal(values, "")
    return pc.if_else(empty, None, values) if pc.any(empty).as_py() else values
