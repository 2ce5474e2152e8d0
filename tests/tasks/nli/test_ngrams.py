"""Weights are those of scikit-learn's own vectoriser, and depend on the fitted texts alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from pipeline.tasks.nli.ngrams import CountedNGrams, NGrams, Weights

TEXTS = st.lists(st.text("가나다라 ab.", min_size=1, max_size=30), min_size=2, max_size=12)
SETTINGS = {"analyzer": "char_wb", "ngram_range": (1, 3)}


@given(TEXTS, TEXTS, TEXTS)
def test_weights_are_those_of_the_vectoriser(
    seen: list[str], training: list[str], others: list[str]
) -> None:
    theirs = TfidfVectorizer(**SETTINGS, min_df=2, sublinear_tf=True)
    try:
        wanted = theirs.fit_transform(training)
    except ValueError:  # no n-gram is left
        return
    fresh, used = (Weights(NGrams(CountVectorizer(**SETTINGS).build_analyzer())) for _ in range(2))
    used._ngrams.counts(seen)  # of another fold
    ours = [
        (each.fit(training).toarray(), each.transform(others).toarray()) for each in (fresh, used)
    ]
    for weights, again, expected in zip(*ours, (wanted, theirs.transform(others)), strict=True):
        assert np.array_equal(weights, again)
        np.testing.assert_allclose(weights, expected.toarray(), rtol=1e-14)


def test_a_text_is_cut_once() -> None:
    cut: list[str] = []
    ngrams = NGrams(lambda text: cut.append(text) or list(text))
    for texts in (["ab", "b"], ["b", "ab", "ab"]):
        counts = ngrams.counts(texts).toarray()
    assert cut == ["ab", "b"]
    assert counts.tolist() == [[0, 1], [1, 1], [1, 1]]


@pytest.mark.parametrize("texts", [[], [""], ["", "가"]])
def test_texts_without_ngrams_have_empty_rows(texts: list[str]) -> None:
    counts = NGrams(list).counts(texts)
    assert counts.shape[0] == len(texts)
    assert counts.sum() == sum(map(len, texts))


def test_counted_texts_have_the_same_weights_in_any_order_of_counting() -> None:
    texts = ["나다 가", "가나 가", "", "다라 나다", "가나 라"]
    counted = Weights(CountedNGrams(NGrams(list), [*texts[::-1], "나다 가"]))
    ours, wanted = counted.fit(texts[:4]), Weights(NGrams(list)).fit(texts[:4])
    assert np.array_equal(ours.toarray(), wanted.toarray())
    assert np.array_equal(ours.indices, wanted.indices)
