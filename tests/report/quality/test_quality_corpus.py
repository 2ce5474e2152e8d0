"""From raw files to the release: sums, rules by source, examples, and what is not known."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from flows.view.funnel import Funnel, TaskFunnel
from pipeline.report.quality.corpus import SHOWN, Drop, Example, corpus_section
from pipeline.report.quality.screens import Personal, Toxicity
from pipeline.report.quality_page import page
from pipeline.report.record import Chart, Report, Section, Table

FUNNELS = {
    "가게": Funnel(10, 1, 2, 7, 0, 30, 5, 6, 24),
    "news": Funnel(100, 0, 5, 95, 1, 400, 50, 100, 300),
}
TASKS: dict[str, dict[str, Any]] = {
    "tc": {
        **asdict(TaskFunnel(50, 40, 4, 6, 41, {"news": 41}, short=["all: 99 wanted, 41 drawn"])),
        "gold": 39,
        "unresolved": 1,
        "removed": 1,
        "left_out": 3,
        "released": 36,
    },
    "dst": asdict(TaskFunnel(items=40)),
}


def made(**given: Any) -> Section:
    found = {name: asdict(one) for name, one in FUNNELS.items()}
    return corpus_section(found, TASKS, **given)


def tables(section: Section) -> dict[str, Table]:
    own = {one.id: one for one in section.tables}
    return own | {name: one for part in section.parts for name, one in tables(part).items()}


def charts(section: Section) -> dict[str, Chart]:
    own = {one.id: one for one in section.charts}
    return own | {name: one for part in section.parts for name, one in charts(part).items()}


def by_name(table: Table) -> list[dict[str, Any]]:
    heads = [column.name for column in table.columns]
    return [dict(zip(heads, row, strict=True)) for row in table.rows]


def test_the_counts_of_a_build_stand_by_source_with_their_sum() -> None:
    rows = tables(made())["corpus-sources"].rows
    assert [row[0] for row in rows] == ["가게", "news", "all"]
    assert list(rows[0][1:]) == [10, 1, 2, 7, 30, 5, 6, 24, 0.8]
    assert rows[-1][1:4] == [110, 1, 7]
    assert rows[-1][-2:] == [324, round(324 / 430, 6)]


def test_a_task_is_told_as_far_as_it_came() -> None:
    rows = by_name(tables(made())["corpus-tasks"])
    assert rows[0] == {
        **{"task": "tc", "units offered": 50, "units drawn": 40, "units refused": 4},
        **{"candidates": 41, "gold": 39, "unresolved": 1, "removed": 1},
        **{"left out of splits": 3, "released": 36},
    }
    assert rows[1]["candidates"] == 40
    assert rows[1]["gold"] is rows[1]["released"] is None
    assert tables(made())["corpus-short"].rows == [("tc", "all: 99 wanted, 41 drawn")]


def test_the_funnel_goes_from_the_first_record_to_the_last_example() -> None:
    drops = [
        Drop("clean", "news", "noise.empty@1", "drop", 60),
        Drop("clean", "news", "noise.html@1", "edit", 9),
        Drop("pii", "가게", "pii.email@1", "drop", 40),
        Drop("dedup", "news", "dedup.near@1", "drop", 6),
    ]
    whole = charts(made(drops=drops))["corpus-whole"]
    assert whole.kind == "funnel"
    steps = {series.name: dict(zip(series.x, series.y, strict=True)) for series in whole.series}
    records, units, examples = steps.values()
    assert records == {"records read": 110, "documents": 102}
    assert list(units.items()) == [
        ("units", 430),
        ("after cleaning", 370),
        ("after personal data", 330),
        ("kept, after duplicates", 324),
    ]
    assert list(examples.values()) == [41, 39, 36]
    assert "36 examples were released" in made().lead


def test_rules_are_counted_by_source_and_edits_apart() -> None:
    drops = [
        Drop("clean", "news", "noise.empty@1", "drop", 3),
        Drop("clean", "가게", "noise.empty@1", "drop", 4),
        Drop("read", "news", "read.malformed@1", "quarantine", 2),
        Drop("clean", "news", "noise.html@1", "edit", 9),
        Drop("aggregation", "", "gold.majority@1", "drop", 5),
        Drop("unheard", "news", "a@1", "drop", 1),
    ]
    found = tables(made(drops=drops))
    left, edited = found["corpus-drops"], found["corpus-edits"]
    assert [column.name for column in left.columns[3:]] == ["(no source)", "news", "가게"]
    assert [list(row) for row in left.rows] == [
        ["read.malformed@1", "reading", 2, None, 2, None],
        ["noise.empty@1", "cleaning", 7, None, 3, 4],
        ["gold.majority@1", "aggregation", 5, 5, None, None],
        ["a@1", "unheard", 1, None, 1, None],
    ]
    assert [list(row) for row in edited.rows] == [["noise.html@1", "cleaning", 9, 9]]


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(["p@1", "q@1"]))))
def test_every_ledger_row_is_counted_once_whatever_the_order(pairs: list[tuple[str, str]]) -> None:
    drops = [Drop("clean", source, rule, "drop", 1) for source, rule in pairs]
    found = tables(made(drops=drops)).get("corpus-drops")
    assert found == tables(made(drops=drops[::-1])).get("corpus-drops")
    assert (sum(row["all"] for row in by_name(found)) if found else 0) == len(pairs)


def test_examples_of_a_rule_are_few_and_from_as_many_sources_as_there_are() -> None:
    texts = [Example(f"u{i}", f"글 {i}") for i in range(5)]
    drops = [Drop("clean", source, "r@1", "drop", 5, texts) for source in ("b", "a")]
    rows = by_name(tables(made(drops=drops))["corpus-examples"])
    assert len(rows) == SHOWN
    assert [(row["source"], row["id"]) for row in rows] == [("a", "u0"), ("b", "u0"), ("a", "u1")]
    assert rows[0]["text before, or where it stands"] == "글 0"


def test_what_has_no_text_is_told_by_its_place_and_no_cell_of_it_is_empty() -> None:
    found = [
        Example("u0", why="is not JSON", place="line 7 of reviews.jsonl"),
        Example("u1", "글", "tag 2", "line 8 of reviews.jsonl"),
        Example("u2"),
    ]
    drops = [Drop("read", "news", "read.malformed@1", "quarantine", 9, found)]
    rows = by_name(tables(made(drops=drops))["corpus-examples"])
    told = [row["text before, or where it stands"] for row in rows]
    assert told == ["line 7 of reviews.jsonl", "글"]
    assert [row["why"] for row in rows] == ["is not JSON", "tag 2"]


def test_places_are_korean_on_korean_pages_and_texts_stay() -> None:
    examples = [Example("u0", place="line 1,207 of my reviews.jsonl"), Example("u1", "line 7 of")]
    section = made(drops=[Drop("read", "news", "read.malformed@1", "quarantine", 2, examples)])
    html = page(Report("가상", "", [], [section]), language="ko")
    korean = '<span lang="ko">my reviews.jsonl의 1,207행</span>'
    assert f'<span lang="en">line 1,207 of my reviews.jsonl</span>{korean}' in html
    assert ">line 7 of<" in html


def test_personal_data_is_told_by_type_and_by_source() -> None:
    found = [
        Personal("news", "email", 5, 4, 4),
        Personal("news", "phone", 2, 2, 0),
        Personal("가게", "email", 1, 1, 1),
    ]
    own = tables(made(personal=found))
    assert own["corpus-personal-types"].rows == [["email", 6, 5, 5], ["phone", 2, 2, 0]]
    assert own["corpus-personal-sources"].rows == [["news", 5, 2, 7], ["가게", 1, 0, 1]]
    leads = {part.id: part.lead for part in made(personal=found).parts}
    assert leads["corpus-personal"] == "No unit was dropped for: phone."


def test_toxicity_has_thresholds_shares_and_a_chart_a_score() -> None:
    found = [
        Toxicity("news", "hate", 0.95, 200, 5, 2, [150, 40, 8, 2]),
        Toxicity("news", "gender_bias", 0.85, 200, 5, 0, [200, 0, 0, 0]),
        Toxicity("none", "hate", None, 0, 0, 0, [0, 0, 0, 0]),
    ]
    section = made(toxicity=found)
    assert tables(section)["corpus-toxicity-sources"].rows[0][-1] == 0.01
    assert tables(section)["corpus-toxicity-sources"].rows[2][-1] is None
    chart = charts(section)["corpus-toxicity-hate"]
    assert [one.name for one in chart.series] == ["news"]
    assert chart.series[0].x == [0.125, 0.375, 0.625, 0.875]
    assert chart.series[0].y == [0.75, 0.2, 0.04, 0.01]
    assert chart.width == 0.25
    assert "0.95" in chart.note


def test_what_there_is_nothing_of_says_so() -> None:
    section = corpus_section({}, {})
    assert section.lead == "No corpus was read for this report."
    assert not tables(section)
    assert not charts(section)
    assert all(part.lead for part in section.parts)


def test_it_is_a_page() -> None:
    drops = [
        Drop("clean", "news", "r@1", action, 1, [Example("u", "글")]) for action in ("drop", "edit")
    ]
    tox = [Toxicity("news", "hate", 0.95, 2, 0, 0, [2, 0])]
    found = made(drops=drops, personal=[Personal("news", "email", 1, 1, 1)], toxicity=tox)
    assert "<code>klue explain ID</code>" in page(Report("t", "l", [], [found]))
