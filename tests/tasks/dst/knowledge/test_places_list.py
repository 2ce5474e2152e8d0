"""A user's list of real places: what is read, and what is told of rows that are no place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.core.errors import InputError
from pipeline.tasks.dst.goals.goal import Setting
from pipeline.tasks.dst.knowledge.metro import load_metro
from pipeline.tasks.dst.knowledge.places import PLACES, read_places

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
        ("나루터,,서울 북쪽,,,", "without 종류; every place needs 이름, 종류, 지역"),
        ("나루터,공원,서울 어딘가,,,", "관광-지역: allowed are 서울 중앙"),
        ("나루터,공원,서울 북쪽,없는역,,", "관광-인근 역: not among the stations"),
        ("나루터,공원,서울 북쪽,,아마도,", "관광-경치 좋은: allowed are yes, no"),
        ("가온숲,공원,서울 북쪽,,,", "the place of line 2 has the same name"),
    ],
)
def test_a_faulty_row_is_told_by_line(
    tmp_path: Path, setting: Setting, row: str, said: str
) -> None:
    path = _csv(tmp_path, "가온숲,공원,서울 북쪽,,,", row, "다온뜰,공원,서울 남쪽,,,")
    places, faults = read_places(path, setting.schema, METRO)
    assert [place["관광-이름"] for place in places] == ["가온숲", "다온뜰"]
    (fault,) = faults
    assert (fault.row, fault.line, fault.rule) == (1, 3, "dst.place@1")
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


def test_a_name_of_two_lines_is_no_name(tmp_path: Path, setting: Setting) -> None:
    path = _csv(tmp_path, '"나루\n터",공원,서울 북쪽,,,', "가온숲,공원,서울 북쪽,,,")
    places, (fault,) = read_places(path, setting.schema, METRO)
    assert len(places) == 1
    assert (fault.line, fault.reason) == (2, "관광-이름: holds a line break; write it on one line")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "places.csv: holds no place; give rows with the columns 이름, 종류, 지역"),
        (HEAD + "\n", "places.csv: holds no place"),
        (
            "이름,경치 좋은\n가,yes\n나,no\n",
            "line 2 and 1 more: without 종류, 지역; every place needs",
        ),
        (HEAD + "\n가,공원,어디,,,\n나,공원,저기,,,\n", "none of 2 rows is a place"),
        ("이름,종류,지역\n가\n", "line 2: has 1 field, the first line has 3"),
        (
            "name,종류\n가,공원\n",
            "a list of places is a CSV or JSONL file with 이름, 종류, 지역 for each",
        ),
        (
            "이름,종류,지역,인근 역\n가,절,서울 북쪽,없는역\n",
            "metro file serves; 관광-종류: allowed",
        ),
    ],
)
def test_a_list_without_a_place_is_refused_with_the_reasons(
    tmp_path: Path, setting: Setting, text: str, said: str
) -> None:
    path = tmp_path / "places.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as error:
        read_places(path, setting.schema, METRO)
    assert said in str(error.value)
    assert str(path) in str(error.value)
    assert not any(word in str(error.value) for word in ("어디", "저기"))
