"""A table of the record from named rows and columns, with the paper's numbers beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pipeline.report.quality.published import PublishedTable, published
from pipeline.report.quality.statistics.tally import TOTAL, Tally, by_split
from pipeline.report.record import Cell, Column, Table

#: Rows by name, each with the texts that stand before its numbers.
Rows = Mapping[str, Sequence[Cell]]


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
    theirs = published(paper) if paper else None
    told = f"In the paper: {theirs.note}" if theirs and theirs.note else ""
    return Table(
        id=name,
        title=title,
        columns=[*(Column(head, "text") for head in heads), *columns.values()],
        rows=[[*lead, *(cell(row, column) for column in columns)] for row, lead in rows.items()],
        paper=paper,
        published=_printed(theirs, rows, columns),
        note=" ".join(part for part in (note, told) if part),
    )


def _printed(
    theirs: PublishedTable | None, rows: Rows, columns: Iterable[str]
) -> list[list[Cell] | None] | None:
    if theirs is None:
        return None
    return [
        [*lead, *(theirs.cell(row, column) for column in columns)] if row in theirs.rows else None
        for row, lead in rows.items()
    ]


def ordered(tally: Tally, paper: str) -> list[str]:
    """Return the rows of a tally: those of the paper in its order, then the others by count."""
    there = tally.rows()
    known = [row for row in published(paper).rows if row in there]
    return [*known, *(row for row in there if row not in known)]


def source_table(name: str, title: str, tally: Tally, paper: str) -> Table:
    """Return sources by split and in total."""
    rows = {source: (source,) for source in ordered(tally, paper)} | {TOTAL: ("Total",)}
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
