"""A file whose writes never fail at once: what went wrong is raised when it is asked for.

pyarrow 26 ends the whole process when a write fails while it cuts pages by their content
(parquet/column_writer.cc, `PARQUET_CHECK_OK` in place of a status): a full disk would leave no
error, only SIGABRT.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


class LateFailure(io.RawIOBase):
    """Passes writes on to a file until one fails; the rest are dropped."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self._at = 0
        self._error: OSError | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]  # pyarrow passes bytes
        rest = memoryview(data)
        try:
            while rest and self._error is None:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self._error = error
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def check(self) -> None:
        """Raise the OSError of the write that failed, if one did."""
        if self._error is not None:
            raise self._error


@contextmanager
def failing_late(path: Path) -> Iterator[LateFailure]:
    """Open a new file for writing; raises at its end what `check` has not raised before."""
    with path.open("xb", buffering=0) as file:
        late = LateFailure(file)
        yield late
        late.check()
