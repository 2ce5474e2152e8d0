"""Residue of wiki pages goes; brackets that mean something stay."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.rules.table import RULE_SETS

sys.path.append(str(Path(__file__).parents[1]))

from clean_one import clean_text

IDS = [*RULE_SETS["noise"], *RULE_SETS["wiki"]]


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("주민 수가 늘었다.[1][2]", "주민 수가 늘었다."),
        ("조사에 따르면 [3]북쪽이 더 춥다.", "조사에 따르면 북쪽이 더 춥다."),
        ("안개에[1]길을 잃었다.", "안개에 길을 잃었다."),
        ("다리가 놓였다[주 4].", "다리가 놓였다."),
        ("[[한빛섬|섬]]의 등대는 [[등대봉]]에 있다.", "섬의 등대는 등대봉에 있다."),
        ("[[파일:등대.jpg|섬네일|등대의 모습]] 등대가 있다.", "등대가 있다."),
        ("{{인용|x}} 등대가 있다.", "등대가 있다."),
    ],
)
def test_residue_goes(text: str, cleaned: str) -> None:
    assert clean_text(text, IDS)[0] == cleaned


@pytest.mark.parametrize(
    "text", ["[[분류:섬]]", "[[파일:등대.svg:섬네일|right|120px|등대의 모습", "== 역사 ==", "[12]"]
)
def test_a_line_of_residue_alone_is_dropped_by_its_rule(text: str) -> None:
    left, events = clean_text(text, IDS)
    assert left is None
    assert [rule.split(".")[0] for rule in events] == ["wiki"]


@pytest.mark.parametrize(
    "text", ["[단독] 등대가 켜졌다.", "배열 a[i]는 비었다.", "1 == 1이다.", "[2020년] 기록이다."]
)
def test_look_alikes_stay(text: str) -> None:
    assert clean_text(text, IDS) == (text, {})


@given(st.text(alphabet="가나 .[]|{}=분류:1주", max_size=30))
def test_nothing_is_added_and_twice_is_once(text: str) -> None:
    cleaned, _ = clean_text(text, IDS)
    if cleaned is not None:
        assert set(cleaned) <= {*text, " "}
        assert clean_text(cleaned, IDS)[0] == cleaned
