"""Scores are those of rouge-score to the last bit, and bounds are bounds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from pipeline.tasks.sts.matching import Scores, fmeasure, lcs_length, token_masks

WORDS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=90)


@given(WORDS, WORDS)
def test_subsequences_are_those_of_the_table(one: list[str], two: list[str]) -> None:
    table = rouge_scorer._lcs_table(one, two)
    assert lcs_length(token_masks(one), len(one), two) == table[-1][-1]


@given(WORDS, WORDS)
def test_floats_are_those_of_rouge_score(one: list[str], two: list[str]) -> None:
    class Cut:
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], tokenizer=Cut())
    theirs = scorer.score(" ".join(one), " ".join(two))
    shared = sum((Counter(one) & Counter(two)).values())
    common = lcs_length(token_masks(one), len(one), two)
    if common:
        assert theirs["rouge1"].fmeasure == fmeasure(shared, len(one), len(two))
        assert theirs["rougeL"].fmeasure == fmeasure(common, len(two), len(one))
        arrays = [np.array([float(n)]) for n in (common, len(one), len(two))]
        assert theirs["rougeL"].fmeasure == fmeasure(*arrays)[0]


@given(st.lists(WORDS, min_size=2, max_size=8))
def test_overlaps_are_clipped_and_bound_the_score(tokens: list[list[str]]) -> None:
    scores = Scores(tokens, rouge="rougeL")
    columns = np.arange(len(tokens))
    overlaps = scores.overlaps(columns[:2], columns)
    for place, row in enumerate(overlaps):
        counted = [sum((Counter(tokens[place]) & Counter(one)).values()) for one in tokens]
        assert row.tolist() == counted
        bounds = scores.bounds(place, columns, row)
        assert all(bounds[other] >= scores.exact(place, other) for other in columns.tolist())


def test_millionths_tell_fractions_apart() -> None:
    # F is 2 * common / (left + right): of up to 700 tokens in all, millionths tell two apart.
    scores = Scores([["a"] * size for size in range(1, 351)], rouge="rouge1")
    found: dict[Fraction, int] = {}
    for whole in range(2, 701):
        left, right = whole // 2, whole - whole // 2
        common = np.arange(1, left + 1)
        told = scores.bounds(left - 1, np.full(left, right - 1), common).tolist()
        for one, millionths in zip(common.tolist(), told, strict=True):
            assert found.setdefault(Fraction(one, whole), millionths) == millionths
    assert len(set(found.values())) == len(found)


def test_counts_of_long_sentences_do_not_overflow() -> None:
    tokens = [["a"] * 40_000, ["a"] * 40_000]
    overlaps = Scores(tokens, rouge="rouge1").overlaps(np.array([0]), np.array([0, 1]))
    assert overlaps.tolist() == [[40_000, 40_000]]
