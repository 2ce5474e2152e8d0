"""Code points and UTF-16 code units, checked against Python's own encoder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.annotation.exchange.utf16 import from_utf16, utf16_length
from pipeline.core.errors import RecordError

TEXTS = st.text(st.sampled_from("가나a🍜𠮷👩\u200d🌾\n각"), max_size=12)


@given(text=TEXTS)
def test_every_place_there_and_back(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le")) // 2
    for place in range(len(text) + 1):
        assert from_utf16(text, utf16_length(text[:place])) == place


@given(text=TEXTS, place=st.integers(-3, 30))
def test_a_place_is_right_or_refused(text: str, place: int) -> None:
    possible = {utf16_length(text[:n]) for n in range(len(text) + 1)}
    if place in possible:
        assert utf16_length(text[: from_utf16(text, place)]) == place
        return
    with pytest.raises(RecordError) as caught:
        from_utf16(text, place)
    assert caught.value.rule == "exchange.offset@1"
