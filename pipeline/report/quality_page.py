"""The quality-control record as pages that open without a network.

Tables, charts and their numbers stand in the pages as they are, so that they can be read, printed
and searched without scripts. `pages` gives a page to each section, with an overview in front of
them; `page` writes a short record as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.report.changes import NOTHING, Older
from pipeline.report.charts import sparkline
from pipeline.report.numbers import format_cell, format_number
from pipeline.report.page import asset, render
from pipeline.report.record import Chart, Fact, Report, Section, TaskOverview
from pipeline.report.section_view import View, differs, section_view

INDEX: Final = "index.html"
_ID: Final = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
#: What pages are called that have a longer title.
_SHORT: Final = {"corpus": "Corpus", "changes": "Changes"}
#: The chart that the overview shows at full size.
_FUNNEL: Final = "corpus-whole"


def page(report: Report, *, language: str | None = None, translated: bool = True) -> str:
    """Return the HTML of a quality-control record; the same record gives the same bytes.

    It opens in the browser's language, or in `language` (en, ko); one whose words the catalogue of
    Korean lacks is not `translated`: it has English alone. All texts of the record stay text.
    Raises ValueError for ids that are not of lower-case letters, digits and hyphens or are there
    twice, for charts whose series have not a number a place, and for numbers that are not finite.
    """
    _check(report)
    sections = [section_view(section) for section in report.sections]
    return _render(
        report.title,
        language,
        translated=translated,
        heading=report.title,
        lead=report.lead,
        facts=_facts(report.facts),
        contents=sections,
        sections=sections,
        **_comparison(report.sections),
    )


def pages(report: Report, *, language: str | None = None, older: Older = NOTHING) -> dict[str, str]:
    """Return the files of a record by name: index.html and a page for each section.

    `older` is what the release before had (`changes.older`); what differs is marked. Else as
    `page`.
    """
    _check(report)
    listed = [{"file": INDEX, "short": "Overview"}]
    listed += [{"file": file_of(one), "short": _short(one)} for one in report.sections]
    made = {INDEX: _overview(report, language, listed, older)}
    for section in report.sections:
        view = section_view(section, level=1, older=older)
        made[file_of(section)] = _render(
            f"{section.title} – {report.title}",
            language,
            heading=section.title,
            lead=report.title,
            pages=listed,
            here=file_of(section),
            contents=view["parts"],
            body=view,
            sections=(),
            **_comparison([section]),
        )
    return made


def file_of(section: Section) -> str:
    """Return the name of the page of a section."""
    return f"{section.id.removeprefix('task-')}.html"


def _render(title: str, language: str | None, **values: Any) -> str:
    absent = ("pages", "here", "facts", "contents", "body", "overview")
    return render(
        "quality.html.j2",
        title=title,
        language=language,
        data={},
        scripts=("quality.js",),
        style=asset("quality.css"),
        **{**dict.fromkeys(absent), **values},
    )


def _overview(
    report: Report, language: str | None, listed: Sequence[Mapping[str, str]], older: Older
) -> str:
    charts = {chart.id: chart for chart in _charts(report.sections)}
    where = {
        part.id: f"{file_of(section)}#{part.id}" if part is not section else file_of(section)
        for section in report.sections
        for part in _all([section])
    }
    funnel = [charts[_FUNNEL]] if _FUNNEL in charts else []
    shown = Section("funnel", "From raw files to the release", "", (), funnel)
    return _render(
        report.title,
        language,
        heading=report.title,
        lead=report.lead,
        facts=_facts(report.facts),
        pages=listed,
        here=INDEX,
        overview=[_task(task, charts, where, older) for task in report.overview],
        sections=[section_view(shown)] if funnel else (),
        compared=False,
        marked=False,
    )


def _task(
    task: TaskOverview, charts: Mapping[str, Chart], where: Mapping[str, str], older: Older
) -> View:
    chart = charts.get(task.chart or "")
    old = older.overview.get(task.section, {})
    return {
        "file": where[task.section],
        "title": task.title,
        "sizes": {split: f"{many:,}" for split, many in task.sizes.items()},
        "drawing": sparkline(chart) if chart else None,
        "about": chart.title if chart else "",
        "agreement": _three(task.agreement),
        "was": _was(old.get("agreement"), task.agreement),
        "measure": task.measure,
        "notices": [
            {"text": one.text, "href": where[one.section], "warning": one.warning}
            for one in task.notices
        ],
    }


def _three(number: float | None) -> str:
    return "" if number is None else format_number(number, "three")


def _was(before: float | None, after: float | None) -> str:
    old, new = _three(before), _three(after)
    return old if old != new else ""


def _facts(facts: Sequence[Fact]) -> list[View]:
    return [
        {
            "name": fact.name,
            "value": "none" if fact.value is None else format_cell(fact.value, "whole"),
            "note": fact.note,
        }
        for fact in facts
    ]


def _short(section: Section) -> str:
    """Return what a section is called among its pages: a task by its id."""
    if section.id in _SHORT:
        return _SHORT[section.id]
    return section.title.partition(":")[0] if section.id.startswith("task-") else section.title


def _comparison(sections: Sequence[Section]) -> dict[str, bool]:
    tables = [table for section in _all(sections) for table in section.tables]
    return {
        "compared": any(table.published is not None for table in tables),
        "marked": count_differences(sections) > 0,
    }


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
    for chart in _charts(report.sections):
        if any(len(series.x) != len(series.y) for series in chart.series):
            raise ValueError(f"chart {chart.id}: a series has not as many numbers as places")


def _element_ids(section: Section) -> list[str]:
    return [
        *(f"table-{table.id}" for table in section.tables),
        *(f"chart-{chart.id}" for chart in section.charts),
    ]


def _charts(sections: Sequence[Section]) -> Iterator[Chart]:
    for section in _all(sections):
        yield from section.charts


def _all(sections: Sequence[Section]) -> Iterator[Section]:
    for section in sections:
        yield section
        yield from _all(section.parts)
