"""The numbers that the KLUE paper prints, beside our own, and where the two may be compared.

The numbers lie in data/published/klue.yaml.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Final

from pydantic import BeforeValidator, model_validator

from pipeline.contracts.parts import Parts
from pipeline.contracts.splits import SPLITS
from pipeline.core.resources import DATA
from pipeline.core.specs import Many, Spec, Text, load
from pipeline.report.record import Column, Section, Table

PUBLISHED: Final = DATA / "published" / "klue.yaml"
Number = int | float
#: Where the paper prints the size of a task: the table, and the row in it.
SIZES: Final[Mapping[str, tuple[str, str]]] = Parts("statistics", "SIZE")


def _as_row(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


#: The cells of a row, in the order of the columns; None is an empty cell.
Cells = Annotated[tuple[Number | None, ...], BeforeValidator(_as_row)]


class PublishedTable(Spec):
    """One table of the paper: rows by name, their cells by the names of `columns`.

    Shares are from 0 to 1. `note` tells where a number is not what it seems.
    """

    columns: Many[Text]
    rows: Mapping[str, Cells]
    note: Text | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> PublishedTable:
        odd = sorted(name for name, cells in self.rows.items() if len(cells) != len(self.columns))
        if odd:
            raise ValueError(f"row {odd[0]!r} must have {len(self.columns)} cells, as `columns`")
        return self

    def cell(self, row: str, column: str) -> Number | None:
        """Return a number; None where the paper has none."""
        cells = self.rows.get(row)
        if cells is None or column not in self.columns:
            return None
        return cells[self.columns.index(column)]


class _Published(Spec):
    tables: Mapping[str, PublishedTable]


def published(name: str) -> PublishedTable:
    """Return a table of the paper by its name, such as "Table 3".

    Raises SpecError for a file that is damaged, KeyError for a table that is not in it.
    """
    return _all().tables[name]


def published_size(task: str, split: str) -> int | None:
    """Return how many examples KLUE has in a split of a task; None where the paper says nothing."""
    place = SIZES.get(task)
    size = published(place[0]).cell(place[1], split) if place else None
    return None if size is None else int(size)


@lru_cache(1)
def _all() -> _Published:
    return load(PUBLISHED, _Published)


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
