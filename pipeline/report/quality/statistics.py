"""What tables of statistics are made of: rows of examples, counts by split, the paper's numbers.

`each` reads examples column by column, `Tally` counts by row and split, and `grid` makes a table of
the record with the paper's numbers beside ours (data/published/klue.yaml).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Final

import orjson
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field, model_validator

from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import SPLITS
from pipeline.core.resources import DATA
from pipeline.core.specs import Many, Spec, Text, load
from pipeline.report.record import Cell, Column, Section, Table

PUBLISHED: Final = DATA / "published" / "klue.yaml"
Number = int | float
#: Where the paper prints the size of a task: the table, and the row in it.
SIZES: Final[Mapping[str, tuple[str, str]]] = Parts("statistics", "SIZE")


#: The cells of a row, in the order of the columns; None is an empty cell.
Cells = Annotated[tuple[Number | None, ...], Field(strict=False)]


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


def paper_table(name: str) -> PublishedTable:
    """Return a table of the paper by its name, such as "Table 3".

    Raises SpecError for a file that is damaged, KeyError for a table that is not in it.
    """
    return _all().tables[name]


def score_tables() -> list[str]:
    """Return the names of the published tables that hold scores of models by task and metric."""
    return [
        name
        for name, table in _all().tables.items()
        if all(column.partition(".")[0] in TASKS for column in table.columns)
    ]


def paper_size(task: str, split: str) -> int | None:
    """Return how many examples KLUE has in a split of a task; None where the paper says nothing."""
    place = SIZES.get(task)
    size = paper_table(place[0]).cell(place[1], split) if place else None
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
        tables=[
            replace(table, columns=[_column(column, same) for column in table.columns])
            if table.published is not None
            else table
            for table in section.tables
        ],
        parts=[apart(part, same) for part in section.parts],
    )


def _column(column: Column, same: Collection[str]) -> Column:
    splits = [split for split in SPLITS if column.name.lower().split(",")[0] == split]
    return replace(column, apart=not set(splits or SPLITS) <= set(same))


#: So many rows, or rows of so many bytes, are plain data at a time: a dialogue has ten thousand.
_BATCH: Final = 2048
_BATCH_BYTES: Final = 1 << 20
#: The row and the column that hold sums.
TOTAL: Final = "total"
SHARE: Final = "_share"
#: Rows by name, each with the texts that stand before its numbers.
Rows = Mapping[str, Sequence[Cell]]


def iter_rows(examples: pa.Table, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the named columns of every row, in order; fields, label and meta as plain data."""
    chosen = examples.select(columns)
    rows = max(1, min(_BATCH, chosen.num_rows * _BATCH_BYTES // max(chosen.nbytes, 1)))
    for batch in chosen.to_batches(max_chunksize=rows):
        values = {name: batch.column(name).to_pylist() for name in columns}
        for name in {"fields", "label", "meta"} & values.keys():
            values[name] = [
                None if value is None else orjson.loads(value) for value in values[name]
            ]
        yield from zip(*values.values(), strict=True)


class Tally:
    """How often each row occurs in each split.

    Rows and columns are names; the column `total` is all splits, the row `total` all rows. A split
    without any example has no counts: None, which is an empty cell.
    """

    def __init__(self, examples: pa.Table, counted: Iterable[tuple[str, str]] = ()) -> None:
        """Count rows, each with its split, in the splits that the examples have."""
        present = set(pc.unique(examples.column("split")).to_pylist())
        self.splits = tuple(split for split in SPLITS if split in present)
        self._counts: Counter[tuple[str, str]] = Counter()
        for row, split in counted:
            self.add(row, split)

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
        totals = {row: n for (row, column), n in self._counts.items() if column == TOTAL and n}
        totals.pop(TOTAL, None)
        return sorted(totals, key=lambda row: (-totals[row], row))

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


def grid(
    name: str,
    title: str,
    *,
    heads: Sequence[str],
    rows: Rows,
    columns: Mapping[str, Column],
    cell: Callable[[str, str], Cell],
    paper: str | None = None,
    note: str = "",
) -> Table:
    """Return a table: `heads` are the titles of the texts, `columns` those of the numbers.

    `cell` gives the number of a row and column by their names. With `paper` the numbers of that
    table of the paper stand beside those of the same names, and its note follows ours.
    """
    source = paper_table(paper) if paper else None
    remark = f"In the paper: {source.note}" if source and source.note else ""
    printed = None
    if source is not None:
        printed = [
            [*lead, *(source.cell(row, column) for column in columns)]
            if row in source.rows
            else None
            for row, lead in rows.items()
        ]
    return Table(
        id=name,
        title=title,
        columns=[*(Column(head, "text") for head in heads), *columns.values()],
        rows=[[*lead, *(cell(row, column) for column in columns)] for row, lead in rows.items()],
        paper=paper,
        published=printed,
        note=" ".join(part for part in (note, remark) if part),
    )


def order_rows(tally: Tally, paper: str) -> list[str]:
    """Return the rows of a tally: those of the paper in its order, then the others by count."""
    rows = tally.rows()
    known = [row for row in paper_table(paper).rows if row in rows]
    return [*known, *(row for row in rows if row not in known)]


def source_table(name: str, title: str, examples: pa.Table, paper: str) -> Table:
    """Return sources by split and in total."""
    tally = Tally(examples, iter_rows(examples, "source", "split"))
    rows = {source: (source,) for source in order_rows(tally, paper)} | {TOTAL: ("Total",)}
    return grid(
        name,
        title,
        heads=("Source",),
        rows=rows,
        columns=by_split(),
        cell=tally.cell,
        paper=paper,
        note=tally.note,
    )
