"""Hangul in pieces becomes whole syllables, as Unicode composes them, and nothing else changes."""

from __future__ import annotations

import unicodedata

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.hangul import compose, compose_column, places

#: Whole and open syllables, letters that compose, and some that do not (old and lone ones).
_TEXT = st.text(
    st.sampled_from("가각나닿힣 a1\n\u1100\u1112\u1161\u1175\u11a8\u11c2\u119e\u115f\u1113ㄱㅏ")
)


@given(_TEXT)
def test_hangul_is_composed_as_unicode_does_it(text: str) -> None:
    whole = compose(text)
    assert whole == unicodedata.normalize("NFC", text)
    assert compose(whole) == whole


@given(_TEXT)
def test_each_character_has_a_place_in_the_text(text: str) -> None:
    whole, at = compose(text), places(text)
    assert len(at) == len(whole) + 1
    assert [compose(text[at[n] : at[n + 1]]) for n in range(len(whole))] == list(whole)


@pytest.mark.parametrize("text", ["金\uf90a", "e\u0301", "か\u3099", "ㅋㅋ", "\u110f\u110f"])
def test_other_characters_stay(text: str) -> None:
    assert compose(text) == text
    assert compose_column(pa.array([text]))[1] == []


@given(st.lists(st.none() | _TEXT), st.integers(0, 3))
def test_a_column_is_composed_text_by_text(texts: list[str | None], start: int) -> None:
    column, rows = compose_column(pa.array(texts, pa.string()).slice(start))
    part = texts[start:]
    assert column.to_pylist() == [text if text is None else compose(text) for text in part]
    assert rows == [n for n, text in enumerate(part) if text is not None and compose(text) != text]


def test_a_whole_column_is_passed_on_as_it_is() -> None:
    texts = pa.array(["한국말", "ㅋㅋ", "", None])
    assert compose_column(texts)[0] is texts
