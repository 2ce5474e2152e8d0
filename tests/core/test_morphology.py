"""Morphemes: where they stand in the text, whatever stands around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import morphology
from pipeline.core.errors import FatalError
from pipeline.core.morphology import MAX_RUN, MAX_STRETCH, morphemes

pytest.importorskip("mecab")


@given(
    st.text(alphabet=st.sampled_from(" \t\n\r\v\f\x1c\0\u00a0\u3000서울에부산1A.ㅋ😀"), max_size=20)
)
def test_every_form_stands_where_it_is_said_to(text: str) -> None:
    read = text.replace("\0", " ")
    found = morphemes(text)
    for one in found:
        assert read[one.start : one.end] == one.form
    covered = {i for one in found for i in range(one.start, one.end)}
    assert all(char.isspace() for i, char in enumerate(read) if i not in covered)


def test_the_dictionary_tells_people_from_places() -> None:
    found = {one.form: one.meaning for one in morphemes("김연아가 제주에 왔다")}
    assert (found["김연아"], found["제주"], found["왔"]) == ("인명", "지명", "")


def test_half_a_surrogate_pair_is_read() -> None:
    assert [one.form for one in morphemes("\ud800 서울")] == ["?", "서울"]


def test_readings_are_those_of_the_package() -> None:
    import mecab

    text = "김연아가 제주에 갔다가, 3.5km를 걸었고 a+b*c라고 써넣었대."
    found = morphemes(text)
    for ours, theirs in zip(found, mecab.MeCab().parse(text), strict=True):
        assert (ours.form, ours.tag) == (theirs.surface, theirs.pos)
        assert (ours.start, ours.end) == tuple(theirs.span)
        assert ours.meaning == (theirs.feature.semantic or "")
        merged = theirs.feature.expression if "+" in theirs.pos else None
        pieces = [tuple(part.split("/")[:2]) for part in (merged or "").split("+") if part]
        assert list(ours.parts) == (pieces or [(theirs.surface, theirs.pos)])
    assert any(len(each.parts) > 1 for each in found)


def test_a_long_text_is_analysed_in_parts_cut_at_blanks() -> None:
    line = "김연아가 제주에 왔다. "
    count = 3 * MAX_STRETCH // len(line)
    every = [(m.form, m.tag, m.start) for m in morphemes(line)]
    assert [(m.form, m.tag, m.start) for m in morphemes(line * count)] == [
        (form, tag, start + n * len(line)) for n in range(count) for form, tag, start in every
    ]


@pytest.mark.parametrize("sign", ["(", ".", "x", "1", "😀"])
def test_a_long_run_is_foreign_words(sign: str) -> None:
    run = sign * (MAX_RUN + 1)
    found = morphemes(f"제주 {run} 제주")
    assert [(m.form, m.tag, m.start) for m in found if m.tag != "NNP"] == [(run, "SL", 3)]
    assert [m.start for m in found] == [0, 3, len(run) + 4]
    assert "SL" not in {m.tag for m in morphemes("." * MAX_RUN)}


def test_a_dictionary_that_does_not_load_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """mecab does not say whether memory is short or its files are damaged."""
    import mecab

    def fail() -> None:
        raise ValueError

    monkeypatch.setattr(mecab, "MeCab", fail)
    with pytest.raises(FatalError, match="memory is short, or its files are damaged; give more"):
        morphology._tagger.__wrapped__()
