"""The hypothesis-only classifier: the protocol, and a linear model of letters and morphemes.

The linear model stands in for the KLUE-RoBERTa-base of Section 3.3.1 where no checkpoint is at
hand: it trains in seconds on a core and gives the same numbers every time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.morphology import morphemes

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

#: Inverse strength of the L2 penalty: of 0.1, 0.3, 1 and 3 the one with the least cross-fitted log
#: loss on the official KLUE-NLI train and dev files.
PENALTY: Final = 0.3
#: Latin letters, Chinese characters and numbers are words; all other tags in S are marks.
_WORD_TAGS: Final = ("SL", "SH", "SN")


class Classifier(Protocol):
    """Is fitted on hypotheses and their labels, and predicts the labels of others.

    Labels are numbers from 0, one for each class. The same texts in the same order must give the
    same numbers to 1e-6.
    """

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn from texts; every class occurs among `labels`."""
        ...

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""
        ...


class Linear:
    """TF-IDF of letter and morpheme n-grams, and multinomial logistic regression (L-BFGS)."""

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn the n-grams that stand in two texts or more, and their weights."""
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
            from sklearn.linear_model import LogisticRegression
            from sklearn.pipeline import FeatureUnion
        except ImportError:
            raise MissingDependencyError(
                "scikit-learn", "pip install -c constraints.txt scikit-learn"
            ) from None
        letters = TfidfVectorizer(
            analyzer="char_wb", ngram_range=(1, 4), min_df=2, sublinear_tf=True
        )
        words = TfidfVectorizer(
            tokenizer=words_of,
            token_pattern=None,
            lowercase=False,
            ngram_range=(1, 3),
            min_df=2,
            sublinear_tf=True,
        )
        self._features = FeatureUnion([("letters", letters), ("words", words)])
        self._model = LogisticRegression(C=PENALTY, solver="lbfgs", max_iter=300)
        weights = self._features.fit_transform(texts)
        with _one_thread():
            self._model.fit(weights, labels)

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""
        weights = self._features.transform(texts)
        with _one_thread():
            return np.asarray(self._model.predict_log_proba(weights), dtype=np.float64)


def _one_thread() -> AbstractContextManager[Any]:
    """Hold numeric libraries to one thread: more add up in another order, to other last digits."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    limits: AbstractContextManager[Any] = threadpool_limits(1)
    return limits


@lru_cache(maxsize=1 << 15)
def words_of(text: str) -> tuple[str, ...]:
    """Return the morphemes of a text as FORM/TAG, without marks.

    Results are cached, since every fold of cross-fitting reads most texts again.
    """
    parts = (part for morpheme in morphemes(text) for part in morpheme.parts)
    return tuple(
        f"{form}/{tag}" for form, tag in parts if not tag.startswith("S") or tag in _WORD_TAGS
    )


Maker = Callable[[str], Classifier]
#: Makers by name; one whose name ends in a colon takes what follows it (a model's path, say).
CLASSIFIERS: Final[dict[str, Maker]] = {"linear": lambda _: Linear()}


def maker_of(
    name: str, more: Mapping[str, Maker] = MappingProxyType({})
) -> Callable[[], Classifier]:
    """Return the function that makes a fresh classifier of that name, of those here or of `more`.

    Raises InputError for an unknown one.
    """
    known = {**CLASSIFIERS, **more}
    head, colon, rest = name.partition(":")
    maker = known.get(head + colon)
    if maker is None or (colon and not rest):
        allowed = ", ".join(f"{key}MODEL" if key.endswith(":") else key for key in sorted(known))
        raise InputError(f"unknown classifier {name!r}; allowed: {allowed}")
    return lambda: maker(rest)
