"""What changed between two releases, in the tables and in front of them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from quality_records import Read

from pipeline.report.beside_official import beside_official
from pipeline.report.changes import older
from pipeline.report.quality_page import page, pages
from pipeline.report.record import (
    Chart,
    Column,
    Report,
    Section,
    Series,
    Table,
    TaskOverview,
    report_of,
)
from pipeline.report.release_changes import ExampleChanges, with_changes


def small_report(
    rows: list[list[str | int | float | None]], shares: list[float], agreement: float
) -> Report:
    columns = [Column("label", "text"), Column("train"), Column("share", "share")]
    table = Table("topics", "Topics", columns, rows, published=[None] * len(rows))
    series = [Series("train", ["가", "나"], shares)]
    chart = Chart("tc-label-shares", "Labels", "bars", "", "share", series, form="share")
    section = Section("task-tc", "TC: Topics", "", [table], [chart])
    task = TaskOverview("task-tc", "TC: Topics", {"train": 3}, chart.id, agreement, "Alpha")
    return Report("r 1.1.0", "l", sections=[section], overview=[task])


OLD = small_report([["가", 10, 0.5], ["나", 10, 0.5], ["라", 1, None]], [0.5, 0.5], 0.7)
NEW = small_report([["가", 12, 0.5], ["나", 10, 0.25], ["다", 3, None]], [0.75, 0.25], 0.75)


def test_numbers_that_changed_stand_behind_the_old_ones_and_new_rows_are_marked() -> None:
    before = older(json.loads(json.dumps(asdict(OLD))))
    _, first, second, third = Read(pages(NEW, older=before)["tc.html"]).tables["table-topics-title"]
    assert first[1:] == [("10 → 12", "number changed"), ("50.0 %", "number")]
    assert second[1:] == [("10", "number"), ("50.0 % → 25.0 %", "number changed")]
    assert [kind for _, kind in third] == ["line new", "number new", "number new"]
    assert "→" not in page(NEW)


def test_a_release_against_itself_has_no_change() -> None:
    record = json.loads(json.dumps(asdict(NEW)))
    report, before = with_changes(NEW, record, "r 1.1.0", {})
    assert report.sections[0].id == "changes"
    assert not [table for table in report.sections[0].tables if table.rows]
    assert "→" not in "".join(pages(report, older=before).values())


def test_changes_are_told_by_task() -> None:
    changed = ExampleChanges(
        {"added": 2, "removed": 0, "relabelled": 1, "edited": 0, "moved": 0},
        {"added": ["tc-1"], "relabelled": ["tc-2"]},
    )
    report, before = with_changes(NEW, asdict(OLD), "r 1.0.0", {"tc": changed})
    tables = {table.id: [list(row) for row in table.rows] for table in report.sections[0].tables}
    assert tables["changes-examples"] == [["tc", 2, 0, 1, 0, 0]]
    assert tables["changes-labels"] == [["tc", "train", 0.25, "가", 0.5, 0.75]]
    assert tables["changes-agreement"] == [["tc", "Alpha", 0.7, 0.75, 0.05]]
    assert tables["changes-ids"] == [["tc", "added", "tc-1"], ["tc", "relabelled", "tc-2"]]
    index = Read(pages(report, older=before)["index.html"])
    assert "0.700 → 0.750" in " ".join(index.text.split())
    assert "2 added" in index.text


def test_a_record_is_read_back_as_it_was_and_older_ones_without_an_overview_too() -> None:
    record = json.loads(json.dumps(asdict(NEW)))
    assert asdict(report_of(record)) == record | {"format": 1}
    del record["overview"]
    assert report_of(record).sections[0].id == "task-tc"
    assert not older(record).overview


def test_official_distributions_stand_beside_those_of_the_release() -> None:
    official = [
        Chart(
            *("tc-label-shares", "Labels", "bars", "", "share"),
            [Series("train", ["가", "나"], [0.25, 0.75]), Series("dev", ["가"], [1.0])],
            form="share",
        ),
        Chart("tc-absent", "Absent", "bars", "", "share", [Series("train", ["가"], [1.0])]),
    ]
    section = beside_official(NEW, {"tc": official}).sections[0]
    (part,) = section.parts
    (chart,) = part.charts
    assert [series.name for series in chart.series] == ["train", "KLUE train", "KLUE dev"]
    (table,) = part.tables
    assert [list(row) for row in table.rows] == [["Labels", "train", 0.5, "가", 0.25, 0.75]]
    assert not beside_official(NEW, {}).sections[0].parts


def test_histograms_of_other_widths_stand_side_by_side() -> None:
    def lengths(width: float) -> Chart:
        series = [Series("train", [5.0, 15.0], [0.5, 0.5])]
        return Chart("tc-length", "Length", "histogram", "characters", "share", series, width)

    section = replace(NEW.sections[0], charts=[lengths(10)])
    report = replace(NEW, sections=[section])
    same = beside_official(report, {"tc": [lengths(10)]}).sections[0].parts[0].charts
    other = beside_official(report, {"tc": [lengths(5)]}).sections[0].parts[0].charts
    assert (len(same), len(other)) == (1, 2)
    assert other[1].title == "KLUE: Length"
