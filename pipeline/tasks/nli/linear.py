"""The linear classifier of hypotheses: TF-IDF of n-grams, and logistic regression.

N-grams are of letters within words, and of morphemes. It needs no checkpoint, trains in seconds on
a core, and gives the same numbers on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache, partial
from importlib.util import find_spec
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core.errors import MissingDependencyError
from pipeline.core.extras import install_command
from pipeline.core.morphology import word_parts
from pipeline.tasks.nli.ngrams import NGrams, Weights

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

#: scikit-learn's C, the inverse strength of the L2 penalty: of 0.1, 0.3, 1 and 3 the one with the
#: least cross-fitted log loss on the official KLUE-NLI train and dev files.
LOGISTIC_C: Final = 0.3
#: Where the largest derivative of the mean loss is below this, weights are learnt. Scores are then
#: those of the optimum to 0.001; L-BFGS at scikit-learn's own 0.0001 stops 0.02 away from them, and
#: takes half as long again (27,998 official pairs).
_TOLERANCE: Final = 1e-6
#: Latin letters, Chinese characters and numbers are words; all other tags in S are marks.
_WORD_TAGS: Final = ("SL", "SH", "SN")
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


class Linear:
    """TF-IDF of letter and morpheme n-grams, and multinomial logistic regression (Newton-CG)."""

    def __init__(self, ngrams: Sequence[NGrams]) -> None:
        """Take the n-grams, which several classifiers share, of all texts that it will be given."""
        self._features = [Weights(each) for each in ngrams]

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn the n-grams that occur in two texts or more, and their weights."""
        from sklearn.linear_model import LogisticRegression

        self._model = LogisticRegression(C=LOGISTIC_C, solver="newton-cg", tol=_TOLERANCE)
        with _one_thread():
            weights = (feature.fit(texts) for feature in self._features)
            merged, group, sizes = merge_equal(_beside([*weights]))
            self._model.fit(merged, labels)
        self._model.coef_ = (self._model.coef_ / np.sqrt(sizes))[:, group]
        self._model.n_features_in_ = len(group)

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""
        weights = _beside([feature.transform(texts) for feature in self._features])
        with _one_thread():
            return np.asarray(self._model.predict_log_proba(weights), dtype=np.float64)


def linear_of(texts: Sequence[str]) -> Callable[[], Linear]:
    """Return what makes linear classifiers of parts of these texts, in other processes too.

    Their n-grams are of up to four letters within words, and of up to three morphemes.
    """
    if find_spec("sklearn") is None:
        raise MissingDependencyError("scikit-learn", install_command())
    return partial(Linear, [NGrams(texts, _letters, 4), NGrams(texts, _morphemes, 3)])


def _letters(text: str) -> list[str]:
    return [f" {word} " for word in text.lower().split()]


def _morphemes(text: str) -> list[tuple[str, ...]]:
    return [words_of(text)]


def merge_equal(weights: Any) -> tuple[Any, Labels, Labels]:
    """Return a matrix with one column for all that are equal, their groups and the sizes of these.

    Equal columns get equal coefficients under an L2 penalty. So one column times the square root of
    its group's size has the same optimum, loss and gradients, and half of the coefficients: n-grams
    of the same two texts are equal. The groups stand in the order of their first columns.
    """
    from scipy.sparse import diags_array

    rows = np.arange(1.0, weights.shape[0] + 1)
    sums = weights.T @ np.column_stack([np.sin(rows), np.cos(rows)])  # equal for equal columns only
    sines, cosines = np.ascontiguousarray(sums.T).view(np.uint64)
    group = pa.array(sines * _ODD ^ cosines).dictionary_encode().indices.to_numpy()
    sizes = np.bincount(group)
    first = np.empty_like(sizes)
    first[group[::-1]] = np.arange(len(group))[::-1]
    merged = weights[:, first] @ diags_array(np.sqrt(sizes))
    return merged.tocsr(), group, sizes


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
    return tuple(
        f"{form}/{tag}"
        for form, tag in word_parts(text)
        if not tag.startswith("S") or tag in _WORD_TAGS
    )
