"""Rows of text files as bytes: one changed row in the form of its file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pipeline.core.errors import InputError
from pipeline.core.io import delimited, jsonl, streams
from pipeline.core.io.source import HEAD, Source


class Encoder(NamedTuple):
    """Makes the bytes of rows.

    `start` comes before the rows; `row` returns a row, given as its bytes, with another text and
    added values, with its own end of line.
    """

    start: bytes
    row: Callable[[bytes, str, Sequence[object]], bytes]


def encoder(source: Source, out: Path, adds: Sequence[str]) -> Encoder:
    """Return the encoder of a file's rows."""
    if source.form == "csv":
        table = _Csv(source, out, adds)
        return Encoder(table.start(), table.row)
    with streams.open_text(source) as stream:
        stream.read(HEAD)

    def text_row(raw: bytes, text: str, _: Sequence[object]) -> bytes:
        if "\n" in text:
            raise InputError(f"{out}: a text of two lines does not fit a file of lines")
        return text.encode() + _cut(raw)[1]

    def json_row(raw: bytes, text: str, added: Sequence[object]) -> bytes:
        line, end = _cut(raw)
        changes = {source.text: text, **dict(zip(adds, added, strict=True))}
        return jsonl.dump(line, changes) + end

    return Encoder(stream.bom, text_row if source.form == "text" else json_row)


def _cut(raw: bytes) -> tuple[bytes, bytes]:
    line = streams.without_end(raw)
    return line, raw[len(line) :]


class _Csv:
    """CSV: delimiter and quoting of the source, and whether it quotes all fields."""

    def __init__(self, source: Source, out: Path, adds: Sequence[str]) -> None:
        self._source = source
        self._out = out
        self._header = delimited.read_header(source)
        names = list(dict.fromkeys([*self._header.names, *adds]))
        self._names = names
        self._adds = [names.index(name) for name in adds]
        self._place = names.index(source.text) if self._header.names else -1
        line = streams.without_end(self._header.raw)
        self._all = source.quoted and line == self._encode(self._header.names, csv.QUOTE_ALL)

    def start(self) -> bytes:
        raw = self._header.raw
        if not self._header.names or self._names == self._header.names:
            return self._header.bom + raw
        return self._header.bom + self._line(self._names) + (_cut(raw)[1] or b"\n")

    def row(self, raw: bytes, text: str, added: Sequence[object]) -> bytes:
        line, end = _cut(raw)
        fields: list[object] = list(delimited.split_row(line, self._source))
        fields += [""] * (len(self._names) - len(fields))
        fields[self._place] = text
        for place, value in zip(self._adds, added, strict=True):
            fields[place] = value
        return self._line(fields) + end

    def _line(self, fields: Sequence[object]) -> bytes:
        if self._source.quoted:
            return self._encode(fields, csv.QUOTE_ALL if self._all else csv.QUOTE_MINIMAL)
        values = ["" if value is None else str(value) for value in fields]
        if any(mark in value for value in values for mark in (self._source.delimiter, "\n")):
            raise InputError(
                f"{self._out}: a value holds the delimiter or a line end, which a file without"
                " quoting cannot; make the input CSV"
            )
        return self._source.delimiter.join(values).encode()

    def _encode(self, fields: Sequence[object], quoting: Literal[0, 1]) -> bytes:
        stream = io.StringIO(newline="")
        # The library quotes a line end within a field only if it is one of its own.
        end = "\r\n"
        csv.writer(
            stream, delimiter=self._source.delimiter, quoting=quoting, lineterminator=end
        ).writerow(fields)
        return stream.getvalue().removesuffix(end).encode()
