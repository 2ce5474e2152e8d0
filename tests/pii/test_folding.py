"""Folding keeps offsets."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pipeline.pii.normal import fold, spellings


@given(st.text())
def test_length_and_offsets_stay(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


def test_full_width_forms_fold_as_unicode_says() -> None:
    for code in range(0xFF01, 0xFF5F):
        assert fold(chr(code)) == unicodedata.normalize("NFKC", chr(code))


def test_dashes_dots_and_blanks_become_plain() -> None:
    assert fold("０１０–１２３４—５６７８") == "010-1234-5678"
    assert fold("02\u3000123\u00a04567") == "02 123 4567"
    assert fold("naver。com") == "naver.com"
    assert fold("①02 m²") == "①02 m²"


def test_spellings_are_all_that_folds_to_a_character() -> None:
    listed = {chr(int(code, 16)) for code in re.findall(r"\\x\{(\w+)\}", spellings("-1"))}
    assert listed == {chr(c) for c in range(0x11000) if fold(chr(c)) in {"-", "1"}}
