"""Rows of text files, batches of the good ones, and the faults of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core.errors import RecordError

#: A line, CSV row or Parquet text above this many bytes is quarantined; lines are not held.
LIMIT = 10 * 1024 * 1024
#: The most rows of a batch, ...
ROWS: Final = 200_000
#: ... and its most bytes in the file, apart from those of its last row (up to `LIMIT`). In batches
#: of less than half, whoever looks through them is busy with preparing the search.
BYTES: Final = 8 * 1024 * 1024


class Quarantined(NamedTuple):
    """A row that cannot be read: its number from 0, its line from 1, and why, without content."""

    row: int
    line: int
    rule: str
    reason: str


class Row(NamedTuple):
    """A row: its line from 1, its bytes and values, or the fault for which it has none."""

    line: int
    raw: bytes
    values: list[Any]
    fault: RecordError | None = None


Quarantine = Callable[[Quarantined], object]


@dataclass(frozen=True)
class Batch:
    """Good rows of a file, in its order.

    `texts` and the optional `columns` are Arrow strings; texts are never null, missing values of
    other columns are null. `rows` are the rows' numbers in the file, from 0 and with the unreadable
    ones counted; `lines` are their (first) physical lines from 1, for Parquet the row number from
    1. The other fields serve to write the rows again: `data` are their bytes, `ends` where each
    row ends in it, `rest` all columns of a Parquet file.
    """

    texts: pa.StringArray
    rows: pa.Int64Array
    lines: pa.Int64Array
    columns: Mapping[str, pa.StringArray] = field(default_factory=dict)
    data: bytes = b""
    ends: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    rest: pa.RecordBatch | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def filter(self, mask: npt.NDArray[np.bool_]) -> Batch:
        """Return the rows where the mask is true, as they may be written again."""
        if mask.all():
            return self
        keep, data, ends = pa.array(mask), self.data, self.ends
        if self.rest is None:
            starts = np.append(0, ends[:-1])[mask]
            spans = zip(starts.tolist(), ends[mask].tolist(), strict=True)
            data, ends = b"".join(data[a:b] for a, b in spans), np.cumsum(ends[mask] - starts)
        return Batch(
            texts=self.texts.filter(keep),
            rows=self.rows.filter(keep),
            lines=self.lines.filter(keep),
            columns={name: column.filter(keep) for name, column in self.columns.items()},
            data=data,
            ends=ends,
            rest=None if self.rest is None else self.rest.filter(keep),
        )


def line_ends(data: bytes) -> npt.NDArray[np.int64]:
    """Return where each line ends, its line feed included; the last may lack it."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
    return ends if data.endswith(b"\n") else np.append(ends, len(data))


def count_lines(data: bytes) -> int:
    """Return the number of line feeds."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord("\n")))


def check_text(data: bytes) -> None:
    """Raise ArrowInvalid for bytes that are not UTF-8; twice as fast as to decode them."""
    ends = pa.py_buffer(np.array([0, len(data)], np.int32))
    pa.StringArray.from_buffers(1, ends, pa.py_buffer(data)).validate(full=True)


def of_block(
    data: bytes,
    ends: npt.NDArray[np.int64],
    first: int,
    arrays: Sequence[pa.StringArray],
    columns: Sequence[str],
) -> Iterator[Batch]:
    """Cut whole lines, all good, into batches; `first` is the number of the first, from 1."""
    for begin in range(0, len(ends), ROWS):
        texts, *others = [array.slice(begin, ROWS) for array in arrays]
        start = int(ends[begin - 1]) if begin else 0
        ends_of_batch = ends[begin : begin + ROWS]
        lines = np.arange(first + begin, first + begin + len(texts))
        yield Batch(
            texts=texts,
            rows=pa.array(lines - 1),
            lines=pa.array(lines),
            columns=dict(zip(columns, others, strict=True)),
            data=data[start : ends_of_batch[-1]],
            ends=ends_of_batch - start,
        )


def of_rows(
    rows: Iterable[Row], columns: Sequence[str], quarantine: Quarantine, *, first: int = 0
) -> Iterator[Batch]:
    """Put good rows into batches, numbered from `first`; values are the text and the columns."""
    # lists by column: the collector would be busy with a list a row
    good: list[list[Any]] = [[] for _ in ("number", "line", "raw", "text", *columns)]
    size = 0
    for number, row in enumerate(rows, first):
        if row.fault:
            quarantine(Quarantined(number, row.line, row.fault.rule, row.fault.reason))
            continue
        for column, value in zip(good, (number, row.line, row.raw, *row.values), strict=True):
            column.append(value)
        size += len(row.raw)
        if len(good[0]) == ROWS or size >= BYTES:
            yield _batch(columns, *good)
            good, size = [[] for _ in good], 0
    if good[0]:
        yield _batch(columns, *good)


def _batch(
    columns: Sequence[str],
    numbers: list[int],
    lines: list[int],
    raws: list[bytes],
    *values: list[str | None],
) -> Batch:
    texts, *others = [pa.array(column, pa.string()) for column in values]
    return Batch(
        texts=texts,
        rows=pa.array(numbers, pa.int64()),
        lines=pa.array(lines, pa.int64()),
        columns=dict(zip(columns, others, strict=True)),
        data=b"".join(raws),
        ends=np.cumsum([len(raw) for raw in raws]),
    )


def malformed(reason: str) -> RecordError:
    """Return the fault of a row that breaks the rules of its form."""
    return RecordError("file.malformed@1", reason)


def blank() -> RecordError:
    """Return the fault of a line without a row."""
    return RecordError("file.blank@1", "the line is blank")


def too_long(noun: str, limit: int | None = None) -> RecordError:
    """Return the fault of a line, row or text above a limit of bytes (by default `LIMIT`)."""
    return RecordError("file.too_long@1", f"the {noun} is longer than {limit or LIMIT:,} bytes")


def nul() -> RecordError:
    """Return the fault of a row with a NUL."""
    return RecordError("file.encoding@1", "holds NUL: binary data, UTF-16 or UTF-32")


def decode(data: bytes, encoding: str = "utf-8") -> str:
    """Return the text of bytes; raises RecordError for bytes that are no text."""
    if b"\0" in data:
        raise nul()
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise RecordError(
            "file.encoding@1", f"byte {error.start} is not {encoding.upper()}"
        ) from None
