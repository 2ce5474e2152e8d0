"""The quality-control record: sections of tables and charts, for machines and for the page.

    {"title", "lead", "facts": [FACT], "format", "overview": [TASK],
     "sections": [{"id", "title", "lead", "tables": [TABLE], "charts": [CHART], "parts": [...]}]}

Everything is plain JSON-able data; texts are masked before they come here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

FORMAT: Final = 1
Cell = str | int | float | bool | None
#: How the numbers of a column are written: whole numbers with thousands, shares as per cent, one to
#: four decimals; texts as they are.
Form = Literal["text", "whole", "share", "one", "two", "three", "four"]


@dataclass(frozen=True)
class Column:
    """A column: its title and the form of its cells.

    `apart` tells that the paper's numbers beside it are of other examples than ours, so that it is
    no finding where they differ.
    """

    name: str
    form: Form = "whole"
    apart: bool = False


@dataclass(frozen=True)
class Table:
    """A table; a cell that is None is empty.

    `paper` names the table of the KLUE paper whose form it has ("Table 3"). `published` are the
    paper's own rows, cell by cell as `rows` (a row or cell that the paper lacks is None), and is
    None where there is nothing to compare with. `long` tables open with their first rows only.
    """

    id: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    paper: str | None = None
    published: Sequence[Sequence[Cell] | None] | None = None
    note: str = ""
    long: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for a row that is not as long as the columns, or not matched."""
        wide = len(self.columns)
        rows = [*self.rows, *(row for row in self.published or () if row is not None)]
        if any(len(row) != wide for row in rows):
            raise ValueError(f"table {self.id}: a row has not {wide} cells")
        if self.published is not None and len(self.published) != len(self.rows):
            raise ValueError(f"table {self.id}: published rows do not match the rows")


@dataclass(frozen=True)
class Series:
    """One set of marks of a chart: a name (of a split, say), places and numbers."""

    name: str
    x: Sequence[Cell]
    y: Sequence[float | None]


@dataclass(frozen=True)
class Chart:
    """A chart: bars (names on x), histogram (numbers on x, `width` wide bars), line or funnel.

    Several series stand beside each other; those of a funnel, whose x are steps and y what is left
    after each, below each other; those of slopes are ranks, the first on top. `paper` names the
    figure that it follows; `form` is how the numbers on y are written.
    """

    id: str
    title: str
    kind: Literal["bars", "histogram", "line", "funnel", "slopes"]
    x: str
    y: str
    series: Sequence[Series]
    width: float = 1.0
    paper: str | None = None
    note: str = ""
    form: Form = "whole"


@dataclass(frozen=True)
class Section:
    """A part of the report: a lead of a sentence or two, then tables and charts, then parts of it.

    `id` is unique in a report: lower-case letters, digits and hyphens. An empty section says why in
    its lead.
    """

    id: str
    title: str
    lead: str = ""
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    parts: Sequence[Section] = ()


@dataclass(frozen=True)
class Fact:
    """One line of the summary at the top."""

    name: str
    value: Cell
    note: str = ""


@dataclass(frozen=True)
class Notice:
    """Something to look at, and the id of the section that tells more; a warning or a hint."""

    text: str
    section: str
    warning: bool = True


@dataclass(frozen=True)
class TaskOverview:
    """What matters of a task: its section, sizes by split, agreement, and what to look at.

    `chart` is the id of a chart of its section that shows the labels; `measure` names the
    coefficient of `agreement`.
    """

    section: str
    title: str
    sizes: Mapping[str, int]
    chart: str | None = None
    agreement: float | None = None
    measure: str = ""
    notices: Sequence[Notice] = ()


@dataclass(frozen=True)
class Report:
    """The whole record; `lead` says in a sentence what was looked at."""

    title: str
    lead: str
    facts: Sequence[Fact] = ()
    sections: Sequence[Section] = ()
    overview: Sequence[TaskOverview] = ()
    format: int = field(default=FORMAT, init=False)


def report_of(record: Mapping[str, Any]) -> Report:
    """Return the report of a record that was read from its file.

    Raises ValueError for one that is not as it was written; older ones have no overview.
    """
    from pydantic import TypeAdapter

    return TypeAdapter(Report).validate_python(record)
