"""Rows on disk, divided by key into parts that fit a set memory: for joins over a whole corpus.

Rows are NumPy records; their first field, an unsigned number of 64 bits, is the key. A part holds
all rows of a range of keys. A part that does not fit is divided again by further bits of the key;
if it has one key alone, it comes in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.core.errors import RetryError
from pipeline.core.numbered import Numbers

Rows = NDArray[Any]
#: Bits of the key that one division uses: so many parts, and open files, at a time.
_BITS: Final = 6
#: Rows wait in memory until they take so many bytes, at most the size of a part.
_WAITING: Final = 2**21
#: A part takes so much of the memory: it is sorted, and what is found in it waits to be written.
_SHARE: Final = 12
_PAIR: Final = [("key", "<u8"), ("second", "<i8")]


class Part(NamedTuple):
    """Rows of a range of keys, in the order in which they were added.

    With `continues` it is a further piece of the part before: all their rows have one key.
    """

    rows: Rows
    continues: bool = False


class Divided(NamedTuple):
    """Rows by the bits of their keys that divide them, and where those of each value end."""

    rows: Rows
    ends: Numbers


class Partitions:
    """Rows in the files of a folder, which is removed once its parts are read.

    `memory` is what joins over the parts may take, in MiB.
    """

    def __init__(self, folder: Path, dtype: Any, memory: int, *, used: int = 0) -> None:
        """Take a folder that is not there yet; `used` bits of the key are those of the folder."""
        self._folder, self._memory, self._used = folder, memory, used
        self._dtype = np.dtype(dtype)
        self._key = (self._dtype.names or ("",))[0]
        self._waiting: list[Rows] = []
        self._bytes = 0
        self._most = memory * 2**20 // _SHARE
        folder.mkdir(parents=True)

    def add(self, rows: Rows) -> None:
        """Add rows after those that were added before."""
        self._waiting.append(rows)
        self._bytes += rows.nbytes
        if self._bytes >= min(_WAITING, self._most):
            self._flush()

    def add_divided(self, divided: Divided) -> None:
        """Add rows that were divided by their first bits, perhaps in another process."""
        for number, rows in enumerate(np.split(divided.rows, divided.ends[:-1])):
            if len(rows):
                with (self._folder / f"{number:02d}").open("ab") as file:
                    file.write(rows.view(np.uint8).data)

    def parts(self) -> Iterator[Part]:
        """Yield all rows, in ascending order of the parts' keys, and remove the folder."""
        self._flush()
        for path in sorted(self._folder.iterdir()):
            if path.stat().st_size <= self._most:
                yield Part(np.fromfile(path, self._dtype))
            elif self._used + _BITS >= 64 or self._has_one_key(path):
                for number, rows in enumerate(self._read(path)):
                    yield Part(rows, continues=number > 0)
            else:
                yield from self._divide(path).parts()
            path.unlink()
        self._folder.rmdir()

    def _divide(self, path: Path) -> Partitions:
        """Divide a part by the next bits of its keys."""
        below = self._folder.with_name(f"{self._folder.name}-{path.name}")
        parts = Partitions(below, self._dtype, self._memory, used=self._used + _BITS)
        for rows in self._read(path):
            parts.add(rows)
        return parts

    def _has_one_key(self, path: Path) -> bool:
        first = None
        for rows in self._read(path):
            keys = rows[self._key]
            first = keys[0] if first is None else first
            if (keys != first).any():
                return False
        return True

    def _read(self, path: Path) -> Iterator[Rows]:
        with path.open("rb") as file:
            while len(rows := np.fromfile(file, self._dtype, self._most // self._dtype.itemsize)):
                yield rows

    def _flush(self) -> None:
        rows = np.concatenate([np.empty(0, self._dtype), *self._waiting])
        self._waiting, self._bytes = [], 0
        self.add_divided(divide(rows, self._used))


def divide(rows: Rows, used: int = 0) -> Divided:
    """Divide rows by those bits of their keys that come after the first `used`."""
    keys = rows[(rows.dtype.names or ("",))[0]]
    numbers = ((keys << np.uint64(used)) >> np.uint64(64 - _BITS)).astype(np.uint8)
    ends = np.cumsum(np.bincount(numbers, minlength=2**_BITS))
    return Divided(rows[np.argsort(numbers, kind="stable")], ends)


def shared_groups(part: Part) -> tuple[Rows, Rows]:
    """Return the rows whose key others of the part have too, by key and then as added.

    The second array has the place in the first where the group of each row begins. All rows of a
    part that continues are one group.
    """
    name = (part.rows.dtype.names or ("",))[0]
    if part.continues:
        return part.rows, np.zeros(len(part.rows), np.int64)
    some = part.rows[_alike(part.rows[name])]
    rows = some[np.argsort(some[name], kind="stable")]
    differs = np.ones(len(rows) + 1, bool)
    differs[1:-1] = rows[name][1:] != rows[name][:-1]
    is_shared = ~(differs[:-1] & differs[1:])
    rows, is_first = rows[is_shared], differs[:-1][is_shared]
    return rows, np.flatnonzero(is_first)[np.cumsum(is_first) - 1]


def _alike(keys: NDArray[np.uint64]) -> Numbers:
    """Return the places of keys whose last bits others have too: few of those that are alone."""
    last = keys & np.uint64(2 ** (len(keys).bit_length() + 1) - 1)
    last = last.astype(np.int64)
    return np.flatnonzero(np.bincount(last)[last] > 1)


def in_order(
    pairs: Iterator[tuple[Numbers, Numbers]], folder: Path, memory: int, *, below: int
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield pairs of numbers in the order of the first, which are from 0 to below `below`."""
    shift = np.uint64(64 - max(1, below).bit_length())
    waiting = Partitions(folder, _PAIR, memory)
    for firsts, seconds in pairs:
        rows = np.empty(len(firsts), _PAIR)
        rows["key"], rows["second"] = firsts, seconds
        rows["key"] <<= shift
        waiting.add(rows)
    for part in waiting.parts():
        rows = part.rows[np.lexsort((part.rows["second"], part.rows["key"]))]
        yield (rows["key"] >> shift).astype(np.int64), rows["second"]


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """Give an empty folder in `folder` for the length of a ``with`` block.

    Raises RetryError when it cannot be written, such as when the disk is full.
    """
    place = folder / "join"
    rmtree(place, ignore_errors=True)
    try:
        place.mkdir(parents=True)
        yield place
    except OSError as error:
        raise RetryError(
            f"joining tables in {folder} failed: {error.strerror or type(error).__name__}; see"
            " that its disk has room, and run again"
        ) from None
    finally:
        rmtree(place, ignore_errors=True)
