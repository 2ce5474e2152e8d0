"""Good votes of a reading as columns: a million of them as Python objects would fill a gigabyte."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.core import schemas

#: So many votes are held as Python objects before they become columns.
_BLOCK: Final = 20_000
#: The votes table, and where each vote stands: the name of its file and its line.
PLACED: Final = pa.schema(
    [*schemas.VOTES, pa.field("file", pa.string(), False), pa.field("line", pa.int64(), False)]
)


class Rows:
    """Collects votes with their places, in any order."""

    def __init__(self) -> None:
        """Begin without a vote."""
        self._blocks: list[pa.Table] = []
        self._columns: dict[str, list[Any]] = {name: [] for name in PLACED.names}

    def add(self, vote: dict[str, Any], file: str, line: int) -> None:
        """Add a row of the votes table."""
        columns = self._columns
        for name, value in vote.items():
            columns[name].append(value)
        columns["file"].append(file)
        columns["line"].append(line)
        if len(columns["line"]) == _BLOCK:
            self._close()

    def table(self) -> pa.Table:
        """Return all votes (PLACED), by file and line; votes of one line in the order added."""
        self._close()
        table = pa.concat_tables(self._blocks).combine_chunks()
        lines = table["line"].to_numpy()
        files = table["file"].combine_chunks().dictionary_encode()
        names = np.array(files.dictionary.to_pylist() or [""])
        rank = np.argsort(np.argsort(names))[files.indices.to_numpy()]
        order = np.lexsort((lines, rank))
        is_sorted = bool((np.diff(order) == 1).all())
        return table if is_sorted else table.take(pa.array(order))

    def _close(self) -> None:
        self._blocks.append(pa.table(self._columns, schema=PLACED))
        self._columns = {name: [] for name in self._columns}
