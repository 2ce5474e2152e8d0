"""Batches of good rows, rows that cannot be read, and the faults of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core.errors import RecordError

#: A line, CSV row or Parquet text above this many bytes is quarantined; lines are not held.
LIMIT = 10 * 1024 * 1024
#: The most rows of a batch, ...
ROWS: Final = 50_000
#: ... and its most bytes in the file, apart from those of its last row (up to `LIMIT`).
BYTES: Final = 4 * 1024 * 1024


class Quarantined(NamedTuple):
    """A row that cannot be read: its number from 0, its line from 1, and why, without content."""

    row: int
    line: int
    rule: str
    reason: str


Quarantine = Callable[[Quarantined], object]


@dataclass(frozen=True)
class Batch:
    """Good rows of a file, in its order.

    `texts` and the optional `columns` are Arrow strings; texts are never null, missing values of
    other columns are null. `rows` are the rows' numbers in the file, from 0 and with the unreadable
    ones counted; `lines` are their (first) physical lines from 1, for Parquet the row number from
    1. The other fields serve to write the rows again: `data` are their bytes, `ends` where each
    row ends in it (None: at every line end), `rest` all columns of a Parquet file.
    """

    texts: pa.StringArray
    rows: pa.Int64Array
    lines: pa.Int64Array
    columns: Mapping[str, pa.StringArray] = field(default_factory=dict)
    data: bytes = b""
    ends: npt.NDArray[np.int64] | None = None
    rest: pa.RecordBatch | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.texts)


def report(row: int, line: int, fault: RecordError, quarantine: Quarantine) -> None:
    """Pass a row that cannot be read (number from 0, line from 1) to `quarantine`."""
    quarantine(Quarantined(row, line, fault.rule, fault.reason))


def malformed(reason: str) -> RecordError:
    """Return the fault of a row that breaks the rules of its form."""
    return RecordError("file.malformed@1", reason)


def missing(reason: str) -> RecordError:
    """Return the fault of a row without a text."""
    return RecordError("file.missing@1", reason)


def blank() -> RecordError:
    """Return the fault of a line without a row."""
    return RecordError("file.blank@1", "the line is blank")


def too_long(what: str, limit: int | None = None) -> RecordError:
    """Return the fault of a line, row or text above a limit of bytes (by default `LIMIT`)."""
    return RecordError("file.too_long@1", f"the {what} is longer than {limit or LIMIT:,} bytes")


def nul() -> RecordError:
    """Return the fault of a row with a NUL."""
    return RecordError("file.encoding@1", "holds NUL: binary data, or UTF-16")


def decode(data: bytes, encoding: str = "utf-8") -> str:
    """Return the text of bytes; raises RecordError for bytes that are no text."""
    if b"\0" in data:
        raise nul()
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        reason = f"byte {error.start} is not {encoding.upper()}"
        raise RecordError("file.encoding@1", reason) from None
