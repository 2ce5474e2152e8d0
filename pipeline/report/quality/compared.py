"""Which numbers of the paper are of the same examples as ours: only there a difference counts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pipeline.contracts.splits import SPLITS
from pipeline.report.record import Column, Section, Table


def apart(section: Section, same: Collection[str] = ()) -> Section:
    """Return a section whose columns tell which of the paper's numbers are of other examples.

    `same` names the splits that hold the examples which the paper counted. Columns of one split
    have its name first ("Dev", "Dev, share"); all others are of several splits, and are of the same
    examples where `same` has every split.
    """
    return replace(
        section,
        tables=[_table(one, same) for one in section.tables],
        parts=[apart(one, same) for one in section.parts],
    )


def _table(table: Table, same: Collection[str]) -> Table:
    if table.published is None:
        return table
    return replace(table, columns=[_column(one, same) for one in table.columns])


def _column(column: Column, same: Collection[str]) -> Column:
    own = [split for split in SPLITS if column.name.lower().split(",")[0] == split]
    return replace(column, apart=not set(own or SPLITS) <= set(same))
