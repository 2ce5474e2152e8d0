"""Forms of one row a line: plain text and JSONL, by blocks where all lines are good.

A block that a form cannot read at once is halved until the bad lines are among a few, and these
few are read one by one, so that a bad line costs little. Both ways accept the same lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core.errors import RecordError
from pipeline.core.tablefile import batch, streams
from pipeline.core.tablefile.batch import Batch, Quarantine, Quarantined
from pipeline.core.tablefile.source import Source

_FEW: Final = 256


class Form(Protocol):
    """How the lines of one form are read; the first array or value is the text."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns, that of the texts first."""

    def block(self, data: bytes) -> list[pa.StringArray] | None:
        """Return the columns of whole lines, or None unless all of them are surely good."""

    def line(self, line: bytes) -> list[str | None]:
        """Return the values of one line (without end); raises RecordError."""

    def surely(self, source: Source, data: bytes) -> None:
        """Raise InputError if a first block without any good line shows a wrong file."""


class _Part(NamedTuple):
    """What became of whole lines: arrays, places and bytes of the good, and the faults."""

    columns: list[list[pa.StringArray]]
    good: list[npt.NDArray[np.int64]]
    data: list[bytes]
    bad: list[tuple[int, RecordError]]


def batches(source: Source, form: Form, quarantine: Quarantine) -> Iterator[Batch]:
    """Stream the rows of a file whose every line is a row."""
    unproven = True
    with streams.opened(source) as stream:
        for first, data, count in streams.blocks(stream):
            if data is None:
                _report(first, batch.too_long("line"), quarantine)
                continue
            part = _Part([[] for _ in form.names], [], [], [])
            _read(form, data, range(count), part)
            if unproven and not part.good:
                form.surely(source, data)
            unproven = False
            for place, fault in part.bad:
                _report(first + place, fault, quarantine)
            if part.good:
                yield _batch(form, part, first)


def _report(row: int, fault: RecordError, quarantine: Quarantine) -> None:
    quarantine(Quarantined(row, row + 1, fault.rule, fault.reason))


def _batch(form: Form, part: _Part, first: int) -> Batch:
    rows = np.concatenate(part.good) + first
    texts, *others = [pa.concat_arrays(c) if len(c) > 1 else c[0] for c in part.columns]
    return Batch(
        texts=texts,
        rows=pa.array(rows),
        lines=pa.array(rows + 1),
        columns=dict(zip(form.names[1:], others, strict=True)),
        data=part.data[0] if len(part.data) == 1 else b"".join(part.data),
    )


def _read(form: Form, data: bytes, places: range, part: _Part) -> None:
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


def _read_singly(form: Form, data: bytes, places: range, part: _Part) -> None:
    values: list[list[str | None]] = []
    good: list[int] = []
    kept: list[bytes] = []
    for place, line in zip(places, streams.lines_of(data), strict=True):
        try:
            values.append(form.line(streams.without_end(line)))
        except RecordError as fault:
            part.bad.append((place, fault))
        else:
            good.append(place)
            kept.append(line)
    if good:
        columns = [pa.array(column, pa.string()) for column in zip(*values, strict=True)]
        _add(part, columns, np.array(good, np.int64), b"".join(kept))


def _add(
    part: _Part,
    columns: list[pa.StringArray],
    good: npt.NDArray[np.int64],
    data: bytes,
) -> None:
    for into, column in zip(part.columns, columns, strict=True):
        into.append(column)
    part.good.append(good)
    part.data.append(data)
