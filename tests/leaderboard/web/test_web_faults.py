"""The reason of a refusal as a list, from the very messages that scoring writes."""

from __future__ import annotations

from pathlib import Path

from pipeline.leaderboard.web.views.faults import Fault, refusal
from pipeline.scoring.submission import Faults, fault_message


def message(name: str, row: str, faults: list[tuple[str, int | None, str]]) -> str:
    found = Faults()
    for fault in faults:
        found.add(*fault)
    return fault_message(Path(name), found, row, 37)


def test_lines_of_a_jsonl_file() -> None:
    reason = message(
        "predictions.jsonl.gz",
        "line",
        [
            ("unreadable", 3, "is not one JSON object: Expecting value at character 1"),
            ("wrong", 1_204, "guid a_1: `label` is 7: a number, not one of: a, b"),
            ("missing", None, "guid a_2 has no prediction"),
        ],
    )
    found = refusal(reason)
    assert found.summary.startswith("nothing is scored; 1 unreadable, 1 wrong, 1 missing; 37 guids")
    assert list(found.faults) == [
        Fault("is not one JSON object: Expecting value at character 1", 3),
        Fault("guid a_1: `label` is 7: a number, not one of: a, b", 1_204),
        Fault("guid a_2 has no prediction"),
    ]
    assert found.more == ""


def test_rows_of_parquet_and_what_is_cut() -> None:
    faults = [("unknown", row, f"guid x{row} is not in the gold") for row in range(1, 31)]
    found = refusal(message("p.parquet", "row", list(faults)))
    assert len(found.faults) == 20
    assert (found.faults[0].unit, found.faults[0].place) == ("row", 1)
    assert found.more == "and 10 faults more"


def test_a_reason_of_one_line_is_all_summary() -> None:
    found = refusal("the file is not Parquet: its end is missing")
    assert (found.summary, list(found.faults)) == (
        "the file is not Parquet: its end is missing",
        [],
    )


def test_anything_is_a_reason() -> None:
    assert refusal("").summary == ""
    odd = refusal("a\n b\n\n  line : \n  x line 99999999999999999: y")
    assert [fault.place for fault in odd.faults] == [None, None, None]
