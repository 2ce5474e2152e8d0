"""From the record of an audit to the pieces of its page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from audit_records import inside, labelled, odd, recorded, rows_of, scored, vote, whole

from pipeline.agreement.annotators.flags import ENOUGH as JUDGED
from pipeline.agreement.audit import audit
from pipeline.agreement.coefficients.chance import all_coefficients
from pipeline.agreement.votes.ratings import Ratings
from pipeline.contracts.official.files import read_official
from pipeline.contracts.registry import TASKS
from pipeline.report.audit import findings as said
from pipeline.report.audit.findings import findings
from pipeline.report.audit.words import COEFFICIENTS
from pipeline.report.audit_page import MOST, items, natural, page

EMPTY = {"level": "nominal"}


def texts(record: dict[str, Any]) -> list[str]:
    return [one.text for one in findings(record)]


def decoded(html: str) -> list[dict[str, Any]]:
    """Return the items of a page as the browser reads them."""
    found = inside(html, "items-data")
    keys = ("item", "source", "values", "by", "majority", "disagreement")
    keys += ("entropy", "deviation", "reports", "seats", "text")
    made = []
    for row in found["rows"]:
        one = dict(zip(keys, [*row, *[0] * len(keys)][: len(keys)], strict=True))
        one["values"] = [found["answers"][code] for code in one["values"]]
        one["by"] = [found["people"][code] if code >= 0 else None for code in one["by"] or []]
        one["source"] = found["sources"][one["source"]] if one["source"] >= 0 else None
        made.append(one)
    return made


def titles_in_plot(html: str, name: str) -> list[str]:
    """Return what the marks of a chart tell when they are pointed at, in their order."""
    _, found, rest = html.partition(f'<div id="{name}"')
    return re.findall("<title>(.*?)</title>", rest.split("</svg>")[0]) if found else []


def test_the_odd_annotator_is_the_first_thing_said() -> None:
    record = labelled()
    assert record["per_annotator"]["제멋대로"]["flags"]
    about = [one for one in findings(record) if one.show and "annotator" in one.show]
    flag = record["per_annotator"]["제멋대로"]["flags"][0]
    assert about[0].show == {"annotator": "제멋대로", "items": "\n".join(flag["items"])}
    assert about[0].warning
    assert len({one.show["annotator"] for one in about if one.show}) == 1
    html = page(record)
    first = rows_of(html, "annotators")[0]
    assert first["annotator"] == "제멋대로"
    assert first["what is odd"] == [record["per_annotator"]["제멋대로"]["flags"][0]["text"]]
    assert inside(html, "tables")["annotators"]["marked"] == [0]


def test_every_annotator_stands_in_the_table_with_their_numbers() -> None:
    record = scored()
    rows = {row["annotator"]: row for row in rows_of(page(record), "annotators")}
    assert set(rows) == set(record["per_annotator"])
    for name, person in record["per_annotator"].items():
        assert rows[name]["Pearson"] == person["pearson_vs_rest"]
        assert rows[name]["alpha"] == person["alpha_vs_rest"]
        assert rows[name]["bias"] == person["bias"]
        drift = person["drift"]
        assert rows[name]["drift"] == pytest.approx(drift["late"] - drift["early"])


def test_the_rule_of_exclusion_is_told_with_the_headings_of_the_table() -> None:
    record = scored()
    record["exclusion"] = {"rule": {}, "below": {"3": "alpha_vs_rest_nominal 0.1 is below 0.2"}}
    assert "Annotator 3 meets the spec's rule of exclusion: nominal alpha 0.1 is below 0.2." in (
        texts(record)
    )
    row = next(row for row in rows_of(page(record), "annotators") if row["annotator"] == "3")
    assert "nominal alpha 0.1 is below 0.2" in row["what is odd"][-1]


def test_nobody_is_called_fine_where_nobody_was_tested() -> None:
    assert said.ENOUGH == JUDGED
    few = recorded(
        [vote(f"i{n}", name, "a" if n % 3 else "b") for n in range(JUDGED - 1) for name in "pqr"],
        level="nominal",
    )
    assert any(text.startswith("Nobody was tested") for text in texts(few))
    assert not any("stands out" in text for text in texts(few))
    calm = recorded(
        [vote(f"i{n}", name, "a" if n % 3 else "b") for n in range(JUDGED) for name in "pqr"],
        level="nominal",
    )
    assert any("No annotator stands out" in text for text in texts(calm))
    assert not any("stands out" in text or "tested" in text for text in texts(whole("ner")))


@pytest.mark.parametrize(
    ("value", "words", "warning"),
    [(0.8, "firm", False), (0.667, "tentative", False), (0.6669, "not drawn", True)],
)
def test_alpha_is_read_by_the_customary_limits(value: float, words: str, warning: bool) -> None:
    record = labelled()
    record["coefficients"][record["lead"]]["value"] = value
    assert words in findings(record)[0].text
    assert findings(record)[0].warning is warning


def test_the_leading_coefficient_comes_first_and_those_without_a_value_last() -> None:
    record = scored()
    rows = rows_of(page(record), "coefficients")
    assert rows[0]["coefficient"] == "Krippendorff's alpha, interval"
    assert rows[0]["value"] == record["coefficients"][record["lead"]]["value"]
    values = [row["value"] is None for row in rows]
    assert values == sorted(values)
    assert all(row["remarks"] for row in rows if row["value"] is None)


def test_every_coefficient_has_a_title_and_says_what_it_is() -> None:
    votes = Ratings(
        np.array([0, 0]), np.array([0, 1]), np.array([0, 1]), ("i",), ("a", "b"), (1, 2)
    )
    found = all_coefficients(votes, level="interval")
    assert set(found) <= set(COEFFICIENTS)
    structures = {name for task in ("ner", "dp", "dst") for name in whole(task)["coefficients"]}
    assert structures <= set(COEFFICIENTS)


def test_items_in_the_page_are_the_items_of_the_record() -> None:
    for record in (labelled(), scored(), odd(), whole("ner")):
        rows = decoded(page(record))
        for row, own in zip(rows, record["per_item"], strict=True):
            assert row["item"] == own["item"]
            assert row["values"] == [str(value) for value in own["values"]]
            assert row["by"] == (own["by"] if own["values"] else [])
            assert row["source"] == own["source"]
            assert row["disagreement"] == own["disagreement"] or not own["disagreement"]
            assert (row["reports"] or {}) == own["reports"]


def test_a_cut_page_says_so_and_keeps_what_was_reported() -> None:
    record = labelled()
    html = page(record, most=10)
    rows = decoded(html)
    assert [row["item"] for row in rows[:10]] == [row["item"] for row in record["per_item"][:10]]
    shown = {
        item for flag in record["per_annotator"]["제멋대로"]["flags"] for item in flag["items"]
    }
    later = [row["item"] for row in record["per_item"][10:]]
    assert [row["item"] for row in rows[10:]] == [i for i in later if i in {*shown, "i-reported"}]
    assert f"The {len(rows)} items of 61 that are most disputed, reported or evidence" in html
    assert "that are most disputed, reported or evidence" not in page(record)
    assert inside(html, "items-data")["total"] == 61


def test_labels_are_offered_in_the_order_of_numbers() -> None:
    rows = [vote(f"i{n}", name, f"kind {n % 12}") for n in range(24) for name in "ab"]
    record = recorded(rows, level="nominal")
    assert inside(page(record), "items-data")["labels"] == [f"kind {n}" for n in range(12)]
    assert [row["label"] for row in rows_of(page(record), "labels")][-1] == "kind 11"
    assert inside(page(scored()), "items-data")["people"] == [str(n) for n in range(1, 11)]
    assert sorted(["10", "9", "a2", "a10", ""], key=natural) == ["", "9", "10", "a2", "a10"]


@pytest.mark.parametrize(
    ("task", "heading", "column", "count", "key", "inner"),
    [
        ("ner", "Types of spans", "type", "spans", "spans", "per_type"),
        ("dp", "Relations", "relation", "words", "trees", "per_deprel"),
        ("dst", "Slots", "slot", "turns", "states", "per_slot"),
    ],
)
def test_whole_answers_are_shown_by_their_parts(
    task: str, heading: str, column: str, count: str, key: str, inner: str
) -> None:
    record = whole(task)
    html = page(record)
    assert f'<h2><span lang="en">{heading}</span>' in html
    rows = {row[column]: row for row in rows_of(html, "labels")}
    assert set(rows) == set(record[key][inner])
    for name, part in record[key][inner].items():
        assert rows[name][count] == part[count]
        assert rows[name]["F1"] == part["f1"]["value"]
    if task == "ner":
        assert rows["PS"]["unitised alpha"] == record["spans"]["per_type"]["PS"]["alpha_u"]["value"]


@pytest.mark.parametrize(("task", "measure"), [("ner", "Span F1"), ("dp", "LAS")])
def test_people_who_give_whole_answers_are_measured(task: str, measure: str) -> None:
    record = whole(task)
    html = page(record)
    rows = rows_of(html, "annotators")
    assert rows[0]["annotator"] == "라온"
    assert rows[0][measure] == record["per_annotator"]["라온"]["agreement_vs_rest"]
    pairs = rows_of(html, "pairs")
    assert (pairs[0]["one"], pairs[-1]["one"], pairs[-1]["another"]) == (
        pairs[0]["one"],
        "가람",
        "노을",
    )
    assert "라온" in {pairs[0]["one"], pairs[0]["another"]}
    assert titles_in_plot(html, "plot-annotators")[0].startswith("라온: ")
    flagged = next(text for text in texts(record) if text.startswith("Annotator"))
    assert flagged.startswith("Annotator 라온: Agrees far less than the others do")


def test_two_people_are_not_ranked_against_each_other() -> None:
    rows = [
        vote(f"i{n}", name, "ab"[n % 2 ^ (name == "q" and n > 20)])
        for n in range(30)
        for name in "pq"
    ]
    record = recorded(rows, level="nominal")
    assert not any(text.startswith("Lowest") for text in texts(record))
    assert not titles_in_plot(page(record), "plot-annotators")


def test_filters_know_which_types_an_answer_holds() -> None:
    found = items(whole("ner"))
    for answer, marks in zip(found["answers"], found["marks"], strict=True):
        inside_ = {part.split(" ", 1)[1] for part in answer.split(", ") if answer != "no span"}
        assert {found["labels"][code] for code in marks} == inside_
    assert items(whole("dst"))["labels"] == []
    assert "marks" not in items(labelled())


def test_votes_without_names_say_so_and_show_their_seats() -> None:
    rows = [
        vote(f"i{n}", None, label, seat=seat)
        for n in range(30)
        for seat, label in (("author", "a"), ("label2", "a" if n % 4 else "b"))
    ]
    record = recorded(rows, level="nominal")
    html = page(record)
    assert "annotators" not in inside(html, "tables")
    assert any("nothing can be said of a person" in text for text in texts(record))
    assert 'id="filter-annotator"' not in html
    for row in record["per_item"]:
        row["seats"] = ["author", "label2"]
    found = inside(page(record), "items-data")
    assert found["seats"] == ["author", "label2"]
    assert found["rows"][0][9] == [0, 1]


def test_without_a_vote_the_page_says_so_and_draws_nothing() -> None:
    for record in (recorded([], **EMPTY), recorded([], task=TASKS["ner"])):
        assert "There is no vote to compare" in texts(record)[0]
        html = page(record)
        assert "<svg" not in html
        assert len(html) < 100_000
        assert 'id="items"' not in html


def test_one_annotator_alone_is_shown_without_comparison() -> None:
    record = recorded([vote(f"i{n}", "혼자", "ab"[n % 2]) for n in range(8)], level="nominal")
    assert "has no value" in texts(record)[0]
    html = page(record)
    assert [row["annotator"] for row in rows_of(html, "annotators")] == ["혼자"]
    assert not titles_in_plot(html, "plot-annotators") + titles_in_plot(html, "plot-pairs")
    assert "pairs" not in inside(html, "tables")


def test_a_fine_scale_is_drawn_in_bins() -> None:
    rows = [
        vote(f"i{n}", name, round(n * 1.37 % 50 + shift, 2))
        for n in range(60)
        for name, shift in (("a", 0), ("b", 0.4))
    ]
    record = recorded(rows, level="interval")
    bins = titles_in_plot(page(record), "plot-labels")
    assert sum(int(told.split(": ")[1]) for told in bins) == record["votes"]
    assert len(bins) < 30


def test_many_annotators_have_no_matrix_but_their_lowest_pairs() -> None:
    rows = [
        vote(f"i{n:04d}", f"w{(n * 5 + k * 31) % 546:03d}", "ab"[(n * k) % 2])
        for n in range(1000)
        for k in range(3)
    ]
    record = recorded(rows, level="nominal", bootstrap=0)
    assert record["annotators"] == 546
    html = page(record)
    assert not titles_in_plot(html, "plot-pairs")
    assert len(titles_in_plot(html, "plot-annotators")) == 300
    assert 0 < len(rows_of(html, "pairs")) <= 300
    assert len(rows_of(html, "annotators")) == 546


def test_gold_and_quarantine_are_told() -> None:
    record = labelled() | {"refused": {"vote.label@1": 2, "vote.line@1": 1}}
    record["gold"] = {
        "items": 60,
        "resolved": 58,
        "unresolved": 2,
        "removed": 0,
        "queues": {"adjudicate": 2},
        "rules": {"gold.majority@1": 60},
        "official": 60,
        "matches_official": 57,
    }
    html = page(record)
    gold = {row["gold"]: row["items"] for row in rows_of(html, "gold")}
    assert gold["items unresolved"] == 2
    assert gold["waiting in queue adjudicate"] == 2
    assert gold["equal to the file's own label (of 60)"] == 57
    assert "2 records quarantined by vote.label@1." in texts(record)
    assert "1 record quarantined by vote.line@1." in texts(record)
    assert '<b>3</b><span><span lang="en">records quarantined</span>' in html


def test_simulated_votes_are_marked() -> None:
    record = labelled()
    assert "simulated annotators" not in page(record)
    assert "simulated annotators" in page({**record, "simulated": True})


def test_the_same_record_gives_the_same_page() -> None:
    record = labelled()
    people = dict(reversed(record["per_annotator"].items()))
    again = json.loads(json.dumps({**record, "per_annotator": people}))
    assert page(record) == page(again)


@pytest.mark.parametrize(
    ("task", "name", "total"),
    [("sts", "klue-sts-v1.1_dev.json", 519), ("nli", "klue-nli-v1.1_dev.json", 3000)],
)
def test_official_files_have_a_page(task: str, name: str, total: int, data_dir: Path) -> None:
    found = read_official(task, data_dir / "klue" / name)
    record = audit(found.votes, task=TASKS[task], items=found.items, bootstrap=0)
    html = page(record)
    assert total <= MOST
    assert len(decoded(html)) == total
    assert len(html) < 7_000_000
    disputed = [row["disagreement"] for row in decoded(html)]
    assert disputed == sorted(disputed, reverse=True)
    if task == "sts":
        # Paper, Section 3.2.1: annotators below Pearson 0.80 or alpha 0.20 were left out.
        assert len(rows_of(html, "annotators")) == record["annotators"] == 17
        assert set(record["exclusion"]["below"]) == {
            one.show["annotator"] for one in findings(record) if one.show and "rule of" in one.text
        }
