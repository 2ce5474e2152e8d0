"""TF-IDF of n-grams as scikit-learn's vectoriser gives it, where many fits share their texts.

Cross-fitting fits five times on four fifths of the same texts. The n-grams of a text are found and
counted once; a fit only chooses among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np


class NGrams:
    """The n-grams of all texts seen so far, each text as counts of them."""

    def __init__(self, analyze: Callable[[str], Iterable[str]]) -> None:
        """Take the function that cuts a text into its n-grams."""
        self._analyze = analyze
        self._places: dict[str, int] = {}
        self._rows: dict[str, tuple[Any, Any]] = {}

    def counts(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix, shape: texts x n-grams seen so far (scipy CSR, float64)."""
        from scipy.sparse import csr_array

        rows = [self._row(text) for text in texts]
        starts = np.cumsum([0, *(len(places) for places, _ in rows)])
        none = (np.zeros(0, np.int32), np.zeros(0, np.int32))
        places, numbers = (np.concatenate(part) for part in zip(none, *rows, strict=True))
        cells = (numbers.astype(np.float64), places, starts)
        return csr_array(cells, shape=(len(texts), len(self._places)))

    def sort(self, columns: Any) -> Any:
        """Return columns of a matrix of counts in the order of the names of their n-grams."""
        names = list(self._places)
        return np.array(sorted(columns.tolist(), key=names.__getitem__), np.int64)

    def _row(self, text: str) -> tuple[Any, Any]:
        if text not in self._rows:
            counted = Counter(self._analyze(text))
            places = (self._places.setdefault(ngram, len(self._places)) for ngram in counted)
            self._rows[text] = (
                np.fromiter(places, np.int32, len(counted)),
                np.fromiter(counted.values(), np.int32, len(counted)),
            )
        return self._rows[text]


class CountedNGrams:
    """The n-grams of a set of texts as one matrix: what another process is quickly given."""

    def __init__(self, ngrams: NGrams, texts: Sequence[str]) -> None:
        """Count the n-grams of all texts that will be asked for."""
        self._rows = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        self._counts = ngrams.counts(list(self._rows))
        places = np.empty(self._counts.shape[1], np.int32)
        places[ngrams.sort(np.arange(len(places)))] = np.arange(len(places), dtype=np.int32)
        self._counts.indices = places[self._counts.indices]

    def counts(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix, shape: texts x n-grams in the order of their names."""
        return self._counts[[self._rows[text] for text in texts]]

    def sort(self, columns: Any) -> Any:
        """Return columns in the order of the names of their n-grams: in that of their numbers."""
        return np.sort(columns)


class Weights:
    """TF-IDF with logarithmic counts over n-grams of two texts or more, rows of length 1."""

    def __init__(self, ngrams: NGrams | CountedNGrams) -> None:
        """Take the n-grams, which other weights may share."""
        self._ngrams = ngrams

    def fit(self, texts: Sequence[str]) -> Any:
        """Learn which n-grams occur in two texts or more, and in how many; returns the weights."""
        from sklearn.feature_extraction.text import TfidfTransformer

        counts = self._ngrams.counts(texts)
        frequency = np.bincount(counts.indices, minlength=counts.shape[1])
        self._columns = self._ngrams.sort(np.flatnonzero(frequency > 1))
        chosen = self._choose(counts)
        self._idf = TfidfTransformer(sublinear_tf=True).fit(chosen)
        return self._idf.transform(chosen)

    def transform(self, texts: Sequence[str]) -> Any:
        """Return the weights of other texts: shape texts x n-grams that were learnt."""
        return self._idf.transform(self._choose(self._ngrams.counts(texts)))

    def _choose(self, counts: Any) -> Any:
        """Return the chosen columns; sums over a row do not depend on which text came first."""
        chosen = counts[:, self._columns]
        chosen.sort_indices()
        return chosen
