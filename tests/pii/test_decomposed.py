"""Hangul in pieces, as in files from a Mac, hides no personal data, and offsets hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_set import rows

from pipeline.core.hangul import compose
from pipeline.pii.actions import Pseudonymiser, pseudonymise, redact
from pipeline.pii.detect import detect, detect_text, mask, shape

KEY = b"0123456789abcdef"
TEXT = "번호 공일공 일이삼사 오육칠팔, 주소는 서울특별시 강남구 테헤란로 152 입니다."


def _pieces(text: str) -> str:
    """Return a text with the letters of every syllable apart."""
    return "".join(unicodedata.normalize("NFD", c) if "가" <= c <= "힣" else c for c in text)


def _halves(text: str) -> str:
    """Return a text with the final letters of syllables apart."""
    return re.sub("[\u1100-\u1112][\u1161-\u1175]", lambda m: compose(m[0]), _pieces(text))


def _mixed(text: str) -> str:
    return text[: len(text) // 2] + _pieces(text[len(text) // 2 :])


FORMS = (_pieces, _halves, _mixed)
Form = Callable[[str], str]


def _spans(text: str) -> list[tuple[Any, ...]]:
    return [
        (hit.type, compose(text[hit.start : hit.end]), *hit[3:])
        for hit in detect_text(text, minimum=0.0)
    ]


@pytest.mark.parametrize("form", FORMS)
def test_the_labelled_set_in_pieces_gives_the_same_values(form: Form) -> None:
    for row in rows():
        text = compose(row["text"])
        assert _spans(form(text)) == _spans(text)


@given(st.lists(st.sampled_from([TEXT, *(form(TEXT) for form in FORMS)]), max_size=6))
def test_a_column_gives_the_same_hits_as_its_texts(texts: list[str]) -> None:
    found = detect(pa.array(texts, pa.string())).to_pylist()
    assert [(hit["row"], hit["type"], hit["start"], hit["end"]) for hit in found] == [
        (row, *hit[:3]) for row, text in enumerate(texts) for hit in detect_text(text)
    ]
    assert len(found) == 2 * len(texts)


@pytest.mark.parametrize("form", FORMS)
def test_values_are_replaced_and_the_rest_stays_as_it_was(form: Form) -> None:
    texts, whole = pa.array([form(TEXT)]), pa.array([TEXT])
    (left,) = redact(texts, detect(texts)).to_pylist()
    assert compose(left) == "번호 [phone], 주소는 [address] 입니다."
    assert left.startswith(form(TEXT)[:3]) and left.endswith(form(TEXT)[-4:])
    (changed,) = pseudonymise(texts, detect(texts), Pseudonymiser(KEY)).to_pylist()
    assert [compose(changed)] == pseudonymise(whole, detect(whole), Pseudonymiser(KEY)).to_pylist()
    assert changed.startswith(form(TEXT)[:3]) and changed.endswith(form(TEXT)[-4:])


def test_what_people_are_shown_is_masked() -> None:
    pieces = _pieces(TEXT)
    assert mask(pieces) == mask(TEXT) == "번호 [phone], 주소는 [address] 입니다."
    assert shape(_pieces("강남구 1")) == "*** *"
