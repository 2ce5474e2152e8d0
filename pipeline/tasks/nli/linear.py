"""The linear classifier of hypotheses: TF-IDF of n-grams, and logistic regression.

N-grams are of letters within words, and of morphemes. It needs no checkpoint, trains in seconds on
a core, and gives the same numbers on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import MissingDependencyError
from pipeline.core.morphology import morphemes
from pipeline.tasks.nli.ngrams import CountedNGrams, NGrams, Weights

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

#: scikit-learn's C, the inverse strength of the L2 penalty: of 0.1, 0.3, 1 and 3 the one with the
#: least cross-fitted log loss on the official KLUE-NLI train and dev files.
LOGISTIC_C: Final = 0.3
#: Latin letters, Chinese characters and numbers are words; all other tags in S are marks.
_WORD_TAGS: Final = ("SL", "SH", "SN")


class Linear:
    """TF-IDF of letter and morpheme n-grams, and multinomial logistic regression (L-BFGS)."""

    def __init__(self, ngrams: Sequence[NGrams | CountedNGrams] | None = None) -> None:
        """Take the n-grams that several classifiers share; without them it has its own."""
        self._features = [Weights(each) for each in ngrams or shared_ngrams()]

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn the n-grams that occur in two texts or more, and their weights."""
        from sklearn.linear_model import LogisticRegression

        self._model = LogisticRegression(C=LOGISTIC_C, solver="lbfgs", max_iter=300)
        weights = _beside([feature.fit(texts) for feature in self._features])
        with _one_thread():
            merged, group, sizes = merge_equal(weights)
            self._model.fit(merged, labels)
        self._model.coef_ = (self._model.coef_ / np.sqrt(sizes))[:, group]
        self._model.n_features_in_ = len(group)

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""
        weights = _beside([feature.transform(texts) for feature in self._features])
        with _one_thread():
            return np.asarray(self._model.predict_log_proba(weights), dtype=np.float64)


def shared_ngrams() -> tuple[NGrams, NGrams]:
    """Return n-grams of up to four letters within words, and of up to three morphemes."""
    try:
        from sklearn.feature_extraction.text import CountVectorizer
    except ImportError:
        raise MissingDependencyError(
            "scikit-learn", "pip install -c constraints.txt scikit-learn"
        ) from None
    letters = CountVectorizer(analyzer="char_wb", ngram_range=(1, 4))
    words = CountVectorizer(
        tokenizer=words_of, token_pattern=None, lowercase=False, ngram_range=(1, 3)
    )
    return NGrams(letters.build_analyzer()), NGrams(words.build_analyzer())


def linear_of(texts: Sequence[str]) -> Callable[[], Linear]:
    """Return what makes linear classifiers of parts of these texts, in other processes too."""
    return partial(Linear, [CountedNGrams(ngrams, texts) for ngrams in shared_ngrams()])


def merge_equal(weights: Any) -> tuple[Any, Labels, Labels]:
    """Return a matrix with one column for all that are equal, their groups and the sizes of these.

    Equal columns get equal coefficients under an L2 penalty. So one column times the square root of
    its group's size has the same optimum, loss and gradients, and half of the coefficients: n-grams
    of the same two texts are equal. The groups stand in the order of their first columns.
    """
    from scipy.sparse import diags_array

    rows = np.arange(1.0, weights.shape[0] + 1)
    sums = weights.T @ np.column_stack([np.sin(rows), np.cos(rows)])  # equal for equal columns only
    keys = sums[:, 0] + 1j * sums[:, 1]
    _, first, group, sizes = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    merged = weights[:, first[order]] @ diags_array(np.sqrt(sizes[order]))
    return merged.tocsr(), np.argsort(order)[group], sizes[order]


def _beside(weights: Sequence[Any]) -> Any:
    from scipy.sparse import hstack

    return hstack(weights).tocsr()


def _one_thread() -> AbstractContextManager[Any]:
    """Limit numeric libraries to one thread: with more, the order of additions varies."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    limits: AbstractContextManager[Any] = threadpool_limits(1)
    return limits


@lru_cache(maxsize=1 << 15)
def words_of(text: str) -> tuple[str, ...]:
    """Return the morphemes of a text as FORM/TAG, without marks (cached)."""
    parts = (part for morpheme in morphemes(text) for part in morpheme.parts)
    return tuple(
        f"{form}/{tag}" for form, tag in parts if not tag.startswith("S") or tag in _WORD_TAGS
    )
