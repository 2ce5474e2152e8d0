"""Files that are read here and there, through pages which this process lets go of as it reads."""

from __future__ import annotations

from collections.abc import Iterator
from mmap import ACCESS_READ, MADV_DONTNEED, mmap
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
#: Bytes of a file that are looked at between two times that pages are let go of.
_BLOCK: Final = 2**22


class Mapped:
    """The rows of a file, which must not change while it is open here.

    The system keeps what was read, as long as nobody needs the memory more; this process does not.
    """

    def __init__(self, path: Path, dtype: Any) -> None:
        """Open a file of rows of one dtype, perhaps none."""
        with path.open("rb") as file:
            is_empty = path.stat().st_size == 0
            self._pages = None if is_empty else mmap(file.fileno(), 0, access=ACCESS_READ)
        self._bytes = self._pages or b""
        self._rows = np.frombuffer(self._bytes, dtype)

    def take(self, places: Places) -> NDArray[Any]:
        """Return the rows at these places, in their order."""
        taken = np.empty(len(places), self._rows.dtype)
        for some in self._blocks(places):
            taken[some] = self._rows[places[some]]
        return taken

    def slices(self, begins: Places, ends: Places) -> list[bytes]:
        """Return what stands in a file of bytes from each begin to before its end."""
        found = np.empty(len(begins), object)
        for some in self._blocks(begins):
            spans = map(slice, begins[some].tolist(), ends[some].tolist())
            found[some] = list(map(self._bytes.__getitem__, spans))
        return found.tolist()

    def _blocks(self, places: Places) -> Iterator[Places]:
        """Yield where places of one block of the file stand, block by block."""
        order = np.argsort(places, kind="stable")
        blocks = places[order] // (_BLOCK // self._rows.itemsize)
        for some in np.split(order, np.flatnonzero(np.diff(blocks)) + 1):
            yield some
            if self._pages is not None:
                self._pages.madvise(MADV_DONTNEED)
