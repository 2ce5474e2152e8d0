"""Charts of the record: colours of splits, sums that are kept, names that stay text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality_records import ODD, SPLITS, TOPICS, charts

from pipeline.report.quality_charts import figure
from pipeline.report.record import Chart, Series


def made(name: str) -> dict[str, Any]:
    return figure(next(chart for chart in charts() if chart.id == name))


def colours(*names: str) -> list[str]:
    series = [Series(name, ["a", "b"], [1, 2]) for name in names]
    found = figure(Chart("c", "c", "bars", "x", "y", series))["data"]
    return [trace["marker"]["color"] for trace in found]


def test_a_split_has_one_colour_in_every_chart() -> None:
    train, dev, test = colours(*SPLITS)
    assert len({train, dev, test}) == 3
    assert colours("other", "test", "train")[1:] == [test, train]
    assert colours("validation", "x")[0] == dev
    lines = figure(Chart("c", "c", "line", "x", "y", [Series(n, [1], [1]) for n in SPLITS]))
    assert [trace["line"]["color"] for trace in lines["data"]] == [train, dev, test]
    assert len({trace["line"]["dash"] for trace in lines["data"]}) == 3


@given(st.permutations(["train", "dev", "a", "b", "c", "d", "e", "f"]))
def test_eight_series_have_eight_colours(names: list[str]) -> None:
    assert len(set(colours(*names))) == 8


def test_more_series_than_colours_are_drawn() -> None:
    assert len(colours(*(f"s{i}" for i in range(30)))) == 30


@pytest.mark.parametrize("name", [chart.id for chart in charts()])
def test_numbers_of_a_chart_are_all_drawn(name: str) -> None:
    chart = next(chart for chart in charts() if chart.id == name)
    drawn = figure(chart)
    for trace, series in zip(drawn["data"], chart.series, strict=True):
        along = trace["x"] if trace.get("orientation") == "h" else trace["y"]
        assert sum(y or 0 for y in along) == sum(y or 0 for y in series.y)
        assert len(trace["x"]) == len(trace["y"])
    json.dumps(drawn, allow_nan=False)


def test_many_bins_of_several_series_are_steps_that_begin_and_end_at_nothing() -> None:
    trace = made("steps")["data"][2]
    assert trace["line"]["shape"] == "hvh"
    assert trace["y"] == [0, *[3] * 51, 0]
    assert trace["x"][:3] == [-0.1, 0, 0.1]
    assert trace["x"][-2:] == [5.0, 5.1]
    assert made("bins")["data"][0]["type"] == "bar"


def test_steps_are_at_nothing_where_a_bin_is_absent() -> None:
    far = [Series(name, [*range(40), 100], [1] * 41) for name in "ab"]
    trace = figure(Chart("c", "c", "histogram", "x", "y", far))["data"][0]
    at = dict(zip(trace["x"], trace["y"], strict=True))
    assert at[39] == at[100] == 1
    assert at[40] == at[70] == at[99] == 0


def test_bars_of_bins_stand_side_by_side_within_their_bin() -> None:
    series = [Series(name, [0, 10], [1, 2]) for name in SPLITS]
    found = figure(Chart("c", "c", "histogram", "x", "y", series, width=10))["data"]
    ends = [(trace["offset"], trace["offset"] + trace["width"]) for trace in found]
    assert -5 <= ends[0][0] < ends[0][1] <= ends[1][0] < ends[1][1] <= ends[2][0] < ends[2][1] <= 5


def test_names_stand_below_where_they_fit_and_else_on_the_left() -> None:
    assert made("split")["data"][0]["orientation"] == "v"
    assert made("split")["layout"]["xaxis"]["ticktext"] == list(TOPICS)
    wide = [Series("n", [f"{name}의 아주 긴 이름" for name in TOPICS], range(7))]
    assert figure(Chart("c", "c", "bars", "x", "y", wide))["data"][0]["orientation"] == "h"


def test_months_of_all_series_are_in_order() -> None:
    series = [
        Series("train", ["2016-02", "2016-03"], [1, 2]),
        Series("test", ["2016-01", "2016-03"], [3, 4]),
    ]
    found = figure(Chart("c", "c", "line", "month", "n", series))
    assert found["layout"]["xaxis"]["ticktext"] == ["2016-01", "2016-02", "2016-03"]
    assert found["data"][0]["x"] == [1, 2]
    assert found["data"][1]["x"] == [0, 2]


def test_names_reach_the_library_escaped() -> None:
    series = [Series(name, ODD, range(len(ODD))) for name in ODD]
    for kind in ("bars", "line"):
        text = json.dumps(figure(Chart("c", ODD[0], kind, ODD[1], ODD[2], series))["data"])
        assert "<b>" not in text
        assert "<script" not in text
        assert "<img" not in text
    layout = json.dumps(figure(Chart("c", ODD[0], "line", ODD[1], ODD[2], series))["layout"])
    assert "<img" not in layout
    assert "<script" not in layout


def test_bars_of_one_series_say_their_number_where_there_is_room() -> None:
    drawn = made("one")
    assert drawn["data"][0]["textposition"] == "outside"
    assert drawn["layout"]["yaxis"]["range"][1] > 6
    assert "texttemplate" not in made("split")["data"][0]
    below = Chart("c", "c", "bars", "x", "y", [Series("n", ["a", "b"], [-1, None])])
    assert "range" not in figure(below)["layout"]["yaxis"]
    assert "texttemplate" not in figure(below)["data"][0]


def bars(names: list[str], numbers: list[float], *, x: str = "x") -> dict[str, Any]:
    return figure(Chart("c", "t", "bars", x, "y", [Series("y", names, numbers)]))


def test_bars_with_long_or_many_names_lie() -> None:
    up = bars(["a", "b"], [1, 2])
    assert up["data"][0]["orientation"] == "v"
    assert up["data"][0]["y"] == [1, 2]
    down = bars(["per:place_of_residence", "org:place_of_headquarters", "b"], [1, 2, 3])
    assert down["data"][0]["orientation"] == "h"
    assert down["data"][0]["x"] == [1, 2, 3]
    assert down["layout"]["yaxis"]["range"][0] > down["layout"]["yaxis"]["range"][1]
    assert bars([f"name{n}" for n in range(9)], [1] * 9)["data"][0]["orientation"] == "h"


def test_equal_beginnings_are_different_marks() -> None:
    assert bars(["x" * 50 + end for end in "abc"], [1, 2, 3])["data"][0]["y"] == [0, 1, 2]


def test_a_histogram_stands_on_numbers() -> None:
    made = figure(Chart("c", "t", "histogram", "score", "items", [Series("a", [0.5, 1.5], [3, 4])]))
    assert made["data"][0]["x"] == [0.5, 1.5]
    assert "tickvals" not in made["layout"]["xaxis"]
    assert made["layout"]["xaxis"]["title"]["text"] == "score"
