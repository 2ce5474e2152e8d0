"""Leaks as they are told: what stops comes first, and test examples are not named."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from pipeline.core import schemas
from pipeline.report.language import korean
from pipeline.report.quality.splits import LISTED, leakage_section
from pipeline.report.quality_page import page
from pipeline.report.record import Report, Table


def leak(kind: str, left: str, right: str, **more: Any) -> dict[str, Any]:
    own = {"task": "tc", "kind": kind, "left": left, "left_split": "train", "right": right}
    return {**own, "right_split": "dev", "score": 1.0, "stops": False, **more}


def leaks(*rows: dict[str, Any]) -> pa.Table:
    return schemas.build("leaks", list(rows))


def overlaps() -> pa.Table:
    rows = [
        {
            "left_split": left,
            "right": right,
            "n": n,
            "examples": 40,
            "sharing": 10 // n,
            "mean": 0.5,
        }
        for left, right in (("dev", "train"), ("test", "/home/somebody/old/other.json"))
        for n in (1, 5)
    ]
    rows.append(
        {"left_split": "dev", "right": "test", "n": 5, "examples": 0, "sharing": 0, "mean": 0}
    )
    return schemas.build("overlaps", [{"task": "tc", **row} for row in rows])


def tables(*rows: dict[str, Any]) -> dict[str, Table]:
    section = leakage_section("tc", leaks(*rows), overlaps())
    return {one.id.removeprefix("leakage-tc-"): one for one in section.tables}


PLANTED = (
    leak("near", "a", "b", score=0.8),
    leak("near", "c", "d", score=0.9),
    leak("exact", "e", "secret-1", right_split="test", stops=True),
    leak("exact", "secret-2", "rec", left_split="test", right_split=None, file="/x/y.json", line=7),
)


def test_what_stops_the_release_comes_first_then_by_likeness() -> None:
    rows = tables(*PLANTED)["pairs"].rows
    assert [row[1] for row in rows] == ["e", "(a test example)", "c", "a"]
    assert [row[-1] for row in rows] == ["yes", "no", "no", "no"]


def test_test_examples_and_folders_are_named_nowhere() -> None:
    section = leakage_section("tc", leaks(*PLANTED), overlaps())
    text = json.dumps(asdict(Report("t", "l", [], [section])))
    assert "secret" not in text
    assert "/x" not in text
    assert "somebody" not in text
    assert "y.json" in text
    assert "other.json" in text


def test_leaks_are_counted_by_kind_and_place() -> None:
    rows = [list(row) for row in tables(*PLANTED)["counts"].rows]
    assert rows == [
        ["equal texts", "train", "test", "yes", 1],
        ["equal texts", "test", "y.json", "no", 1],
        ["nearly equal texts", "train", "dev", "no", 2],
    ]


def test_very_many_leaks_are_counted_and_the_first_are_listed() -> None:
    found = tables(*(leak("entity", f"l{i}", f"r{i}") for i in range(LISTED + 5)))
    assert found["counts"].rows[0][-1] == LISTED + 5
    assert len(found["pairs"].rows) == LISTED
    assert f"{LISTED} of {LISTED + 5}" in found["pairs"].note


def test_overlap_is_a_share_of_the_examples_looked_for() -> None:
    rows = tables()["overlaps"].rows
    assert list(rows[0]) == ["dev", "train", 1, 40, 10, 0.25, 0.5]
    assert all(row[3] for row in rows)
    section = leakage_section("tc", leaks(), overlaps())
    assert [one.name for one in section.charts[0].series] == ["1 word", "5 words"]


def test_runs_of_one_field_alone_say_so() -> None:
    def note(task: str) -> str:
        shared = overlaps().to_pylist()
        rows = schemas.build("overlaps", [{**row, "task": task} for row in shared])
        found = {one.id: one for one in leakage_section(task, leaks(), rows).tables}
        return found[f"leakage-{task}-overlaps"].note

    assert "Only the" not in note("tc") + note("sts") + note("dst")
    assert note("nli").endswith(" Only the premise of an example counts.")
    assert note("mrc").endswith(" Only the context of an example counts.")
    assert (korean(note("nli")) or "").endswith(" 예제에서 전제만 봅니다.")


def test_entities_are_no_runs_of_no_words() -> None:
    own = {"task": "ner", "left_split": "dev", "right": "train", "examples": 40}
    rows = [{**own, "n": 4, "sharing": 0, "mean": 0}, {**own, "n": 0, "sharing": 10, "mean": 0.5}]
    section = leakage_section("ner", leaks(), schemas.build("overlaps", rows))
    found = {one.id: one for one in section.tables}
    assert [list(row) for row in found["leakage-ner-entities"].rows] == [
        ["dev", "train", 40, 10, 0.25, 0.5]
    ]
    assert [row[2] for row in found["leakage-ner-overlaps"].rows] == [4]
    assert not section.charts


def test_a_split_without_examples_was_compared_with_nothing() -> None:
    section = leakage_section("tc", leaks(), overlaps(), splits=("dev",))
    assert not section.tables
    assert section.lead.startswith("Nothing was compared")
    whole = leakage_section("tc", leaks(), overlaps(), splits=("train", "dev"))
    assert {tuple(row[:2]) for row in whole.tables[0].rows} == {("dev", "train")}


def test_a_shared_hypothesis_is_counted_and_stops_nothing() -> None:
    found = [leak("hypothesis", f"a{i}", f"b{i}") for i in range(3)]
    section = leakage_section("nli", leaks(*found), overlaps())
    own = {one.id.removeprefix("leakage-nli-"): one for one in section.tables}
    assert [list(row) for row in own["counts"].rows] == [
        ["the same hypothesis, another premise", "train", "dev", "no", 3]
    ]
    assert "pairs" not in own
    assert section.lead == (
        "No leak that stops a release. 3 examples of one split share the hypothesis of another:"
        " this alone stops nothing."
    )


def test_the_lead_says_how_it_stands() -> None:
    def lead(*rows: dict[str, Any], shared: pa.Table | None = None) -> str:
        return leakage_section("tc", leaks(*rows), overlaps() if shared is None else shared).lead

    assert lead(*PLANTED) == (
        "1 leak that stops a release. 3 lesser leaks that do not stop a release."
    )
    assert lead(PLANTED[0]).startswith("No leak that stops a release. 1 lesser leak that does not")
    assert lead() == "No leak that stops a release."
    assert lead(shared=schemas.empty("overlaps")).startswith("Nothing was compared")


def test_it_is_a_page() -> None:
    section = leakage_section("tc", leaks(*PLANTED), overlaps())
    assert page(Report("t", "l", [], [section]))
