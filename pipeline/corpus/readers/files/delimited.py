"""Rows of CSV and TSV files, bounded in memory whatever their quotes do.

A stray quote must not swallow what follows: a row of several lines that grows beyond the cap, has
no end, or does not fit the columns when it ends, is given up with its first line, and reading goes
on with the second.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError, RecordError
from pipeline.corpus.readers import base, records
from pipeline.corpus.readers.base import Options, Rejected
from pipeline.corpus.readers.files import streams

#: More quotes without an end than this, and the file is not CSV as the options describe it. Each
#: costs one more look at up to a whole cap of bytes.
MAX_UNCLOSED: Final = 100
#: Lines of one row; more than any text has, few enough to be held and read again.
MAX_ROW_LINES: Final = 10_000

_Line = tuple[int, bytes | None]


@dataclass
class _Splitter:
    """Joins lines to rows: a row goes on while a quote is open."""

    file: str
    source: Iterator[_Line]
    delimiter: bytes
    fits: Callable[[bytes], bool]
    replay: deque[_Line] = field(default_factory=deque)
    unclosed: int = 0

    def rows(self) -> Iterator[tuple[int, bytes] | Rejected]:
        """Yield (first line number, bytes of a whole row) in order."""
        for number, line in self._lines():
            if line is None:
                yield records.rejected(streams.too_long(), self.file, number)
                continue
            row = self._complete(number, line)
            if row is None:
                reason = "a quote opens on this line and is not closed"
                yield records.rejected(RecordError("read.malformed@1", reason), self.file, number)
            else:
                yield number, streams.without_end(row)

    def _lines(self) -> Iterator[_Line]:
        while True:
            line = self.replay.popleft() if self.replay else next(self.source, None)
            if line is None:
                return
            yield line

    def _complete(self, number: int, first: bytes) -> bytes | None:
        """Return the row that begins here; None, with its other lines put back, if endless."""
        if not _stays_open(first, self.delimiter, is_open=False):
            return first
        taken: list[_Line] = [(number, first)]
        parts, size, is_open = [first], len(first), True
        while is_open:
            following = next(self._lines(), None)
            if following is not None:
                taken.append(following)
            line = following[1] if following else None
            size += len(line or b"")
            if line is None or size > base.MAX_RECORD_BYTES or len(taken) > MAX_ROW_LINES:
                self._give_up(taken)
                return None
            parts.append(line)
            is_open = _stays_open(line, self.delimiter, is_open=True)
        row = b"".join(parts)
        if not self.fits(streams.without_end(row)):
            self._give_up(taken)
            return None
        return row

    def _give_up(self, taken: list[_Line]) -> None:
        self.replay.extendleft(reversed(taken[1:]))
        self.unclosed += 1
        if self.unclosed > MAX_UNCLOSED:
            raise InputError(
                f"{self.file}: more than {MAX_UNCLOSED} quotes are never closed; if the file has no"
                " quoting, use a reader for TSV; otherwise mend its quotes"
            )


def _stays_open(line: bytes, delimiter: bytes, *, is_open: bool) -> bool:
    """Tell whether a quoted field is open after a line; a quote opens only where a field begins."""
    if not is_open and b'"' not in line:
        return False
    place = 0
    while True:
        if is_open:
            place = line.find(b'"', place) + 1
            if place == 0:
                return True
            if line[place : place + 1] == b'"':
                place += 1
                continue
            is_open = False
        elif line[place : place + 1] == b'"':
            is_open = True
            place += 1
            continue
        place = line.find(delimiter, place) + 1
        if place == 0:
            return False


def rows(
    path: Path, options: Options, *, quoted: bool
) -> Iterator[tuple[int, list[str]] | Rejected]:
    """Stream the rows of a file as (first line number, fields); all have as many as the first.

    With `quoted` false, a quote is a character like any other. Blank lines, undecodable rows and
    rows of another width are rejected. Raises InputError.
    """
    if len(options.delimiter) != 1 or not options.delimiter.isascii():
        raise InputError(f"{path}: delimiter must be one ASCII character: {options.delimiter!r}")
    # The library's limit is one for the process; raising it to our cap narrows nobody's.
    csv.field_size_limit(max(csv.field_size_limit(), base.MAX_RECORD_BYTES))
    width = 0

    def fits(data: bytes) -> bool:
        try:
            found = len(_fields(data, options, quoted=True))
        except RecordError as fault:
            return fault.rule != "read.malformed@1"  # what cannot be decoded is told as such
        return width in {0, found}

    for row in _raw_rows(path, options, fits if quoted else None):
        if isinstance(row, Rejected):
            yield row
            continue
        number, data = row
        try:
            fields = _fields(data, options, quoted=quoted)
            width = width or len(fields)
            _check_width(len(fields), width)
        except RecordError as fault:
            yield records.rejected(fault, path.name, number)
        else:
            yield number, fields


def _raw_rows(
    path: Path, options: Options, fits: Callable[[bytes], bool] | None
) -> Iterator[tuple[int, bytes] | Rejected]:
    if fits is not None:
        source = streams.lines(path, options)
        yield from _Splitter(path.name, source, options.delimiter.encode(), fits).rows()
        return
    for record in streams.scan_lines(path, options):
        yield record if isinstance(record, Rejected) else (record.line, record.data)


def _fields(data: bytes, options: Options, *, quoted: bool) -> list[str]:
    text = records.decode(data, options)
    if not text or text.isspace():
        raise RecordError("read.empty@1", "the line is blank")
    if not quoted:
        return text.split(options.delimiter)
    try:
        return next(csv.reader([text], delimiter=options.delimiter, strict=True))
    except csv.Error as error:
        raise RecordError("read.malformed@1", f"is not CSV: {error}") from None


def _check_width(given: int, width: int) -> None:
    if given != width:
        reason = f"has {given} fields, the first line has {width}"
        raise RecordError("read.malformed@1", reason)
