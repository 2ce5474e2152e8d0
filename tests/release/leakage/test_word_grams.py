"""Word n-grams and containment are those that counting tuples of words finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.release.leakage import grams as module
from pipeline.release.leakage.compare import key
from pipeline.release.leakage.grams import Words, containments

_KEYS = st.lists(
    st.lists(st.sampled_from("가나다"), min_size=1, max_size=12).map(" ".join), max_size=6
)


def _tuples(text: str, n: int) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


@given(_KEYS, _KEYS, st.integers(1, 4), st.sampled_from([0.5, 0.8, 1.0]))
def test_containment_is_that_of_tuples(
    inner: list[str], outer: list[str], n: int, least: float
) -> None:
    found = list(containments(Words.of(inner).grams(n), Words.of(outer).grams(n), least))
    expected = {}
    for i, one in enumerate(inner):
        own = _tuples(one, n)
        for j, other in enumerate(outer):
            if own and len(own & _tuples(other, n)) / len(own) >= least:
                expected[i, j] = len(own & _tuples(other, n)) / len(own)
    assert {(text, other): share for text, other, share in found} == expected
    assert len(found) == len(expected)


@given(_KEYS, _KEYS, st.integers(1, 4))
def test_grams_that_occur_on_the_other_side(left: list[str], right: list[str], n: int) -> None:
    mine, theirs = Words.of(left).grams(n), Words.of(right).grams(n)
    assert mine.sizes.tolist() == [len(_tuples(one, n)) for one in left]
    known = {gram for one in right for gram in _tuples(one, n)}
    hits = [len(_tuples(one, n) & known) for one in left]
    rows = mine.rows[mine.within(theirs)].tolist()
    assert [rows.count(row) for row in range(len(left))] == hits


def test_small_blocks_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [" ".join("가나다라마"[i % 5] for i in range(start, start + 9)) for start in range(5)]
    grams = Words.of(keys).grams(2)
    whole = list(containments(grams, grams, 0.1))
    monkeypatch.setattr(module, "BLOCK", 1)
    assert list(containments(grams, grams, 0.1)) == whole
    assert len(whole) == 25


@pytest.mark.parametrize(
    "text, words",
    [
        ("LG·삼성 “3.5%” 올라…", "lg 삼성 3 5 올라"),
        ("ＫＢＳ 뉴스\u3000㎿급", "kbs 뉴스 mw급"),
        ("\u1100\u1161\u11a8오", "각오"),
        ("밑_줄", "밑 줄"),
        ("?! ♥", "?! ♥"),
        (" \n", ""),
    ],
)
def test_texts_are_compared_by_letters_and_digits(text: str, words: str) -> None:
    assert key(text) == words
