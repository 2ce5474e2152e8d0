"""What splits promised: what fails comes first, then what binds, and numbers are not rounded."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from pipeline.core import schemas
from pipeline.report.quality.splits import constraints_section
from pipeline.report.quality_page import page
from pipeline.report.record import Report


def row(name: str, **more: Any) -> dict[str, Any]:
    own = {"task": "nli", "name": name, "wanted": 450.0, "found": 450.0, "met": True}
    return {**own, "binds": False, "detail": "", "split": "dev", **more}


def table(*rows: dict[str, Any]) -> pa.Table:
    return schemas.build("constraints", list(rows))


def test_what_fails_comes_first_then_what_binds() -> None:
    made = constraints_section(
        "nli",
        table(
            row("kept"),
            row("size", found=72.0, binds=True),
            row("share", wanted=0.6, found=0.5982, met=False, detail="share of pairs"),
            row("other task", task="tc"),
            row("whole", split=None),
        ),
    )
    rows = [list(one) for one in made.tables[0].rows]
    assert [one[0] for one in rows] == ["share", "size", "kept", "whole"]
    assert rows[0] == ["share", "dev", 0.6, 0.5982, "no", None, "share of pairs"]
    assert rows[1][4:6] == ["yes", "yes"]
    assert rows[3][1] == "all"
    assert made.lead == ("3 of 4 constraints hold; these do not: share. Sizes are limited by size.")


def test_shares_and_counts_are_written_as_they_are() -> None:
    made = constraints_section("nli", table(row("share", wanted=0.6, found=0.5982), row("n")))
    html = page(Report("t", "l", [], [made]))
    assert ">0.598<" in html
    assert ">0.6<" in html
    assert ">450<" in html


def test_no_number_is_told_finer_than_it_is_of_use_and_no_name_as_code() -> None:
    made = constraints_section("nli", table(row("source_share", wanted=118.983, found=121.0)))
    assert list(made.tables[0].rows[0])[:4] == ["source share", "dev", 119.0, 121.0]


def test_splits_of_others_promised_nothing() -> None:
    made = constraints_section("nli", schemas.empty("constraints"))
    assert "nothing was promised" in made.lead
    assert not made.tables
