"""Hashed n-grams against a plain loop over strings."""

from __future__ import annotations

import unicodedata
from itertools import groupby

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.toxicity import ngrams
from pipeline.corpus.toxicity.ngrams import JAMO, SYLLABLES, grams, streams

TEXTS = st.lists(
    st.text(
        st.one_of(
            st.sampled_from(" \t\nㅋㅎㅅㅂaA1!각가힣"),
            st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3),
            st.characters(exclude_categories=["Cs"]),
        ),
        max_size=30,
    ),
    max_size=6,
)


def _texts(texts: list[str]) -> pa.Array:
    return pa.array(texts, pa.string())


def _spelt(texts: list[str]) -> list[tuple[str, str]]:
    """Return each text of both streams as a string."""
    both = []
    for stream in streams(_texts(texts)):
        pieces = np.split(stream.codes, stream.starts[1:-1])
        both.append(["".join(map(chr, piece.tolist())) for piece in pieces])
    return list(zip(*both, strict=True))


def _buckets(texts: list[str], bits: int = 20) -> list[list[int]]:
    """Return the buckets of each text, sorted."""
    found: list[list[int]] = [[] for _ in texts]
    for stream, orders in grams(_texts(texts), bits=bits):
        row = np.repeat(np.arange(len(texts)), np.diff(stream.starts))
        for buckets, valid in orders:
            at = row[: len(buckets)][valid].tolist()
            for i, bucket in zip(at, buckets[valid].tolist(), strict=True):
                found[i].append(bucket)
    return [sorted(each) for each in found]


def test_text_is_normalised() -> None:
    syllables, jamo = _spelt(["  가ＡＢ\t\n각ㅋㅋㅋㅋ "])[0]
    assert syllables == " 가aa 각\u110f\u110f "
    assert jamo == " \u1100\u1161aa \u1100\u1161\u11a8\u110f\u110f "


def test_letters_of_other_scripts_are_one_letter() -> None:
    """An English text has no n-gram of its own, Hangul and digits are left alone."""
    assert [s for s, _ in _spelt(["Women are great 7", "жен 女子 여자ㅋ"])] == [
        " aa aa aa 7 ",
        " aa aa 여자\u110f ",
    ]


def test_runs_are_cut_within_a_text_only() -> None:
    assert [s for s, _ in _spelt(["하하하하하", "하하", "", "하"])] == [
        " 하하 ",
        " 하하 ",
        " ",
        " 하 ",
    ]


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), max_size=20))
def test_jamo_are_those_of_unicode(text: str) -> None:
    squeezed = "".join(char * min(2, len(list(run))) for char, run in groupby(text))
    jamo = _spelt([text])[0][1]
    assert jamo.strip() == unicodedata.normalize("NFD", squeezed)


@given(TEXTS)
def test_every_ngram_is_counted_once(texts: list[str]) -> None:
    orders = [*range(SYLLABLES[0], SYLLABLES[1] + 1)], [*range(JAMO[0], JAMO[1] + 1)]
    for both, buckets in zip(_spelt(texts) if texts else [], _buckets(texts), strict=True):
        wanted = sum(
            max(0, len(text) - order + 1)
            for text, many in zip(both, orders, strict=True)
            for order in many
        )
        assert len(buckets) == wanted


@given(TEXTS)
def test_a_text_is_hashed_the_same_in_any_company(texts: list[str]) -> None:
    assert _buckets(texts) == [_buckets([text])[0] for text in texts]


@given(TEXTS)
def test_same_ngrams_share_a_bucket_and_others_rarely(texts: list[str]) -> None:
    seen: dict[tuple[int, str], int] = {}
    for salt, (stream, orders) in enumerate(grams(_texts(texts), bits=40)):
        whole = "".join(map(chr, stream.codes.tolist()))
        first = (SYLLABLES, JAMO)[salt][0]
        for order, (buckets, valid) in enumerate(orders, start=first):
            for at in np.flatnonzero(valid).tolist():
                gram = salt, whole[at : at + order]
                assert seen.setdefault(gram, int(buckets[at])) == buckets[at]
    assert len(set(seen.values())) == len(seen)


def test_long_text_is_cut() -> None:
    long = "가나다" * ngrams.MAX_CHARS
    assert _buckets([long]) == _buckets([long[: ngrams.MAX_CHARS]])


def test_text_that_grows_is_cut_too() -> None:
    grown = streams(_texts(["\ufdfa" * ngrams.MAX_CHARS, "가"]))[0]
    assert len(grown.codes) <= ngrams.MAX_CHARS + 2 + 3


def test_null_is_an_empty_text() -> None:
    (syllables, _), (empty, _) = streams(pa.array([None], pa.string())), streams(pa.array([""]))
    assert np.array_equal(syllables.codes, empty.codes)
