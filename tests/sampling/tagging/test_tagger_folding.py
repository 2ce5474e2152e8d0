"""Folding: the official form and the raw form of a text are one, and places lead back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from train_tagger import touched

from pipeline.sampling.tagging.pieces import fold

ODD = st.sampled_from("가각ㅋㅠᄏ한㎞㈜½①é́…A 1\n😀")
texts = st.text(alphabet=st.one_of(ODD, st.characters()), max_size=12)


@given(texts)
def test_places_cover_the_text_in_order(text: str) -> None:
    folded = fold(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    pairs = list(dict.fromkeys(zip(folded.starts, folded.ends, strict=True)))
    assert [0, *(end for _, end in pairs)] == [*(start for start, _ in pairs), len(text)]
    if text:
        assert folded.original(0, len(folded.text)) == (0, len(text))
        assert touched(folded, 0, len(text)) == (0, len(folded.text))


@given(st.text(alphabet="가힣ㅋㅠㅏ 1A.", max_size=12))
def test_the_official_form_folds_to_the_same(text: str) -> None:
    """KLUE-NER writes laughter as conjoining jamo; one by one, for ㅎㅏ would become a syllable."""
    official = "".join(unicodedata.normalize("NFKC", char) for char in text)
    # Two jamo in a row may be a syllable to a reader of the official form; keep them apart.
    if unicodedata.normalize("NFC", official) == official:
        assert fold(official).text == fold(text).text == text


@pytest.mark.parametrize(
    ("text", "folded", "place"),
    [
        ("10㎞", "10km", (2, 3)),
        (unicodedata.normalize("NFD", "10각"), "10각", (2, 5)),
        ("10e\u0301", "10\u00e9", (2, 4)),
    ],
)
def test_places_lead_to_what_was_written(text: str, folded: str, place: tuple[int, int]) -> None:
    found = fold(text)
    assert found.text == folded
    assert found.original(2, len(folded)) == place
    assert touched(found, *place) == (2, len(folded))


def test_half_a_surrogate_pair_is_one_character() -> None:
    assert fold("가\ud800나").text == "가?나"
