"""What is known of things by their number, in little or no memory: sets, and texts on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.core.mapped import Mapped

Numbers = NDArray[np.int64]
#: Bytes of a set that are looked through at a time.
_BYTES: Final = 2**17


class NumberSet:
    """A set of numbers from 0 to below `size`, one bit each."""

    def __init__(self, size: int) -> None:
        self._bits = np.zeros((size + 7) // 8, np.uint8)

    def add(self, numbers: Numbers) -> None:
        """Add numbers, in any order."""
        np.bitwise_or.at(self._bits, numbers >> 3, (1 << (numbers & 7)).astype(np.uint8))

    def has(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Return for each number whether it is in the set."""
        bits: NDArray[np.uint8] = self._bits[numbers >> 3] >> (numbers & 7).astype(np.uint8)
        return (bits & 1).astype(np.bool_)

    def sorted(self) -> Numbers:
        """Return all numbers of the set in order, 8 bytes each."""
        parts = [np.empty(0, np.int64)]
        for first in range(0, len(self._bits), _BYTES):
            bits = np.unpackbits(self._bits[first : first + _BYTES], bitorder="little")
            parts.append(np.flatnonzero(bits) + 8 * first)
        return np.concatenate(parts)


class TextWriter:
    """Writes texts by number, from 0 on, into two files of a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._texts = (folder / f"{name}.texts").open("wb")
        self._ends = (folder / f"{name}.ends").open("wb")
        self._end = 0
        self._ends.write(np.zeros(1, np.int64).data)

    def add(self, texts: pa.ChunkedArray) -> None:
        """Write the texts of the next numbers, strings without nulls."""
        for chunk in filter(len, texts.chunks):
            _, offsets, content = chunk.buffers()
            ends = np.frombuffer(offsets, np.int32)[chunk.offset :][: len(chunk) + 1]
            self._texts.write(memoryview(content)[ends[0] : ends[-1]] if content else b"")
            self._ends.write((ends[1:].astype(np.int64) + (self._end - int(ends[0]))).data)
            self._end += int(ends[-1] - ends[0])

    def close(self) -> None:
        """Finish both files."""
        self._texts.close()
        self._ends.close()


class Texts:
    """Reads texts by number. Their files must not change while they are open here."""

    def __init__(self, folder: Path, name: str) -> None:
        self._ends = Mapped(folder / f"{name}.ends", np.int64)
        self._texts = Mapped(folder / f"{name}.texts", np.uint8)

    def take(self, numbers: Numbers) -> pa.Array:
        """Return the texts of these numbers, in their order."""
        begins, ends = self._ends.take(numbers), self._ends.take(numbers + 1)
        offsets = np.zeros(len(numbers) + 1, np.int32)
        np.cumsum(ends - begins, out=offsets[1:])
        content = pa.py_buffer(b"".join(self._texts.slices(begins, ends)))
        return pa.StringArray.from_buffers(len(numbers), pa.py_buffer(offsets), content)
