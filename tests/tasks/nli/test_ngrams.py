"""Counts and weights are those of scikit-learn's own vectoriser, whatever else was counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from pipeline.tasks.nli.linear import linear_of, words_of
from pipeline.tasks.nli.ngrams import NGrams, Weights

TEXTS = st.lists(st.text("가나다라 Ab.\0\U0001f600", max_size=30), min_size=2, max_size=12)
LETTERS = CountVectorizer(analyzer="char_wb", ngram_range=(1, 4))
WORDS = CountVectorizer(tokenizer=words_of, token_pattern=None, lowercase=False, ngram_range=(1, 3))


def _ngrams(texts: list[str]) -> tuple[NGrams, ...]:
    return tuple(each._ngrams for each in linear_of(texts)()._features)


@pytest.mark.parametrize("kind", [0, 1], ids=["letters", "morphemes"])
@given(texts=TEXTS)
def test_counts_are_those_of_the_vectoriser(kind: int, texts: list[str]) -> None:
    theirs, ours = (LETTERS, WORDS)[kind], _ngrams(texts)[kind]
    try:
        wanted = theirs.fit_transform(texts)
    except ValueError:  # there is no n-gram
        assert ours.counts(texts).shape == (len(texts), 0)
        return
    counts = ours.counts(texts)
    assert np.array_equal(counts.toarray(), wanted.toarray())
    assert counts.has_canonical_format


@given(TEXTS, TEXTS, TEXTS)
def test_weights_are_those_of_the_vectoriser(
    seen: list[str], training: list[str], others: list[str]
) -> None:
    theirs = TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), min_df=2, sublinear_tf=True)
    try:
        wanted = theirs.fit_transform(training)
    except ValueError:  # no n-gram is left
        return
    few, many = (
        Weights(_ngrams(texts)[0]) for texts in (training + others, seen + others + training)
    )
    ours = [(each.fit(training), each.transform(others)) for each in (few, many)]
    for weights, again, expected in zip(*ours, (wanted, theirs.transform(others)), strict=True):
        assert np.array_equal(weights.toarray(), again.toarray())
        np.testing.assert_allclose(weights.toarray(), expected.toarray(), rtol=1e-14)


def test_a_text_is_cut_once() -> None:
    cut: list[str] = []
    ngrams = NGrams(["ab", "b", "ab"], lambda text: cut.append(text) or [text], 1)
    assert ngrams.counts(["b", "ab", "ab"]).toarray().tolist() == [[0, 1], [1, 1], [1, 1]]
    assert cut == ["ab", "b"]


@pytest.mark.parametrize("texts", [[], [""], ["", "가"]])
def test_texts_without_ngrams_have_empty_rows(texts: list[str]) -> None:
    counts = NGrams(texts, lambda text: [text], 4).counts(texts)
    assert counts.shape == (len(texts), max(map(len, texts), default=0))
    assert counts.sum() == sum(map(len, texts))


def test_a_text_that_was_not_counted_is_an_error() -> None:
    with pytest.raises(KeyError):
        NGrams(["가"], lambda text: [text], 1).counts(["나"])
