"""A user's list of real places: what is read, and what is told of rows that are no place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.core.errors import InputError
from pipeline.sampling.dialogue.network import load_metro
from pipeline.sampling.dialogue.places import PLACES, read_places
from pipeline.sampling.dialogue.venues import Setting

METRO = load_metro()
HEAD = "이름,종류,지역,인근 역,경치 좋은,입장료"


def _csv(tmp_path: Path, *rows: str, head: str = HEAD) -> Path:
    path = tmp_path / "places.csv"
    path.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


def test_the_shipped_list_has_no_fault(setting: Setting) -> None:
    places, faults = read_places(PLACES, setting.schema, METRO)
    assert faults == []
    assert len(places) >= 100


def test_values_are_taken_as_given(tmp_path: Path, setting: Setting) -> None:
    path = _csv(tmp_path, "가온숲,공원,서울 북쪽,노원역,yes,무료")
    (place,), _ = read_places(path, setting.schema, METRO)
    assert place == {
        "관광-이름": "가온숲",
        "관광-종류": "공원",
        "관광-지역": "서울 북쪽",
        "관광-인근 역": "노원역",
        "관광-경치 좋은": "yes",
        "관광-입장료": "무료",
    }


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("나루터,,서울 북쪽,,,", "without 종류"),
        ("나루터,공원,서울 어딘가,,,", "관광-지역: allowed are 서울 중앙"),
        ("나루터,공원,서울 북쪽,없는역,,", "인근 역 is not among"),
        ("나루터,공원,서울 북쪽,,아마도,", "관광-경치 좋은: allowed are yes, no"),
        ("가온숲,공원,서울 북쪽,,,", "same name"),
    ],
)
def test_a_faulty_row_is_told_by_line(
    tmp_path: Path, setting: Setting, row: str, said: str
) -> None:
    path = _csv(tmp_path, "가온숲,공원,서울 북쪽,,,", row, "다온뜰,공원,서울 남쪽,,,")
    places, faults = read_places(path, setting.schema, METRO)
    assert [place["관광-이름"] for place in places] == ["가온숲", "다온뜰"]
    (fault,) = faults
    assert (fault.file, fault.line, fault.rule) == ("places.csv", 3, "dst.place@1")
    assert said in fault.reason
    assert "어딘가" not in fault.reason


def test_json_lines_are_read_too(tmp_path: Path, setting: Setting) -> None:
    path = tmp_path / "places.jsonl"
    row = {"이름": "가온숲", "종류": "공원", "지역": "서울 북쪽"}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n{broken\n", "utf-8")
    places, faults = read_places(path, setting.schema, METRO)
    assert len(places) == 1
    assert [(fault.line, fault.rule) for fault in faults] == [(2, "file.malformed@1")]


def test_a_list_without_names_is_refused(tmp_path: Path, setting: Setting) -> None:
    path = _csv(tmp_path, "공원,서울 북쪽", head="종류,지역")
    with pytest.raises(InputError, match="이름"):
        read_places(path, setting.schema, METRO)
