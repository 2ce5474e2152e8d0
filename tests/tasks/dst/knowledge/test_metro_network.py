"""Journeys on the shipped lines against what any map shows, and on a small network by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.tasks.dst.knowledge.metro import Journey, Metro, load_metro

METRO = load_metro()
JOURNEYS = {(j.start, j.end): j for j in METRO.journeys()}

SMALL = """
lines:
  - {line: 가, stations: [하나역, 두리역, 세모역]}
  - {line: 나, stations: [두리역, 네모역]}
served: {서울 중앙: [하나역, 네모역], 서울 동쪽: [세모역]}
minutes: {stop: 3, change: 4}
fare: {base: 1000, stops: 1, more: 100, every: 2}
"""


def _metro(tmp_path: Path, text: str) -> Metro:
    path = tmp_path / "metro.yaml"
    path.write_text(text, "utf-8")
    return load_metro(path)


def test_there_are_as_many_journeys_as_in_table_25() -> None:
    assert len(JOURNEYS) == 3_306


@pytest.mark.parametrize(
    ("line", "stations"), [("2호선", 43), ("3호선", 33), ("4호선", 26), ("9호선", 38)]
)
def test_lines_have_their_stations(line: str, stations: int) -> None:
    """Lines 2 and 9 as their operators count them; of 3 and 4 the parts inside the city."""
    assert sum(len(one.stations) for one in METRO.lines if one.line == line) == stations


@pytest.mark.parametrize(
    ("station", "lines"),
    [
        ("동대문역사문화공원역", {"2호선", "4호선", "5호선"}),
        ("종로3가역", {"1호선", "3호선", "5호선"}),
        ("고속터미널역", {"3호선", "7호선", "9호선"}),
        ("왕십리역", {"2호선", "5호선"}),
        ("삼각지역", {"4호선", "6호선"}),
        ("잠실역", {"2호선", "8호선"}),
        ("노원역", {"4호선", "7호선"}),
        ("올림픽공원역", {"5호선", "9호선"}),
        ("이수역", {"4호선", "7호선"}),
        ("혜화역", {"4호선"}),
    ],
)
def test_transfer_stations(station: str, lines: set[str]) -> None:
    assert {one.line for one in METRO.lines if station in one.stations} == lines


@pytest.mark.parametrize(
    ("start", "end", "path"),
    [
        ("서울역", "시청역", "서울역 1호선 → 시청역"),
        ("명동역", "혜화역", "명동역 4호선 → 혜화역"),
        ("이촌역", "이태원역", "이촌역 4호선 → 삼각지역 6호선 → 이태원역"),
        ("시청역", "이대역", "시청역 2호선 → 이대역"),  # over the end of the loop
        ("천호역", "올림픽공원역", "천호역 5호선 → 올림픽공원역"),  # along the branch
    ],
)
def test_known_ways(start: str, end: str, path: str) -> None:
    assert JOURNEYS[start, end].path == path


def test_the_way_back_takes_as_long() -> None:
    for (start, end), found in JOURNEYS.items():
        back = JOURNEYS[end, start]
        assert (found.minutes, found.changes) == (back.minutes, back.changes)


def test_no_way_round_is_quicker() -> None:
    """The triangle inequality: a stop on the way costs at least as much."""
    some = METRO.stations[::6]
    for a in some:
        for b in some:
            for c in some:
                if len({a, b, c}) == 3:
                    there = JOURNEYS[a, b].minutes + JOURNEYS[b, c].minutes
                    assert JOURNEYS[a, c].minutes <= there + METRO.minutes.change


def test_a_small_network_by_hand(tmp_path: Path) -> None:
    found = {(j.start, j.end): j for j in _metro(tmp_path, SMALL).journeys()}
    assert found["하나역", "네모역"] == Journey(
        "하나역", "네모역", "가", "나", 3 + 4 + 3, 1, 2, "하나역 가 → 두리역 나 → 네모역"
    )


@pytest.mark.parametrize(("stops", "won"), [(1, 1000), (2, 1100), (3, 1100), (4, 1200)])
def test_fare_by_stops(tmp_path: Path, stops: int, won: int) -> None:
    assert _metro(tmp_path, SMALL).price(stops) == won
