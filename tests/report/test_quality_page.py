"""The report of quality as a page: forms of numbers, the paper's beside them, text as text."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality_records import EVIL, ODD, Read, charts, odd, ordinary, topics, words

from pipeline.report.numbers import format_cell
from pipeline.report.quality_page import count_differences, page, pages
from pipeline.report.record import (
    Chart,
    Column,
    Fact,
    Form,
    Notice,
    Report,
    Section,
    Series,
    Table,
    TaskOverview,
)
from pipeline.report.section_view import FIRST


def one(*tables: Table, charts: tuple[Chart, ...] = ()) -> Report:
    return Report("t", "l", [], [Section("s", "S", "", tables, charts)])


@pytest.mark.parametrize(
    ("cell", "form", "text"),
    [
        (1234, "whole", "1,234"),
        (1234.0, "whole", "1,234"),
        (0.5, "whole", "0.5"),
        (2.0004, "whole", "2"),
        (0.1234, "share", "12.3 %"),
        (1.0, "share", "100.0 %"),
        (-0.0004, "three", "0.000"),
        (-1.25, "one", "−1.2"),
        (3.14159, "two", "3.14"),
        (3.14159, "three", "3.142"),
        (1234.5678, "four", "1,234.5678"),
        (-7, "whole", "−7"),
        (7, "text", "7"),
        ("12%", "whole", "12%"),
        (None, "share", ""),
        (True, "text", "yes"),
        (0, "whole", "0"),
    ],
)
def test_numbers_are_written_in_their_form(cell: object, form: Form, text: str) -> None:
    assert format_cell(cell, form) == text  # type: ignore[arg-type]


@given(st.integers(-(10**12), 10**12))
def test_whole_numbers_are_read_back(number: int) -> None:
    assert int(format_cell(number, "whole").replace(",", "").replace("−", "-")) == number


@given(st.floats(0, 1))
def test_shares_are_off_by_half_a_tenth_of_a_per_cent_at_most(share: float) -> None:
    told = float(format_cell(share, "share").removesuffix(" %"))
    assert abs(told / 100 - share) <= 0.0005 + 1e-9


def test_every_cell_stands_in_the_page() -> None:
    rows = Read(page(one(words()))).cells("words")
    assert len(rows) == 40
    assert rows[3] == ["낱말3", "21", "−0.03"]
    assert rows[7] == ["낱말7", "", "−0.07"]


def test_the_paper_stands_beside_its_column_alone_and_differences_are_marked() -> None:
    read = Read(page(one(topics())))
    heads, *rows = read.tables["table-topics-title"]
    assert [text for text, _ in heads] == ["topic", "train", "paper", "share", "none"]
    assert rows[0][1:3] == [("1,000", "number"), ("1,000", "number paper")]
    assert rows[2][1:3] == [("1,002", "number"), ("1,234", "number paper differs")]
    assert rows[3][2] == ("", "number paper")
    assert sum("differs" in kind for row in rows for _, kind in row) == 1
    assert "as Table 3 of the paper" in read.text
    assert 'id="page-compared"' in page(one(topics()))
    assert 'id="page-compared"' not in page(one(words()))


def test_numbers_that_differ_beyond_what_is_written_are_the_same() -> None:
    table = Table("t", "t", [Column("F1", "one")], [[81.51], [81.6]], published=[[81.5], [81.5]])
    rows = Read(page(one(table))).tables["table-t-title"][1:]
    assert [kind for _, (_, kind) in rows] == ["number paper", "number paper differs"]


def test_numbers_of_other_examples_are_not_said_to_differ() -> None:
    table = Table("t", "t", [Column("train", apart=True)], [[332]], published=[[45678]])
    html = page(one(table))
    assert Read(html).tables["table-t-title"][1] == [("332", "number"), ("45,678", "number paper")]
    assert "≠ where" not in html
    assert count_differences([Section("s", "S", "", [table])]) == 0
    same = replace(table, columns=[Column("train")])
    assert "≠ where" in page(one(same))
    assert count_differences([Section("s", "S", parts=[Section("p", "P", "", [same])])]) == 1


def test_a_title_is_not_said_twice() -> None:
    table = Table("t", "The same", [Column("n")], [[1]])
    twice = Report("t", "l", [], [Section("s", "The same", "", [table])])
    assert '<span class="said">The same</span>' in page(twice)
    assert 'class="said"' not in page(one(table))


def test_shares_of_a_chart_are_per_cent() -> None:
    chart = Chart("c", "C", "bars", "x", "share", [Series("s", ["가"], [0.125])], form="share")
    rows = Read(page(one(charts=(chart,)))).tables["chart-c-title"]
    assert rows[1][1][0] == "12.5 %"


def test_long_tables_are_cut_where_they_have_more_rows() -> None:
    def cut(table: Table) -> bool:
        found = Read(page(one(table)))
        return any(own.get("class") == "cut" for tag, own in found.elements if tag == "table")

    assert cut(words())
    assert not cut(replace(words(), long=False))
    assert not cut(replace(words(), rows=words().rows[:FIRST]))
    assert "show all 40 rows" in page(one(words()))


def test_the_style_sheet_hides_what_comes_after_the_first_rows() -> None:
    assert f"nth-child(n + {FIRST + 1})" in page(one())


def test_charts_come_with_their_numbers() -> None:
    read = Read(page(one(charts=tuple(charts()))))
    heads, *rows = read.tables["chart-split-title"]
    assert [text for text, _ in heads] == ["topic", "train", "dev", "test"]
    assert [text for text, _ in rows[1]] == ["경제", "1", "101", "201"]
    _, *months = read.tables["chart-months-title"]
    assert [[text for text, _ in row] for row in months] == [
        ["2016-01", "1", ""],
        ["2016-02", "2", "5"],
    ]


def test_contents_lead_to_every_section_and_part() -> None:
    read = Read(page(ordinary()))
    links = [own["href"] for tag, own in read.elements if tag == "a"]
    assert links == ["#main", "#one", "#tc", "#dst"]
    ids = [own["id"] for _, own in read.elements if "id" in own]
    assert len(ids) == len(set(ids))
    assert {"one", "tc", "dst", "main"} <= set(ids)


def test_facts_and_leads_are_told() -> None:
    report = replace(ordinary(), facts=[Fact("Left", None), Fact("All", 12345, "in all")])
    text = Read(page(report)).text
    assert re.search(r"Left\s*none", text)
    assert re.search(r"All\s*12,345\s*in all", text)
    assert "<code>date</code>" in page(report)


def test_what_is_empty_says_so() -> None:
    assert "There is nothing to show." in page(one(Table("e", "Empty", [Column("n")], [])))
    assert "This report has no section." in page(Report("t", "l"))


def test_a_page_weighs_little() -> None:
    parts = [
        Section(f"s{i}", "S", "", [replace(words(), id=f"w{i}")], _renamed(i)) for i in range(14)
    ]
    assert len(page(Report("t", "l", [], parts)).encode()) < 1_500_000
    assert len(page(one(words())).encode()) < 60_000


def test_a_report_has_a_page_for_each_section_and_an_overview_that_leads_there() -> None:
    task = TaskOverview(
        "task-tc",
        "TC: Topics",
        {"train": 1234},
        chart="split",
        agreement=0.7125,
        measure="Alpha",
        notices=[Notice("2 leaks that would stop a release", "tc")],
    )
    section = Section("task-tc", "TC: Topics", parts=ordinary().sections[0].parts)
    made = pages(Report("A 1.0.0", "l", sections=[section], overview=[task]))
    assert list(made) == ["index.html", "tc.html"]
    read = Read(made["index.html"])
    links = [own["href"] for tag, own in read.elements if tag == "a"]
    assert {"tc.html", "tc.html#tc"} <= set(links)
    assert "1,234" in read.text
    assert "0.713" in read.text
    assert "Topics by split" in Read(made["tc.html"]).text
    ids = [own["id"] for _, own in Read(made["tc.html"]).elements if "id" in own]
    assert len(ids) == len(set(ids))


def _renamed(i: int) -> list[Chart]:
    return [replace(chart, id=f"{chart.id}-{i}") for chart in charts()]


@pytest.mark.parametrize("make", [ordinary, odd])
def test_it_reaches_for_nothing_and_runs_only_its_own_scripts(make: object) -> None:
    found = Read(page(make()))  # type: ignore[operator]
    assert len(found.scripts) == 2
    assert all(digest in found.policy() for digest in found.digests())
    assert found.policy().startswith("default-src 'none'; script-src 'sha256-")
    for tag, own in found.elements:
        assert tag not in {"iframe", "object", "embed", "base", "img", "audio", "video", "form"}
        assert not {"src", "srcset", "action", "style"} & set(own)
        assert not [name for name in own if name.startswith("on")]
        assert (own.get("href") or "#").startswith(("#", "data:,"))


def test_text_of_others_is_escaped_and_stays_what_it_is() -> None:
    html = page(odd())
    assert EVIL not in html
    assert "<img" not in html
    read = Read(html)
    assert set(read.cells("odd")[0]) == set(ODD)
    assert "{{7*7}}{% raw %}" in read.text
    assert "49" not in read.text


def test_code_in_leads_is_escaped_too() -> None:
    html = page(Report("t", f"`{EVIL}` and `klue explain ID`", [], []))
    assert EVIL not in html
    assert "<code>klue explain ID</code>" in html


def test_the_same_record_gives_the_same_bytes_in_any_process() -> None:
    code = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]);"
        "from quality_records import ordinary; from pipeline.report.quality_page import page;"
        "print(hashlib.sha256(page(ordinary()).encode()).hexdigest())"
    )
    here = Path(__file__).resolve().parent
    made = {
        subprocess.run(
            [sys.executable, "-c", code, str(here)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(here.parents[1])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(made) == 1


@pytest.mark.parametrize("name", ["Main", "main", "a b", "page-language", "", 'x" id="y'])
def test_ids_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is no id"):
        page(Report("t", "l", [], [Section(name, "S")]))


def test_ids_that_are_there_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="twice: table-words"):
        page(one(words(), words()))
    twice = Section("s", "S", parts=[Section("s", "T")])
    with pytest.raises(ValueError, match="twice: s"):
        page(Report("t", "l", [], [twice]))


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="nan is no number"):
        page(one(Table("t", "t", [Column("n", "two")], [[float("nan")]])))
    chart = Chart("c", "c", "bars", "x", "y", [Series("s", ["a"], [float("inf")])])
    with pytest.raises(ValueError, match="inf is no number"):
        page(one(charts=(chart,)))
    with pytest.raises(ValueError, match="not as many numbers as places"):
        page(one(charts=(replace(chart, series=[Series("s", ["a"], [])]),)))
