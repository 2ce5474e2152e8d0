"""Counts by row and split: what nearly every table of statistics is made of."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.splits import SPLITS
from pipeline.report.record import Column

#: The row and the column that hold sums.
TOTAL: Final = "total"
SHARE: Final = "_share"


class Tally:
    """How often each row occurs in each split.

    Rows and columns are names; the column `total` is all splits, the row `total` all rows. A split
    without any example has no counts: None, which is an empty cell.
    """

    def __init__(self, examples: pa.Table) -> None:
        """Count nothing yet, in the splits that the examples have."""
        there = set(pc.unique(examples.column("split")).to_pylist())
        self.splits = tuple(split for split in SPLITS if split in there)
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, row: str, split: str, times: int = 1) -> None:
        """Count a row in a split."""
        for key in ((row, split), (row, TOTAL), (TOTAL, split), (TOTAL, TOTAL)):
            self._counts[key] += times

    def count(self, row: str, column: str) -> int | None:
        """Return a count; None for a split without examples."""
        if column != TOTAL and column not in self.splits:
            return None
        return self._counts[row, column]

    def share(self, row: str, column: str) -> float | None:
        """Return a row's share of all rows of a split, to 1e-6; None where there are none."""
        return ratio(self.count(row, column), self.count(TOTAL, column))

    def cell(self, row: str, column: str) -> int | float | None:
        """Return the count of a column, or the share where its name ends in `_share`."""
        if column.endswith(SHARE):
            return self.share(row, column.removesuffix(SHARE))
        return self.count(row, column)

    def rows(self) -> list[str]:
        """Return the rows, the most frequent first, equally frequent ones by name."""
        found = {row: n for (row, column), n in self._counts.items() if column == TOTAL and n}
        found.pop(TOTAL, None)
        return sorted(found, key=lambda row: (-found[row], row))

    @property
    def note(self) -> str:
        """Return what must be known of the totals: over which splits they are."""
        absent = [split for split in SPLITS if split not in self.splits]
        if not absent or not self.splits:
            return ""
        return f"No examples of {' and '.join(absent)}: totals are over {', '.join(self.splits)}."


def ratio(part: int | None, whole: int | None) -> float | None:
    """Return a share or a mean, to 1e-6; None where there is nothing to divide."""
    return None if part is None or not whole else round(part / whole, 6)


def by_split(*, shares: bool = False, total: bool = True) -> dict[str, Column]:
    """Return the columns of the splits and their total, each with its share where wanted."""
    columns = {}
    for name in (*SPLITS, TOTAL) if total else SPLITS:
        columns[name] = Column(name.capitalize())
        if shares:
            columns[name + SHARE] = Column(f"{name.capitalize()}, share", "share")
    return columns
