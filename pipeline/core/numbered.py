"""What is known of things by their number, in little or no memory: sets, and texts on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

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

    def add(self, texts: Sequence[str]) -> None:
        """Write the texts of the next numbers."""
        parts = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts))) + self._end
        self._end = int(ends[-1]) if len(ends) else self._end
        self._texts.write(b"".join(parts))
        self._ends.write(ends.data)

    def close(self) -> None:
        """Finish both files."""
        self._texts.close()
        self._ends.close()


class Texts:
    """Reads texts by number; each is read from disk when it is asked for, and none is held."""

    def __init__(self, folder: Path, name: str) -> None:
        self._texts = os.open(folder / f"{name}.texts", os.O_RDONLY)
        self._ends = os.open(folder / f"{name}.ends", os.O_RDONLY)

    def __enter__(self) -> Texts:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        os.close(self._texts)
        os.close(self._ends)

    def take(self, numbers: Iterable[int]) -> list[str]:
        """Return the texts of these numbers, in their order."""
        return [self._text(number) for number in numbers]

    def _text(self, number: int) -> str:
        bounds: Any = memoryview(os.pread(self._ends, 16, 8 * number)).cast("q")
        text = os.pread(self._texts, bounds[1] - bounds[0], bounds[0])
        return text.decode("utf-8", "surrogatepass")
