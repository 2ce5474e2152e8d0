"""Sketches rule out no pair that is similar, and most of those that are not."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_similarity import similarity

from pipeline.corpus.signatures import compared, normalise
from pipeline.corpus.sketches import may_reach, sketches

#: Texts with many shingles in common, repeats, and some that are too short for one.
TEXTS = st.lists(st.text("가나다라ab1 !", max_size=40), min_size=2, max_size=9)


def _may_reach(texts: list[str], pairs: list[tuple[int, int]], threshold: float) -> list[bool]:
    known = sketches(compared(texts, list(map(normalise, texts))))
    left, right = (known[list(some)] for some in zip(*pairs, strict=True))
    return may_reach(left, right, threshold).tolist()


@given(TEXTS, st.sampled_from([0.1, 1 / 3, 0.5, 0.8, 1.0]))
def test_no_similar_pair_is_ruled_out(texts: list[str], threshold: float) -> None:
    pairs = list(combinations(range(len(texts)), 2))
    for (a, b), may in zip(pairs, _may_reach(texts, pairs, threshold), strict=True):
        assert may or similarity(texts[a], texts[b]) < threshold


@pytest.mark.parametrize("length", [20, 60, 200])
def test_unlike_texts_are_ruled_out(length: int) -> None:
    random = np.random.default_rng(length)
    texts = ["".join(map(chr, random.integers(0xAC00, 0xD7A4, length))) for _ in range(60)]
    pairs = list(combinations(range(60), 2))
    assert sum(_may_reach(texts, pairs, 0.8)) == 0


def test_a_text_with_more_shingles_than_bits_is_looked_at() -> None:
    random = np.random.default_rng(1)
    texts = ["".join(map(chr, random.integers(0xAC00, 0xD7A4, 5_000))) for _ in range(2)]
    assert _may_reach(texts, [(0, 1)], 0.8) == [True]


def test_there_may_be_no_texts() -> None:
    assert len(sketches([])) == 0
