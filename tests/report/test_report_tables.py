"""Tables as data: cells, marks, columns without values."""

from __future__ import annotations

import pytest

from pipeline.report.page import Cell, Column, estimate, table

NAME, VALUE = Column("name"), Column("value", "what it says", "number")


def test_plain_cells_stay_values_and_others_keep_what_they_have() -> None:
    made = table([NAME, VALUE], [["a", 1.5], [Cell("b", show={"annotator": "b"}), Cell(None)]])
    assert made["rows"] == [["a", 1.5], [{"value": "b", "show": {"annotator": "b"}}, None]]
    assert made["columns"][1] == {"title": "value", "help": "what it says", "form": "number"}


def test_columns_without_a_value_are_told_by_their_reason() -> None:
    columns = [NAME, VALUE, Column("bias"), Column("seconds"), Column("remarks")]
    gone = Cell(why="categories")
    rows = [["a", gone, gone, Cell(why="no times"), None] for _ in range(2)]
    made = table(columns, rows, drop=True)
    assert [column["title"] for column in made["columns"]] == ["name"]
    told = "Not shown, as no row has a value: value, bias (categories); seconds (no times)."
    assert made["note"] == told
    assert len(table(columns, rows)["columns"]) == 5
    assert table(columns, [], drop=True)["columns"] != []


def test_zero_and_false_are_values() -> None:
    made = table([NAME, VALUE], [["a", 0], ["b", 0]], drop=True)
    assert [row[1] for row in made["rows"]] == [0, 0]


def test_marked_rows_are_named_by_their_place() -> None:
    assert table([NAME], [["a"], ["b"], ["c"]], marked=[False, True, True])["marked"] == [1, 2]


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells"):
        table([NAME, VALUE], [["a"]])


def test_an_estimate_gives_value_and_interval_or_says_why_not() -> None:
    value, interval = estimate({"value": -0.1, "low": -0.25, "high": 0.0512})
    assert (value.value, interval.value, interval.text) == (-0.1, -0.25, "[−0.250, 0.051]")
    value, interval = estimate({"value": None, "low": None, "high": None, "reason": "no pair"})
    assert (value.value, value.why, interval.why) == (None, "no pair", "no pair")
    assert estimate(None)[0].why
