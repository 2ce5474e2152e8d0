"""Faults of a user's metro file are told with file, line and key, and read as sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.core.errors import SpecError
from pipeline.tasks.dst.knowledge.metro import MOST, load_metro

SMALL = """lines:
  - {line: 가, stations: [하나역, 두리역, 세모역]}
  - {line: 나, stations: [두리역, 네모역]}
served:
  서울 중앙: [하나역, 네모역]
  서울 동쪽:
    - 세모역
minutes: {stop: 3, change: 4}
fare: {base: 1000, stops: 1, more: 100, every: 2}
"""
AREAS = ("서울 중앙", "서울 동쪽")


def _said(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "metro.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(SpecError) as error:
        load_metro(path, AREAS)
    return str(error.value).replace(f"{path}", "metro.yaml").splitlines()


def test_a_file_without_a_fault_is_read(tmp_path: Path) -> None:
    path = tmp_path / "metro.yaml"
    path.write_text(SMALL, "utf-8")
    assert load_metro(path, AREAS).stations == ["하나역", "네모역", "세모역"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "- 세모역",
            "- 다섯역",
            "metro.yaml:7: served.서울 동쪽.0: '다섯역' is on no line; add it to one",
        ),
        (
            "- 세모역",
            "- 하나역",
            "metro.yaml:7: served.서울 동쪽.0: '하나역' is under '서울 중앙' too; keep one of them",
        ),
        (
            "[두리역, 네모역]}",
            "[여섯역, 네모역]}",
            "metro.yaml:5: served.서울 중앙.1: no way from 하나역 to 네모역",
        ),
        (
            "서울 동쪽:",
            "부산 동쪽:",
            "metro.yaml:6: served.부산 동쪽: '부산 동쪽' is no part of the city; allowed are",
        ),
        ("stop: 3", "stop: 0", "metro.yaml:8: minutes.stop: "),
        ("line: 나", "lin: 나", "metro.yaml:3: lines.1.lin: unknown key"),
        ("stations: [하나역", "stations: [하나역, 하나역", "metro.yaml:2: lines.0.stations: "),
        ("served:", "served: [", "metro.yaml:6: not YAML"),
    ],
)
def test_a_fault_is_told_where_it_stands(tmp_path: Path, old: str, new: str, said: str) -> None:
    told = _said(tmp_path, SMALL.replace(old, new))
    assert any(line.startswith(said) for line in told), told


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = SMALL.replace("서울 동쪽", "부산 동쪽").replace("- 세모역", "- 다섯역")
    assert [line.split(" ")[0] for line in _said(tmp_path, text)] == [
        "metro.yaml:6:",
        "metro.yaml:7:",
    ]


@pytest.mark.parametrize("many", [1, MOST + 1])
def test_one_station_and_a_thousand_are_no_table_of_journeys(tmp_path: Path, many: int) -> None:
    stations = ", ".join(f"역{n}" for n in range(many))
    text = (
        f"lines: [{{line: 가, stations: [{stations}, 끝]}}]\nserved: {{서울 중앙: [{stations}]}}\n"
        "minutes: {stop: 3, change: 4}\nfare: {base: 1, stops: 1, more: 1, every: 1}\n"
    )
    assert _said(tmp_path, text) == [
        f"metro.yaml:2: served: {many} stations; journeys are made between 2 to {MOST} of them"
    ]
