"""The quality-control report as one page that opens without a network.

Tables stand in the page as they are, so that it can be read, printed and searched without scripts;
charts are drawn when they come into view, and their numbers are below each of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from markupsafe import Markup

from pipeline.report.page import asset, render
from pipeline.report.quality_charts import axis_label, figure
from pipeline.report.record import Cell, Chart, Column, Form, Report, Section, Table

#: `long` tables open with so many rows (quality.css hides the others).
FIRST: Final = 15
#: Texts longer than this need room to wrap in.
_PROSE: Final = 40
#: Texts up to this length, ids and the names of rules are not broken over lines.
_SHORT: Final = 12
_NAME: Final = re.compile("[a-z][a-z0-9]*[-.:][a-z0-9@_.-]+")
_ID: Final = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
_DIGITS: Final[dict[Form, int]] = {"one": 1, "two": 2, "three": 3, "four": 4}

View = dict[str, Any]


def page(report: Report) -> str:
    """Return the HTML of a quality-control record; the same record gives the same bytes.

    All texts of the record stay text. Raises ValueError for ids that are not of lower-case letters,
    digits and hyphens or are there twice, for charts whose series have not a number a place, and
    for numbers that are not finite.
    """
    _check(report)
    sections = list(_all(report.sections))
    figures = {chart.id: figure(chart) for section in sections for chart in section.charts}
    return render(
        "quality.html.j2",
        data={"page-figures": figures},
        scripts=("quality.js",),
        plots=bool(figures),
        style=asset("quality.css"),
        lang="en",
        title=report.title,
        lead=_words(report.lead),
        facts=[
            {
                "name": fact.name,
                "value": "none" if fact.value is None else format_cell(fact.value, "whole"),
                "note": fact.note,
            }
            for fact in report.facts
        ],
        sections=[_section(section) for section in report.sections],
        figures=figures,
        compared=any(
            table.published is not None for section in sections for table in section.tables
        ),
        marked=count_differences(report.sections) > 0,
    )


def format_cell(cell: Cell, form: Form) -> str:
    """Return a cell as it is read: shares as per cent, numbers with the digits of the form.

    A whole number that is none is not rounded to one: it has up to three decimals.
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell
    if not math.isfinite(cell):
        raise ValueError(f"{cell} is no number that a report can tell")
    if form in _DIGITS:
        return _typeset_minus(f"{cell:,.{_DIGITS[form]}f}")
    if form == "share":
        return _typeset_minus(f"{100 * cell:,.1f} %")
    return _typeset_minus(
        f"{cell:,}" if isinstance(cell, int) else f"{cell:,.3f}".rstrip("0").rstrip(".")
    )


def _typeset_minus(number: str) -> str:
    """Return a number with a minus sign in front of it, unless it is zero as written."""
    if not number.startswith("-"):
        return number
    return f"−{number[1:]}" if re.search("[1-9]", number) else number[1:]


def _check(report: Report) -> None:
    sections = list(_all(report.sections))
    ids = [name for section in sections for name in (section.id, *_element_ids(section))]
    for name in ids:
        bare = name.removeprefix("table-").removeprefix("chart-")
        if not _ID.fullmatch(bare) or bare == "main" or bare.startswith("page-"):
            raise ValueError(f"{name!r} is no id: allowed are lower-case letters, digits, hyphens")
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise ValueError(f"ids that are in the report twice: {', '.join(twice)}")
    for chart in (chart for section in sections for chart in section.charts):
        if any(len(series.x) != len(series.y) for series in chart.series):
            raise ValueError(f"chart {chart.id}: a series has not as many numbers as places")


def _element_ids(section: Section) -> list[str]:
    return [
        *(f"table-{table.id}" for table in section.tables),
        *(f"chart-{chart.id}" for chart in section.charts),
    ]


def _all(sections: Sequence[Section]) -> Iterator[Section]:
    for section in sections:
        yield section
        yield from _all(section.parts)


def _section(section: Section, level: int = 2) -> View:
    return {
        "id": section.id,
        "title": section.title,
        "level": min(level, 5),
        "lead": _words(section.lead),
        "tables": [_table(table, under=section.title) for table in section.tables],
        "charts": [_chart(chart) for chart in section.charts],
        "parts": [_section(part, level + 1) for part in section.parts],
    }


def _words(text: str) -> Markup:
    """Return a text as markup: escaped, with what stands between backticks as code."""
    parts = re.split("`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else part for i, part in enumerate(parts)
    )


def _table(table: Table, *, under: str) -> View:
    """Return a table; one that has the title of its section does not say it again."""
    pairs = list(zip(table.rows, table.published or [None] * len(table.rows), strict=True))
    compared = [_has_comparison(i, column, pairs) for i, column in enumerate(table.columns)]
    return {
        "id": table.id,
        "title": table.title,
        "said": table.title == under,
        "paper": table.paper,
        "note": _words(table.note),
        "cut": table.long and len(table.rows) > FIRST,
        "heads": [
            head
            for column, paper in zip(table.columns, compared, strict=True)
            for head in ((column.name, _class(column, "")), ("paper", "number paper"))[: 1 + paper]
        ],
        "rows": [
            [
                cell
                for i, column in enumerate(table.columns)
                for cell in _cell(row[i], None if other is None else other[i], column)[
                    : 1 + compared[i]
                ]
            ]
            for row, other in pairs
        ],
    }


_Pair = tuple[Sequence[Cell], Sequence[Cell] | None]


def _has_comparison(place: int, column: Column, pairs: Sequence[_Pair]) -> bool:
    """Tell whether the paper has something to say to a column, beyond the same names."""
    return any(
        other is not None
        and other[place] is not None
        and (column.form != "text" or other[place] != row[place])
        for row, other in pairs
    )


def _cell(cell: Cell, paper: Cell, column: Column) -> tuple[tuple[str, str], tuple[str, str]]:
    text, other = format_cell(cell, column.form), format_cell(paper, column.form)
    mark = " differs" if differs(cell, paper, column) else ""
    return (text, _class(column, text)), (other, f"number paper{mark}")


def differs(cell: Cell, paper: Cell, column: Column) -> bool:
    """Tell whether a cell and the paper's are of the same examples and read differently."""
    text, other = format_cell(cell, column.form), format_cell(paper, column.form)
    return not column.apart and "" not in (text, other) and text != other


def count_differences(sections: Sequence[Section]) -> int:
    """Return how many differences from the paper are marked in sections."""
    return sum(
        differs(cell, paper, column)
        for section in _all(sections)
        for table in section.tables
        for row, other in zip(table.rows, table.published or (), strict=False)
        if other is not None
        for cell, paper, column in zip(row, other, table.columns, strict=True)
    )


def _class(column: Column, text: str) -> str:
    if column.form != "text":
        return "number"
    if len(text) > _PROSE:
        return "prose"
    return "line" if len(text) <= _SHORT or _NAME.fullmatch(text) else ""


def _chart(chart: Chart) -> View:
    places = list(dict.fromkeys(axis_label(x) for series in chart.series for x in series.x))
    columns = [
        {axis_label(x): y for x, y in zip(series.x, series.y, strict=True)}
        for series in chart.series
    ]
    return {
        "id": chart.id,
        "title": chart.title,
        "paper": chart.paper,
        "note": _words(chart.note),
        "heads": [chart.x or "name", *(series.name or chart.y for series in chart.series)],
        "rows": [
            [place, *(_number(column.get(place), chart.form) for column in columns)]
            for place in places
        ],
    }


def _number(number: float | None, form: Form) -> str:
    if number is None or form == "share":
        return format_cell(number, form)
    return _typeset_minus(f"{number:,.4f}".rstrip("0").rstrip("."))
