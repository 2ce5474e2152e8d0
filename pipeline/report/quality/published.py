"""The numbers that the KLUE paper prints, to stand beside our own (data/published/klue.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Final

from pydantic import BeforeValidator, model_validator

from pipeline.core.fingerprint import ROOT
from pipeline.core.specs import Many, Spec, Text, load

PUBLISHED: Final = ROOT / "data" / "published" / "klue.yaml"
Number = int | float
#: The row of each task's size: its table, and the row in it.
_SIZES: Final = {
    "tc": ("Table 3", "total"),
    "sts": ("Table 4", "total"),
    "nli": ("Table 6", "total"),
    "ner": ("Table 8", "total"),
    "re": ("Table 11", "total"),
    "dp": ("Table 13", "total"),
    "mrc": ("Table 19", "questions"),
    "dst": ("Table 26", "dialogues"),
}


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
    """Return how many examples KLUE has in a split of a task; None for a split that is none."""
    name, row = _SIZES[task]
    size = published(name).cell(row, split)
    return None if size is None else int(size)


@lru_cache(1)
def _all() -> _Published:
    return load(PUBLISHED, _Published)
