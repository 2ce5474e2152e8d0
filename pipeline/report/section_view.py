"""Sections of a record as the template of the page writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from markupsafe import Markup

from pipeline.report.changes import NOTHING, Older, OlderRow
from pipeline.report.chart_series import axis_label
from pipeline.report.charts import figure
from pipeline.report.language import both, catalogue
from pipeline.report.numbers import format_cell, format_number
from pipeline.report.record import Cell, Chart, Column, Form, Section, Table

#: `long` tables open with so many rows (quality.css hides the others).
FIRST: Final = 10
#: Texts longer than this need much room to wrap in.
_PROSE: Final = 40
#: Texts up to this length, ids and the names of rules are not broken over lines.
_SHORT: Final = 12
_NAME: Final = re.compile("[a-z][a-z0-9]*[-.:][a-z0-9@_.-]+")
#: Rows among data that are none.
_SUMS: Final = ("Total", "Mean of sources")
#: The column of texts in which those that are not shown are told by their place, and a place there.
_PLACED: Final = "text before, or where it stands"
_PLACE: Final = re.compile(r"line [\d,]+ of .+")
View = dict[str, Any]
#: What a cell shows, and its class.
Shown = tuple[str | Markup, str]


def section_view(section: Section, level: int = 2, older: Older = NOTHING) -> View:
    """Return a section with its parts; `older` is what a release before had in its tables."""
    return {
        "id": section.id,
        "title": section.title,
        "level": min(level, 5),
        "lead": section.lead,
        "tables": [_table(table, section.title, older) for table in section.tables],
        "charts": [_chart(chart) for chart in section.charts],
        "parts": [section_view(part, level + 1, older) for part in section.parts],
    }


def _table(table: Table, under: str, older: Older) -> View:
    """Return a table; one that has the title of its section does not say it again."""
    pairs = list(zip(table.rows, table.published or [None] * len(table.rows), strict=True))
    compared = [_has_comparison(i, column, pairs) for i, column in enumerate(table.columns)]
    before = older.rows(table)
    return {
        "id": table.id,
        "title": table.title,
        "said": table.title == under,
        "paper": table.paper,
        "note": table.note,
        "cut": table.long and len(table.rows) > FIRST,
        "heads": list(_heads(table, compared)),
        "rows": [
            [
                shown
                for i, column in enumerate(table.columns)
                for shown in (
                    _with_old(row[i], own, i, column),
                    _cell(row[i], None if other is None else other[i], column)[1],
                )[: 1 + compared[i]]
            ]
            for (row, other), own in zip(pairs, before, strict=True)
        ],
    }


def _heads(table: Table, compared: Sequence[bool]) -> Iterator[Shown]:
    for column, paper in zip(table.columns, compared, strict=True):
        yield _head(column.name), _class(column, "")
        if paper:
            yield both("paper"), "number paper"


def _head(name: str) -> Markup:
    return both(name) if name else Markup('<span class="said">{}</span>').format(both("name"))


_Pair = tuple[Sequence[Cell], Sequence[Cell] | None]


def _has_comparison(place: int, column: Column, pairs: Sequence[_Pair]) -> bool:
    """Tell whether the paper has something to say to a column, beyond the same names."""
    return any(
        other is not None
        and other[place] is not None
        and (column.form != "text" or other[place] != row[place])
        for row, other in pairs
    )


def _cell(cell: Cell, paper: Cell, column: Column) -> tuple[Shown, Shown]:
    text, other = format_cell(cell, column.form), format_cell(paper, column.form)
    mark = " differs" if differs(cell, paper, column) else ""
    return (_text_of_cell(text, column), _class(column, text)), (other, f"number paper{mark}")


def _text_of_cell(text: str, column: Column) -> str | Markup:
    """Return a cell in both languages, unless its column holds data."""
    is_fixed = text in _SUMS or (column.name == _PLACED and _PLACE.fullmatch(text))
    is_data = column.name in catalogue().data_columns and not is_fixed
    return text if column.form != "text" or is_data else both(text)


def _with_old(cell: Cell, own: OlderRow | None, place: int, column: Column) -> Shown:
    """Return a cell, with what an older release had in it where it differs."""
    text, kind = _cell(cell, None, column)[0]
    if own is None:
        return text, kind
    if own.is_new:
        return text, f"{kind} new".strip()
    was = format_cell(own.cells[place], column.form)
    if column.form == "text" or was == text:
        return text, kind
    mark = Markup('<span class="was">{} → </span>{}').format(was or "–", text or "–")
    return mark, f"{kind} changed"


def differs(cell: Cell, paper: Cell, column: Column) -> bool:
    """Tell whether a cell and the paper's are of the same examples and read differently."""
    text, other = format_cell(cell, column.form), format_cell(paper, column.form)
    return not column.apart and "" not in (text, other) and text != other


def _class(column: Column, text: str) -> str:
    if column.form != "text":
        return "number"
    if len(text) > _PROSE:
        return "prose"
    return "line" if len(text) <= _SHORT or _NAME.fullmatch(text) else "phrase"


def _chart(chart: Chart) -> View:
    places = list(dict.fromkeys(axis_label(x) for series in chart.series for x in series.x))
    columns = [
        {axis_label(x): y for x, y in zip(series.x, series.y, strict=True)}
        for series in chart.series
    ]
    say = both if chart.kind == "funnel" else str
    return {
        "id": chart.id,
        "title": chart.title,
        "paper": chart.paper,
        "note": chart.note,
        "drawing": figure(chart),
        "heads": [
            (both(chart.x or "name"), ""),
            *((both(series.name or chart.y), "number") for series in chart.series),
        ],
        "rows": [
            [
                (say(place), ""),
                *((_number(column.get(place), chart.form), "number") for column in columns),
            ]
            for place in places
        ],
    }


def _number(number: float | None, form: Form) -> str:
    if number is None or form == "share":
        return format_cell(number, form)
    text = format_number(float(number), "four")
    return text.rstrip("0").rstrip(".")
