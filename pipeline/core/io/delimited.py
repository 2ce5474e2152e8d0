"""CSV and TSV with a header, bounded in memory whatever their quotes do.

A stray quote must not swallow what follows: a row of several lines that grows beyond the limit, has
no end, or has another number of fields than the header, is given up with its first line, and
reading goes on with the second.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io import batch, streams
from pipeline.core.io.batch import Row
from pipeline.core.io.source import Source, require_column
from pipeline.core.io.streams import Line
from pipeline.core.wording import count

#: More quotes without an end than this, and the file is not CSV as the options describe it.
MAX_UNCLOSED: Final = 100
#: Lines of one row; more than any text has, few enough to be held and read again.
MAX_ROW_LINES: Final = 10_000
#: What is wrong with a file of an old Mac, all of which is one line.
_CARRIAGE_RETURN: Final = (
    "its lines end with a carriage return alone; save it with the line ends of Unix or Windows"
)
#: In front of a cell, a spreadsheet takes these for the beginning of a formula.
_FORMULA: Final = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


class Header(NamedTuple):
    """The first row: its names, its bytes, and the byte order mark before it."""

    names: list[str]
    raw: bytes
    bom: bytes = b""


@dataclass
class Rows:
    """Joins lines to rows; all good rows have as many fields as the first.

    A row of several lines has at most `limit` bytes (by default `batch.LIMIT`).
    """

    source: Source
    lines: Iterator[Line]
    encoding: str = "utf-8"
    limit: int = field(default_factory=lambda: batch.LIMIT)
    replay: deque[Line] = field(default_factory=deque)
    taken: list[Line] = field(default_factory=list)
    size: int = 0
    spoilt: bool = False
    width: int = 0
    unclosed: int = 0

    def __iter__(self) -> Iterator[Row]:
        # The library's limit is one for the process; raising it to our own narrows nobody's.
        csv.field_size_limit(max(csv.field_size_limit(), self.limit))
        rows = self._rows()
        while True:
            self.taken.clear()
            self.spoilt = False
            fault: RecordError | None = None
            fields: list[str] | None = None
            try:
                fields = next(rows, None)
            except csv.Error as error:
                fault = batch.malformed(
                    "a quote opens on this line and is not closed"
                    if len(self.taken) > 1
                    else _CARRIAGE_RETURN
                    if "new-line" in str(error)
                    else f"is not CSV: {error}"
                )
            if not self.taken:
                return
            number, first = self.taken[0]
            simple = len(self.taken) == 1 and not self.spoilt
            if simple and fields and first and len(fields) == self.width:
                yield Row(number, first, fields)
                continue
            if fields is None:  # the library's reader is spent by an error or an early end
                rows = self._rows()
            yield self._row(number, first, fields, fault)

    def _rows(self) -> Iterator[list[str]]:
        lines, delimiter = self._feed(), self.source.delimiter
        if self.source.quoted:
            return csv.reader(lines, delimiter=delimiter, strict=True)
        return (line.removesuffix("\n").removesuffix("\r").split(delimiter) for line in lines)

    def _feed(self) -> Iterator[str]:
        """Take lines; ends where no row can go on: after a line too long, a row too large."""
        while line := self.replay.popleft() if self.replay else next(self.lines, None):
            self.taken.append(line)
            data = line[1]
            if data is None or (len(self.taken) > 1 and self._too_large(len(data))):
                return
            if b"\0" in data:
                self.spoilt = True
            try:
                yield data.decode(self.encoding)
            except UnicodeDecodeError:
                self.spoilt = True
                yield data.decode(self.encoding, "surrogateescape")

    def _too_large(self, more: int) -> bool:
        """Count one more line of a row; returns whether the row outgrows the limits."""
        self.size = more + (len(self.taken[0][1] or b"") if len(self.taken) == 2 else self.size)
        return len(self.taken) > MAX_ROW_LINES or self.size > self.limit

    def _row(
        self, number: int, first: bytes | None, fields: list[str] | None, fault: RecordError | None
    ) -> Row:
        """Return the row of the lines taken; if it is no row, all lines but its first are read
        again."""
        if first is None:
            return Row(number, b"", [], batch.too_long("line", self.limit))
        raw = b"".join(data for _, data in self.taken if data)
        if fields is not None and self.width not in {0, len(fields)}:
            fault = batch.malformed(
                f"has {count(len(fields), 'field')}, the first line has {self.width}"
            )
        is_blank = not streams.without_end(raw) and (self.width != 1 or self.source.quoted)
        if fault and len(self.taken) > 1:
            self._give_up()
            raw = first
        if is_blank:
            fault = batch.blank()
        elif self.spoilt:
            try:
                batch.decode(raw, self.encoding)
            except RecordError as error:
                fault = error
        if fault:
            return Row(number, raw, [], fault)
        self.width = self.width or len(fields or ())
        return Row(number, raw, fields or [])

    def _give_up(self) -> None:
        self.replay.extendleft(reversed(self.taken[1:]))
        self.unclosed += 1
        if self.unclosed > MAX_UNCLOSED:
            raise InputError(
                f"{self.source.path}: more than {MAX_UNCLOSED} quotes are never closed; if the file"
                " has no quoting, read it as TSV; otherwise correct its quotes"
            )


def defuse(value: object) -> object:
    """Return a cell that no spreadsheet runs: what begins as a formula gets an apostrophe before.

    A number stays as it is.
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def split_row(row: bytes, source: Source) -> list[str]:
    """Return the fields of a good row, which is given without its line end."""
    text = row.decode()
    if source.quoted and ('"' in text or "\r" in text):
        return next(csv.reader([text], delimiter=source.delimiter, strict=True))
    return text.split(source.delimiter)


def _begin(source: Source, stream: streams.Stream) -> tuple[Header, Iterator[Row]]:
    rows = iter(Rows(source, streams.read_lines(stream)))
    first = next(rows, None)
    if first is None:
        return Header([], b"", stream.bom), rows
    if first.fault:
        raise InputError(f"{source.path}: the header cannot be read: {first.fault.reason}")
    require_column(source, first.values)
    return Header(first.values, first.raw, stream.bom), rows


def read_header(source: Source) -> Header:
    """Return the header of a file; without names when it is empty.

    Raises InputError when it has no (single) column of texts.
    """
    with streams.open_text(source) as stream:
        return _begin(source, stream)[0]


def read_rows(source: Source, columns: Sequence[str], stream: streams.Stream) -> Iterator[Row]:
    """Yield the rows of a CSV file; a column that the header lacks is null."""
    header, rows = _begin(source, stream)
    names = (source.text, *columns)
    places = [header.names.index(name) if name in header.names else None for name in names]
    for row in rows:
        values = [] if row.fault else [None if p is None else row.values[p] for p in places]
        yield row._replace(values=values)
