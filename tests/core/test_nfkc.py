"""NFKC in parts is NFKC, and no text takes time that grows with its square."""

from __future__ import annotations

import time
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.nfkc import nfkc
from pipeline.sampling.tagging.pieces import fold

WORD = st.text(st.sampled_from("가각각\u0301\u0316eé①ﬁﾞ \n\u00a0\u3000"), max_size=40)


@given(st.lists(WORD, max_size=8), st.integers(1, 60))
def test_the_form_is_that_of_the_whole(words: list[str], times: int) -> None:
    text = " ".join(words * times)
    assert nfkc(text) == unicodedata.normalize("NFKC", text)


def test_marks_without_end_take_no_more_time_for_each() -> None:
    """Normalised as one, these take minutes."""
    text = "a" + "\u0300\u0316" * 250_000
    begin = time.process_time()
    assert len(nfkc(text)) >= len(text) - 1
    assert len(fold(text).text) >= len(text) - 20_000
    assert time.process_time() - begin < 20
