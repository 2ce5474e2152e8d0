"""What votes say: published values, odd annotators, and test examples that are not named."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from audit_records import labelled, odd, recorded, scored, whole

from pipeline.agreement.audit import audit
from pipeline.contracts.official.files import read_official
from pipeline.contracts.registry import TASKS
from pipeline.report.quality.agreement import DISPUTED, agreement_section
from pipeline.report.quality_page import page
from pipeline.report.record import Report, Section, Table

LABELS = {"긍정", "부정", "중립"}


def found(section: Section, name: str) -> Table:
    return next(one for one in section.tables if one.id.endswith(f"-{name}"))


def by_name(table: Table) -> list[dict[str, Any]]:
    heads = [column.name for column in table.columns]
    return [dict(zip(heads, row, strict=True)) for row in table.rows]


def test_coefficients_stand_with_their_intervals_the_leading_one_first() -> None:
    own = labelled()
    rows = by_name(found(agreement_section("tc", own), "coefficients"))
    lead = own["coefficients"]["krippendorff_alpha_nominal"]
    assert rows[0] == {
        "coefficient": "Krippendorff's alpha, nominal",
        "value": lead["value"],
        "95 % from": lead["low"],
        "to": lead["high"],
        "items": 60,
    }
    assert all(row["value"] is not None for row in rows)
    note = found(agreement_section("tc", own), "coefficients").note
    assert "Cohen's kappa" in note
    assert "Fleiss' kappa" not in note


def test_hidden_items_are_named_nowhere() -> None:
    own = labelled()
    differ = {row["item"] for row in own["per_item"] if len(set(row["values"])) > 1}
    hidden = {f"i-{place:02d}" for place in range(0, 60, 2)}
    section = agreement_section("tc", own, hidden=hidden)
    text = json.dumps(asdict(Report("t", "l", [], [section])), ensure_ascii=False)
    assert not [name for name in hidden if name in text]
    table = found(section, "disputed")
    shown = [row[0] for row in table.rows]
    assert shown
    assert set(shown) <= differ - hidden
    assert len(shown) == min(DISPUTED, len(differ - hidden))
    assert f"Answers differ on {len(differ)} item" in table.note
    assert f"{len(differ & hidden)} items of the test split" in table.note


def test_disputed_items_are_counts_the_most_disputed_first() -> None:
    own = labelled()
    rows = by_name(found(agreement_section("tc", own), "disputed"))
    values = [row["disagreement"] for row in rows]
    assert values == sorted(values, reverse=True)
    by_item = {row["item"]: row for row in own["per_item"]}
    for row in rows:
        assert row["different"] == len(set(by_item[row["item"]]["values"]))
        assert row["answers"] == 6
    assert not [cell for row in rows for cell in row.values() if cell in LABELS]


def test_the_odd_annotator_comes_first_with_the_reason() -> None:
    section = agreement_section("tc", labelled())
    rows = by_name(found(section, "annotators"))
    assert len(rows) == 6
    assert rows[0]["annotator"] == "제멋대로"
    assert rows[0]["what is odd"]
    assert not any(row["what is odd"] for row in rows[1:])
    assert rows[0]["alpha without"] > 0
    assert "Pearson" not in rows[0]


def test_reports_and_facts_are_told() -> None:
    own = labelled()
    section = agreement_section("tc", own)
    assert found(section, "reports").rows == [("personal data", 1)]
    assert "simulated" not in section.lead
    assert "simulated" in agreement_section("tc", {**own, "simulated": True}).lead
    gold = {"items": 9, "resolved": 6, "unresolved": 2, "removed": 1, "queues": {"review": 2}}
    rows = found(agreement_section("tc", {**own, "gold": gold}), "gold").rows
    assert rows[:3] == [("items resolved", 6), ("items unresolved", 2), ("items removed", 1)]
    assert ("waiting in queue review", 2) in rows


@pytest.mark.parametrize(
    "make", [scored, odd, *(partial(whole, task) for task in ("ner", "dp", "dst"))]
)
def test_votes_of_every_kind_are_a_page(make: Any) -> None:
    own = make()
    section = agreement_section("tc", own)
    assert len(found(section, "annotators").rows) == own["annotators"]
    assert section.charts
    assert page(Report("t", "l", [], [section]))


def test_votes_without_names_and_none_at_all_are_sections_too() -> None:
    own = {**labelled(), "per_annotator": {}, "annotators": 0}
    for audited in (own, recorded([], level="nominal")):
        section = agreement_section("tc", audited)
        assert not [one for one in section.tables if one.id.endswith("annotators")]
        assert page(Report("t", "l", [], [section]))


def test_the_official_scores_stand_beside_the_papers_alpha(data_dir: Path) -> None:
    official = read_official("sts", data_dir / "klue" / "klue-sts-v1.1_dev.json")
    own = audit(official.votes, task=TASKS["sts"], items=official.items, bootstrap=20)
    section = agreement_section("sts", own)
    table = found(section, "coefficients")
    assert table.published is not None
    told = [
        (row[0], paper[1]) for row, paper in zip(table.rows, table.published, strict=True) if paper
    ]
    assert told == [("Krippendorff's alpha, interval", 0.85)]
    assert table.rows[0][1] == pytest.approx(0.7477, abs=1e-4)
    people = by_name(found(section, "annotators"))
    assert len(people) == 17
    odd = {row["annotator"] for row in people if "rule of exclusion" in (row["what is odd"] or "")}
    assert odd == {"04", "05", "08", "12"}
    assert sum(row["votes"] for row in people) == 3262
    assert page(Report("t", "l", [], [section]))


@pytest.mark.parametrize(
    ("task", "name"), [("nli", "klue-nli-v1.1_dev.json"), ("tc", "ynat-v1.1_dev_first17.json")]
)
def test_official_files_give_a_section(data_dir: Path, task: str, name: str) -> None:
    official = read_official(task, data_dir / "klue" / name)
    own = audit(official.votes, task=TASKS[task], items=official.items, bootstrap=10)
    assert page(Report("t", "l", [], [agreement_section(task, own)]))
