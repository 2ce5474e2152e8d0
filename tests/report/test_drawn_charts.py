"""Drawn charts: marks as long as their numbers, colours of splits, names that stay text."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality_records import ODD, SPLITS, TOPICS, charts

from pipeline.report.charts import figure, sparkline
from pipeline.report.dots import dots
from pipeline.report.drawing import Drawing, scale, shorten, width_of
from pipeline.report.heat_map import heat_map
from pipeline.report.record import Chart, Series


def read(drawing: Drawing) -> ET.Element:
    """Return the elements of a drawing, which is well-formed."""
    return ET.fromstring(str(drawing.svg))


def rects(drawing: Drawing, kind: str) -> list[dict[str, str]]:
    return [one.attrib for one in read(drawing).iter("rect") if one.get("class") == kind]


def titles(drawing: Drawing) -> list[str]:
    return [one.text or "" for one in read(drawing).iter("title")]


def drawing_of(name: str) -> Drawing:
    return figure(next(chart for chart in charts() if chart.id == name))


def classes(*names: str, kind: str = "bars") -> list[str]:
    """Return the class of the mark in the legend of each series."""
    series = [Series(name, ["a", "b"], [1, 2]) for name in names]
    root = read(figure(Chart("c", "c", kind, "x", "y", series)))  # type: ignore[arg-type]
    return [one.get("class") or "" for one in list(root.iter("rect"))[: len(names)]]


def test_a_split_has_one_colour_in_every_chart() -> None:
    train, dev, test = classes(*SPLITS)
    assert len({train, dev, test}) == 3
    assert classes("other", "test", "train")[1:] == [test, train]
    assert classes("validation", "x")[0] == dev
    assert classes(*SPLITS, kind="line") == [train, dev, test]
    assert classes("train", "KLUE train") == [train, f"{train} official"]


@given(st.permutations(["train", "dev", "a", "b", "c", "d", "e", "f"]))
def test_eight_series_have_eight_colours(names: list[str]) -> None:
    assert len(set(classes(*names))) == 8


def test_more_series_than_colours_are_drawn() -> None:
    assert len(classes(*(f"s{i}" for i in range(30)))) == 30


@pytest.mark.parametrize("names", [list("abc"), ["per:place_of_residence", *list("bc")]])
def test_bars_are_as_long_as_their_numbers(names: list[str]) -> None:
    drawing = figure(Chart("c", "c", "bars", "x", "y", [Series("n", names, [1, 2, 4])]))
    side = "height" if len(names[0]) == 1 else "width"
    first, second, third = (float(one[side]) for one in rects(drawing, "s0"))
    assert second == pytest.approx(2 * first, abs=0.2)
    assert third == pytest.approx(4 * first, abs=0.2)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9))
def test_a_scale_holds_all_numbers_between_its_round_ends(numbers: list[float]) -> None:
    found = scale(numbers, 0, 100)
    assert found.low - 1e-6 <= min(*numbers, 0) <= max(*numbers, 0) <= found.high + 1e-6
    assert all(-0.1 <= found(number) <= 100.1 for number in numbers)
    steps = [b - a for a, b in pairwise(found.ticks)]
    assert max(steps) == pytest.approx(min(steps), rel=1e-3)
    assert 2 <= len(found.ticks) <= 9


@pytest.mark.parametrize("names", [list("abcd"), ["per:place_of_residence", *list("bcd")]])
@pytest.mark.parametrize("high", [0.07, 0.12, 0.5, 0.9, 0.0012, 12.0])
def test_the_numbers_of_an_axis_of_shares_are_as_far_apart_as_its_lines(
    names: list[str], high: float
) -> None:
    series = [Series(split, names, [high, 0.0, high / 2, high / 7]) for split in SPLITS]
    drawing = figure(Chart("c", "c", "bars", "x", "y", series, form="share"))
    texts = [one.text or "" for one in read(drawing).iter("text")]
    ticks = [float(text[:-2].replace(",", "")) for text in texts if text.endswith(" %")]
    steps = [b - a for a, b in pairwise(ticks)]
    assert len(steps) > 1
    assert max(steps) == pytest.approx(min(steps))


def test_pointing_at_a_place_tells_the_numbers_of_all_series() -> None:
    assert titles(drawing_of("split"))[1] == "경제: train 1; dev 101; test 201"
    shares = Chart("c", "c", "bars", "x", "y", [Series("n", ["a"], [0.125])], form="share")
    assert titles(figure(shares)) == ["a: 12.5 %"]
    assert titles(drawing_of("months")) == [
        "train, 2016-01: 1",
        "train, 2016-02: 2",
        "dev, 2016-02: 5",
    ]


def test_bars_of_bins_stand_side_by_side_within_their_bin() -> None:
    series = [Series(name, [0, 10], [1, 2]) for name in SPLITS]
    drawing = figure(Chart("c", "c", "histogram", "x", "y", series, width=10))
    hits = [(float(one["x"]), float(one["width"])) for one in rects(drawing, "hit")]
    ends = []
    for kind in ("s0", "s1", "s2"):
        _, own, _ = rects(drawing, kind)  # the first is of the legend
        ends += [float(own["x"]), float(own["x"]) + float(own["width"])]
    assert hits[0][0] < ends[0]
    assert ends == sorted(ends)
    assert ends[-1] < hits[0][0] + hits[0][1]


def test_many_bins_of_several_series_are_steps_that_begin_and_end_at_nothing() -> None:
    drawing = drawing_of("steps")
    lines = [one.get("d") or "" for one in read(drawing).iter("path") if "line" in str(one.attrib)]
    assert len(lines) == 3
    places = [float(point.split()[1]) for point in lines[2].removeprefix("M").split("L")]
    assert places[0] == places[-1] == max(places)
    assert drawing.wide


def test_months_of_all_series_are_in_order() -> None:
    series = [
        Series("train", ["2016-02", "2016-03"], [1, 2]),
        Series("test", ["2016-01", "2016-03"], [3, 4]),
    ]
    root = read(figure(Chart("c", "c", "line", "month", "n", series)))
    at = {one.text: float(one.get("x") or 0) for one in root.iter("text")}
    assert at["2016-01"] < at["2016-02"] < at["2016-03"]


def test_names_stand_below_where_they_fit_and_else_on_the_left() -> None:
    def is_below(names: list[str]) -> bool:
        drawing = figure(Chart("c", "c", "bars", "x", "y", [Series("n", names, range(len(names)))]))
        return all(one.get("text-anchor") == "middle" for one in _names(drawing, names))

    assert is_below(list(TOPICS))
    assert not is_below([f"{name}의 아주 긴 이름" for name in TOPICS])
    assert not is_below([f"name{n}" for n in range(9)])


def _names(drawing: Drawing, names: list[str]) -> list[ET.Element]:
    return [one for one in read(drawing).iter("text") if one.text in names]


def test_bars_of_one_series_say_their_number() -> None:
    assert {"3", "6"} <= {one.text for one in read(drawing_of("one")).iter("text")}
    below = Chart("c", "c", "bars", "x", "y", [Series("n", ["a", "b"], [-1, None])])
    assert "−1" in {one.text for one in read(figure(below)).iter("text")}


@pytest.mark.parametrize("kind", ["bars", "line", "funnel", "slopes"])
def test_names_stay_text(kind: str) -> None:
    series = [Series(name, ODD, range(len(ODD))) for name in ODD]
    drawing = figure(Chart("c", ODD[0], kind, ODD[1], ODD[2], series))  # type: ignore[arg-type]
    tags = {one.tag for one in read(drawing).iter()}
    assert tags <= {"svg", "g", "title", "rect", "path", "text", "polygon"}
    assert not {key for one in read(drawing).iter() for key in one.attrib if key.startswith("on")}
    shown = read(heat_map(ODD, ODD, [[0.5] * len(ODD)] * len(ODD)))
    assert {one.tag for one in shown.iter()} <= {"svg", "g", "title", "rect", "text"}


def test_a_funnel_narrows_as_its_numbers_do() -> None:
    steps = Series("units", ["all", "left", "kept"], [100, 50, 25])
    drawing = figure(Chart("c", "c", "funnel", "step", "n", [steps]))
    first, second, third = (float(one["width"]) for one in rects(drawing, "s0"))
    assert (second, third) == pytest.approx((first / 2, first / 4), abs=0.2)
    assert "50  (50.0 %)" in {one.text for one in read(drawing).iter("text")}


def test_ranks_go_down_and_lines_are_named_at_their_end() -> None:
    """Two that share a rank share its line of names."""
    ends = {"a": (2, 1), "b": (1, 2.5), "c": (3, 2.5)}
    series = [Series(name, ["old", "new"], ranks) for name, ranks in ends.items()]
    root = read(figure(Chart("c", "c", "slopes", "", "rank", series, form="one")))
    texts = [(one.text, float(one.get("y", 0))) for one in root.iter("text")]
    assert [text for text, _ in texts] == ["old", "new", "1", "2", "3", "a", "b, c"]
    heights = dict(texts)
    assert heights["1"] == heights["a"] < heights["2"] < heights["b, c"] < heights["3"]
    paths = [one.get("d", "") for one in root.iter("path") if "line" in one.get("class", "")]
    assert len(paths) == 3
    starts = [float(d[1:].split("L")[0].split()[1]) for d in paths]
    assert starts[1] < starts[0] < starts[2]


def test_dots_go_by_number_and_keep_what_belongs_to_them() -> None:
    show = [{"annotator": name} for name in "abc"]
    drawing = dots(list("abc"), [0.3, 0.1, 0.2], odd=[False, True, False], measure="m", show=show)
    assert titles(drawing) == ["b: 0.100", "c: 0.200", "a: 0.300"]
    groups = list(read(drawing).iter("g"))
    assert next(one.get("data-show") for one in groups) == '{"annotator": "b"}'
    assert [one.find("path").get("class") for one in groups] == ["odd", "s0", "s0"]  # type: ignore[union-attr]


def test_many_dots_go_by_rank_and_only_odd_ones_are_named() -> None:
    names = [f"w{i:03d}" for i in range(546)]
    odd = [i == 5 for i in range(546)]
    drawing = dots(names, list(range(546)), odd=odd, measure="m", show=[{}] * 546)
    named = [one.text for one in read(drawing).iter("text") if (one.text or "").startswith("w")]
    assert named == ["w005"]
    assert drawing.wide


def test_a_heat_map_leaves_empty_cells_out_and_tells_more_when_pointed_at() -> None:
    notes = [["1 item", "<2>"], ["2 items", "0 items"]]
    drawing = heat_map(["r", "<s>"], ["c", "d"], [[None, 0.5], [0.2, 1]], notes=notes)
    assert titles(drawing) == ["r, d: 0.50, <2>", "<s>, c: 0.20, 2 items", "<s>, d: 1.00, 0 items"]
    shades = [float(one["fill-opacity"]) for one in rects(drawing, "heat")]
    assert shades[1] < shades[0] < shades[2]
    many = [str(i) for i in range(50)]
    large = heat_map(many, many, [[0.5] * 50] * 50)
    assert large.wide
    assert "0.50" not in {one.text for one in read(large).iter("text")}


def test_a_text_is_cut_to_its_room() -> None:
    assert shorten("가나다", 100) == "가나다"
    cut = shorten("아주 긴 이름의 관계", 60)
    assert cut.endswith("…")
    assert width_of(cut) <= 60


def test_a_small_chart_has_the_bars_of_the_first_series() -> None:
    chart = next(chart for chart in charts() if chart.id == "split")
    assert titles(sparkline(chart))[-1] == "스포츠: 6"
