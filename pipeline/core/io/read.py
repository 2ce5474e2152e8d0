"""The rows of any file of texts in bounded batches.

Lines of plain text and JSONL are read by blocks where all lines are good. A block that cannot be
read at once is halved until the bad lines are among a few, and these few are read one by one, so
that a bad line costs little. Both ways accept the same lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import RecordError
from pipeline.core.io import batch, delimited, parquet, streams
from pipeline.core.io.batch import Batch, Quarantine
from pipeline.core.io.jsonl import JsonLines
from pipeline.core.io.source import Source

_FEW: Final = 256


class LineForm(Protocol):
    """A form of one row a line; the first array or value is the text."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns, the text column first."""

    def block(self, data: bytes) -> list[pa.StringArray] | None:
        """Return the columns of whole lines, or None unless all of them are surely good."""

    def line(self, line: bytes) -> list[str | None]:
        """Return the values of one line (without end); raises RecordError."""

    def check_first(self, source: Source, data: bytes) -> None:
        """Raise InputError if a first block without any good line shows a wrong file."""


def read_batches(
    source: Source, *, quarantine: Quarantine, columns: Sequence[str] = (), whole: bool = False
) -> Iterator[Batch]:
    """Stream the rows of a file, with the named `columns` as strings beside the texts.

    Missing values and columns are null; JSON and Parquet values of other types are strings as they
    are spelt. Each row that cannot be read is passed to `quarantine` before the batch that would
    have held it; rows of batches and of quarantine make up all rows. With `whole`, batches hold
    what `open_writer` needs; it costs time for Parquet alone. Raises InputError when the file as a
    whole is unusable: missing, of another form, without a column of texts, damaged or cut off.
    """
    columns = list(dict.fromkeys(name for name in columns if name != source.text))
    if source.form == "csv":
        return delimited.read_batches(source, columns, quarantine)
    if source.form == "parquet":
        return parquet.read_batches(source, columns, quarantine, whole=whole)
    form = TextLines if source.form == "text" else JsonLines
    return _read_lines(source, form(source, columns), quarantine)


class TextLines:
    """Plain text: one text a line, a blank line is an empty text; all other columns are null."""

    def __init__(self, source: Source, columns: Sequence[str]) -> None:
        """Take the names of the wanted columns."""
        self.names = [source.text, *columns]

    def block(self, data: bytes) -> list[pa.StringArray] | None:
        """Return the texts of whole lines, or None unless all are good."""
        if b"\0" in data:
            return None
        try:
            body = data.replace(b"\r\n", b"\n").removesuffix(b"\n")
            whole = pa.array([body], pa.binary()).cast(pa.string())
        except pa.ArrowInvalid:
            return None
        texts = pc.split_pattern(whole, "\n").flatten()
        return [texts, *(pa.nulls(len(texts), pa.string()) for _ in self.names[1:])]

    def line(self, line: bytes) -> list[str | None]:
        """Return one line's text; raises RecordError unless it is UTF-8."""
        return [batch.decode(line), *(None for _ in self.names[1:])]

    def check_first(self, source: Source, data: bytes) -> None:
        """Accept any file: plain text has no columns."""


class _Part(NamedTuple):
    """The rows of a block: arrays, places and bytes of the good lines, and the faults."""

    columns: list[list[pa.StringArray]]
    good: list[npt.NDArray[np.int64]]
    data: list[bytes]
    bad: list[tuple[int, RecordError]]


def _read_lines(source: Source, form: LineForm, quarantine: Quarantine) -> Iterator[Batch]:
    unproven = True
    with streams.open_text(source) as stream:
        for first, data, count in streams.read_blocks(stream):
            if data is None:
                batch.report(first, first + 1, batch.too_long("line"), quarantine)
                continue
            part = _Part([[] for _ in form.names], [], [], [])
            _read(form, data, range(count), part)
            if unproven and not part.good:
                form.check_first(source, data)
            unproven = False
            for place, fault in part.bad:
                batch.report(first + place, first + place + 1, fault, quarantine)
            if part.good:
                yield _batch(form, part, first)


def _batch(form: LineForm, part: _Part, first: int) -> Batch:
    rows = np.concatenate(part.good) + first
    texts, *others = [pa.concat_arrays(column) for column in part.columns]
    return Batch(
        texts=texts,
        rows=pa.array(rows),
        lines=pa.array(rows + 1),
        columns=dict(zip(form.names[1:], others, strict=True)),
        data=b"".join(part.data),
    )


def _read(form: LineForm, data: bytes, places: range, part: _Part) -> None:
    """Add lines, with these places in the block, to a part."""
    columns = form.block(data)
    if columns is not None:
        _add(part, columns, np.arange(places.start, places.stop), data)
    elif len(places) <= _FEW:
        _read_singly(form, data, places, part)
    else:
        half = len(places) // 2
        middle = int(streams.line_ends(data)[half - 1])
        _read(form, data[:middle], places[:half], part)
        _read(form, data[middle:], places[half:], part)


def _read_singly(form: LineForm, data: bytes, places: range, part: _Part) -> None:
    values: list[list[str | None]] = []
    good: list[int] = []
    good_lines: list[bytes] = []
    for place, line in zip(places, streams.split_lines(data), strict=True):
        try:
            values.append(form.line(streams.without_end(line)))
        except RecordError as fault:
            part.bad.append((place, fault))
        else:
            good.append(place)
            good_lines.append(line)
    if good:
        columns = [pa.array(column, pa.string()) for column in zip(*values, strict=True)]
        _add(part, columns, np.array(good, np.int64), b"".join(good_lines))


def _add(
    part: _Part, columns: list[pa.StringArray], good: npt.NDArray[np.int64], data: bytes
) -> None:
    for chunks, column in zip(part.columns, columns, strict=True):
        chunks.append(column)
    part.good.append(good)
    part.data.append(data)
