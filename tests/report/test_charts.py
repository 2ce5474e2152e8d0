"""Charts: names stay text, marks keep their order, nothing is cut without a word."""

from __future__ import annotations

import html
import json

from hypothesis import given
from hypothesis import strategies as st

from pipeline.report import charts


@given(st.text(), st.integers(2, 50))
def test_names_are_drawn_as_they_stand_or_cut(name: str, most: int) -> None:
    drawn = charts.escape(name, most)
    assert "<" not in drawn
    assert ">" not in drawn
    signs = drawn.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert len(signs) <= most
    assert signs == name or (signs.endswith("…") and name.startswith(signs[:-1]))


def test_markup_survives_what_the_library_undoes() -> None:
    for name in ("<b>x</b>", "a & b &lt;", "x<br>y"):
        assert html.unescape(charts.escape(name, 99)) == name


def test_dots_go_by_number_and_keep_what_belongs_to_them() -> None:
    show = [{"annotator": name} for name in "abc"]
    made = charts.dots("t", list("abc"), [0.3, 0.1, 0.2], odd=[0, 1, 0], measure="m", show=show)
    trace = made["data"][0]
    assert trace["customdata"] == ["b", "c", "a"]
    assert trace["x"] == [0.1, 0.2, 0.3]
    assert trace["marker"]["symbol"] == ["diamond", "circle", "circle"]
    assert [one["annotator"] for one in made["show"]] == ["b", "c", "a"]
    assert made["layout"]["yaxis"]["ticktext"] == ["b", "c", "a"]


def test_many_dots_go_by_rank_and_only_odd_ones_are_named() -> None:
    names = [f"w{i:03d}" for i in range(546)]
    made = charts.dots("t", names, list(range(546)), odd=[i == 5 for i in range(546)], measure="m")
    trace = made["data"][0]
    assert trace["x"][:3] == [1, 2, 3]
    assert [name for name in trace["text"] if name] == ["w005"]
    assert made["wide"]
    assert "show" not in made


def test_a_heat_map_keeps_empty_cells_and_tells_more_when_pointed_at() -> None:
    notes = [["1 item", "<2>"], ["2 items", "0 items"]]
    made = charts.heat_map("t", ["r", "<s>"], ["c", "d"], [[None, 0.5], [0.2, 1]], notes=notes)
    trace = made["data"][0]
    assert trace["z"] == [[None, 0.5], [0.2, 1]]
    assert trace["customdata"][0][1] == ["r", "d", ", &lt;2&gt;"]
    assert trace["customdata"][1][0][0] == "&lt;s&gt;"
    assert trace["texttemplate"]
    assert not trace["showscale"]


def test_a_large_heat_map_has_a_scale_in_place_of_numbers() -> None:
    names = [str(i) for i in range(50)]
    made = charts.heat_map("t", names, names, [[0.5] * 50] * 50)
    assert "texttemplate" not in made["data"][0]
    assert made["data"][0]["showscale"]
    assert made["wide"]
    assert len(made["layout"]["xaxis"]["tickvals"]) <= charts.NAMED
    json.dumps(made, allow_nan=False)
