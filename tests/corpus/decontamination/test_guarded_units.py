"""Cutting: short texts guard nothing, passages are sentences, a window holds each unit of a row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.decontamination.pieces import SHORTEST, UNIT, WINDOW, pieces_of, units_of

LETTERS = st.text("가나다라마바사아자차카타파하", min_size=1, max_size=600)


def test_letters_alone_count() -> None:
    assert units_of("  Ｋ리그, '개막전'은 7월 1일! ") == ["k리그개막전은7월1일"]


def test_a_text_that_is_too_short_has_no_unit() -> None:
    assert units_of("가" * (SHORTEST - 1)) == []
    assert units_of("가" * SHORTEST) == ["가" * SHORTEST]


def test_a_passage_is_cut_into_its_sentences_but_for_short_ones() -> None:
    long = "나" * 125
    assert units_of(f"그렇다. {long}. 다라마바.\n{'바' * 15}\n") == [long, "바" * 15]


def test_a_text_of_several_sentences_is_one_unit_and_its_long_sentences_are_too() -> None:
    assert units_of("문이 열렸다. 바람이 들어왔다.") == ["문이열렸다바람이들어왔다"]
    text = "어제는 종일 비가 많이 와서 강물이 크게 불었다. 오늘은 맑다."
    whole = "어제는종일비가많이와서강물이크게불었다오늘은맑다"
    assert units_of(text) == [whole, whole.removesuffix("오늘은맑다")]


@pytest.mark.parametrize("size", [3, 4, 40, 60, 90, 200])
def test_a_long_sentence_is_cut_evenly(size: int) -> None:
    text = "".join(f"{number}번" for number in range(size))
    units = units_of(text)
    assert "".join(units) == (text if len(text) >= SHORTEST else "")
    assert all(len(unit) <= UNIT for unit in units)
    assert max(map(len, units), default=0) - min(map(len, units), default=0) < max(1, len(units))


@given(LETTERS, st.integers(0, 600), st.integers(1, UNIT))
def test_each_part_as_long_as_a_unit_stands_in_a_piece(text: str, start: int, size: int) -> None:
    part = text[start : start + size]
    pieces = pieces_of(text)
    assert all(len(piece) <= WINDOW for piece in pieces)
    assert len(text) < 3 or any(part in piece for piece in pieces)


def test_sentences_of_a_row_are_pieces_too() -> None:
    pieces = pieces_of("비가 왔다. 오늘은 눈이 왔습니다. 네.")
    assert pieces == ["비가왔다오늘은눈이왔습니다네", "비가왔다", "오늘은눈이왔습니다"]
