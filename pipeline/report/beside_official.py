"""The distributions of a release beside those of the official KLUE files, task by task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pipeline.report.chart_series import OFFICIAL
from pipeline.report.record import Cell, Chart, Column, Report, Section, Series, Table
from pipeline.report.release_changes import all_charts, shift


def beside_official(report: Report, official: Mapping[str, Sequence[Chart]]) -> Report:
    """Return a report whose tasks have a part more; `official` are the charts of their examples."""
    sections = [
        _with_part(section, official.get(section.id.removeprefix("task-"), ()))
        for section in report.sections
    ]
    return replace(report, sections=sections)


def _with_part(section: Section, official: Sequence[Chart]) -> Section:
    if not official:
        return section
    own = {chart.id: chart for chart in all_charts([section])}
    pairs = [(own[chart.id], chart) for chart in official if chart.id in own]
    task = section.id.removeprefix("task-")
    table = _distances(task, pairs)
    part = Section(
        id=f"{task}-official",
        title="Beside the official KLUE",
        lead="Shares of each split by itself; the official files are in the pale colours.",
        tables=[table] if table.rows else [],
        charts=[drawn for pair in pairs for drawn in _merged(*pair)],
    )
    return replace(section, parts=[*section.parts, part])


def _merged(own: Chart, official: Chart) -> Iterator[Chart]:
    """Yield both as one chart, or side by side where their bins have other widths."""
    name = f"official-{own.id}"
    series = [replace(one, name=f"{OFFICIAL}{one.name}") for one in official.series]
    if own.kind == "histogram" and own.width != official.width:
        yield replace(own, id=name, paper=None)
        title = f"{OFFICIAL.strip()}: {own.title}"
        yield replace(official, id=f"{name}-klue", title=title, series=series, paper=None)
    else:
        yield replace(own, id=name, series=[*own.series, *series], paper=None)


def _distances(task: str, pairs: Sequence[tuple[Chart, Chart]]) -> Table:
    """Return how far the shares of each split are apart, of charts whose bars have names."""
    rows: list[list[Cell]] = []
    for own, official in pairs:
        known = {series.name: _shares(series) for series in official.series}
        for series in own.series if own.kind == "bars" else ():
            if series.name in known and (row := shift(_shares(series), known[series.name])):
                rows.append([own.title, series.name, *row])
    return Table(
        id=f"official-{task}-distances",
        title="How far the distributions are apart",
        columns=[
            *(Column("distribution", "text"), Column("split", "text")),
            *(Column("distance", "share"), Column("most apart", "text")),
            *(Column("KLUE", "share"), Column("release", "share")),
        ],
        rows=rows,
        note="Distance: the share of examples that would have to change for one distribution to"
        " become the other (total variation distance).",
    )


def _shares(series: Series) -> dict[str, float | None]:
    return dict(zip(map(str, series.x), series.y, strict=True))
