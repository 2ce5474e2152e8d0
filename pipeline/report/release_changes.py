"""What changed between two releases: examples, distributions of labels, agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pipeline.report.changes import Older, older
from pipeline.report.record import Cell, Chart, Column, Notice, Report, Section, Table

#: The kinds of changes of examples, in the order of the table.
KINDS: Final = ("added", "removed", "relabelled", "edited", "moved")
_ID: Final = "changes"
#: So many examples of a task and kind are named; ids of test examples never are.
_NAMED: Final = 20


@dataclass(frozen=True)
class ExampleChanges:
    """How many examples of a task were changed in which way, and some that are not of test."""

    counts: Mapping[str, int]
    named: Mapping[str, Sequence[str]]


def with_changes(
    report: Report, before: Mapping[str, Any], name: str, examples: Mapping[str, ExampleChanges]
) -> tuple[Report, Older]:
    """Return a report with a section of changes, and what its tables are to be compared with.

    `before` is the record of the older release, `name` its name and version; `examples` are by
    task, without tasks in which none changed.
    """
    old = older(before)
    tables = [_examples(report, examples), _labels(report, before), _agreement(report, old)]
    section = Section(
        id=_ID,
        title=f"Changes since {name}",
        lead="In the tables of the other pages a number that changed has the old one before it, and"
        " new rows have another background.",
        tables=[*(table for table in tables if table.rows), *_named(report, examples)],
    )
    overview = [
        replace(task, notices=[*_notices(examples.get(_task(task.section))), *task.notices])
        for task in report.overview
    ]
    return replace(report, sections=[section, *report.sections], overview=overview), old


def _task(section: str) -> str:
    return section.removeprefix("task-")


def _notices(changes: ExampleChanges | None) -> Iterator[Notice]:
    for kind, many in changes.counts.items() if changes else ():
        if many:
            yield Notice(f"{many:,} {kind}", _ID, warning=False)


def _examples(report: Report, examples: Mapping[str, ExampleChanges]) -> Table:
    return Table(
        id="changes-examples",
        title="Examples that changed",
        columns=[Column("task", "text"), *map(Column, KINDS)],
        rows=[
            [task, *(changes.counts.get(kind, 0) for kind in KINDS)]
            for task, changes in _in_order(report, examples)
        ],
        note="Relabelled: another label. Edited: another text or other data. Moved: another split.",
    )


def _named(report: Report, examples: Mapping[str, ExampleChanges]) -> list[Table]:
    rows: list[list[Cell]] = [
        [task, kind, guid]
        for task, changes in _in_order(report, examples)
        for kind in KINDS
        for guid in changes.named.get(kind, ())[:_NAMED]
    ]
    columns = [Column("task", "text"), Column("change", "text"), Column("id", "text")]
    note = f"The first {_NAMED} of each kind; examples of test are not named."
    title = "Which examples changed"
    return [Table("changes-ids", title, columns, rows, note=note, long=True)] if rows else []


def _in_order(
    report: Report, examples: Mapping[str, ExampleChanges]
) -> Iterator[tuple[str, ExampleChanges]]:
    for task in (_task(one.section) for one in report.overview):
        if task in examples:
            yield task, examples[task]


def _labels(report: Report, before: Mapping[str, Any]) -> Table:
    """Return how far the distribution of labels of each split moved."""
    charts = {chart.id: chart for chart in all_charts(report.sections)}
    old_charts = {chart["id"]: chart for chart in _old_charts(before.get("sections", ()))}
    rows: list[list[Cell]] = []
    for task in report.overview:
        chart, old = charts.get(task.chart or ""), old_charts.get(task.chart)
        if chart is None or old is None:
            continue
        old_series = {
            one["name"]: dict(zip(one["x"], one["y"], strict=True)) for one in old["series"]
        }
        for series in chart.series:
            new_shares = dict(zip(map(str, series.x), series.y, strict=True))
            old_shares = {str(x): y for x, y in old_series.get(series.name, {}).items()}
            if old_shares and (row := shift(new_shares, old_shares)):
                rows.append([_task(task.section), series.name, *row])
    return Table(
        id="changes-labels",
        title="Shift of the distributions of labels",
        columns=[
            *(Column("task", "text"), Column("split", "text"), Column("shift", "share")),
            *(Column("most moved", "text"), Column("old", "share"), Column("new", "share")),
        ],
        rows=rows,
        note="Shift: the share of examples that would have to change their label for the old"
        " distribution to become the new one (total variation distance).",
    )


Shares = Mapping[str, float | None]


def shift(new: Shares, old: Shares) -> list[Cell] | None:
    """Return the total variation distance, the name that moved most, and its old and new share.

    None where the two are equal.
    """
    moves = {name: (new.get(name) or 0) - (old.get(name) or 0) for name in {*new, *old}}
    most = max(sorted(moves), key=lambda name: abs(moves[name]))
    distance = round(sum(map(abs, moves.values())) / 2, 6)
    if not distance:
        return None
    return [distance, most, old.get(most) or 0.0, new.get(most) or 0.0]


def _agreement(report: Report, old: Older) -> Table:
    rows: list[list[Cell]] = []
    for task in report.overview:
        before = old.overview.get(task.section, {}).get("agreement")
        if before is None or task.agreement is None:
            continue
        if change := round(task.agreement - before, 3):
            rows.append([_task(task.section), task.measure, before, task.agreement, change])
    columns = [
        *(Column("task", "text"), Column("coefficient", "text")),
        *(Column(name, "three") for name in ("old", "new", "change")),
    ]
    return Table("changes-agreement", "Agreement that changed", columns, rows)


def all_charts(sections: Sequence[Section]) -> Iterator[Chart]:
    """Yield the charts of sections and of their parts."""
    for section in sections:
        yield from section.charts
        yield from all_charts(section.parts)


def _old_charts(sections: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for section in sections:
        yield from section["charts"]
        yield from _old_charts(section["parts"])
