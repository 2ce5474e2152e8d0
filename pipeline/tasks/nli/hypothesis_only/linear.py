"""A linear classifier of hypotheses: letters and morphemes, weighted, and logistic regression.

It stands in for the KLUE-RoBERTa-base of Section 3.3.1 where no model is at hand: it trains in
seconds on a core and gives the same numbers every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import MissingDependencyError
from pipeline.tasks.nli.hypothesis_only.words import words_of

#: Inverse strength of the L2 penalty: of 0.1, 0.3, 1 and 3 the one with the least cross-fitted log
#: loss on the official KLUE-NLI train and dev files.
PENALTY: Final = 0.3
_LETTERS: Final = (1, 4)
_WORDS: Final = (1, 3)
_LEAST: Final = 2
_ITERATIONS: Final = 300


class Linear:
    """TF-IDF of letter and morpheme n-grams, and multinomial logistic regression (L-BFGS)."""

    def fit(self, texts: Sequence[str], labels: npt.NDArray[np.int64]) -> None:
        """Learn the n-grams that stand in two texts or more, and their weights."""
        self._features = _features()
        weighted = self._features.fit_transform(texts)
        self._model = _regression()
        with _one_thread():
            self._model.fit(weighted, labels)

    def log_probabilities(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return natural logarithms of probabilities; shape: texts x classes."""
        weighted = self._features.transform(texts)
        with _one_thread():
            found = self._model.predict_log_proba(weighted)
        return np.asarray(found, dtype=np.float64)


def _features() -> Any:
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import FeatureUnion
    except ImportError:
        raise _missing() from None
    letters = TfidfVectorizer(
        analyzer="char_wb", ngram_range=_LETTERS, min_df=_LEAST, sublinear_tf=True
    )
    words = TfidfVectorizer(
        tokenizer=words_of,
        token_pattern=None,
        lowercase=False,
        ngram_range=_WORDS,
        min_df=_LEAST,
        sublinear_tf=True,
    )
    return FeatureUnion([("letters", letters), ("words", words)])


def _regression() -> Any:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise _missing() from None
    return LogisticRegression(C=PENALTY, solver="lbfgs", max_iter=_ITERATIONS)


def _one_thread() -> AbstractContextManager[Any]:
    """Hold numeric libraries to one thread: more add up in another order, to other last digits."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    limits: AbstractContextManager[Any] = threadpool_limits(1)
    return limits


def _missing() -> MissingDependencyError:
    return MissingDependencyError("scikit-learn", "pip install -c constraints.txt scikit-learn")
