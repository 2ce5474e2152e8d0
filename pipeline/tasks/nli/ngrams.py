"""TF-IDF of n-grams as scikit-learn's vectoriser gives it, where many fits share their texts.

Cross-fitting fits five times on four fifths of the same texts. Their n-grams are counted once, in
arrays; a fit only chooses among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core.memory import give_back

#: An n-gram is a number made of those of its two halves, so no longer one can be counted.
LONGEST: Final = 4
_Numbers = npt.NDArray[np.int64]
_flat = chain.from_iterable


class NGrams:
    """The n-grams of a set of texts as one matrix of counts."""

    def __init__(
        self,
        texts: Sequence[str],
        cut: Callable[[str], Sequence[Sequence[str]]],
        longest: int,
    ) -> None:
        """Count the n-grams of all texts that will be asked for.

        `cut` returns the words of a text, each as its symbols; an n-gram is `longest` symbols of a
        word in a row, or fewer. `longest` is at most LONGEST.
        """
        self._rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        self._counts = _counts([cut(text) for text in self._rows], longest)
        give_back()

    def counts(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix (scipy CSR, float64), shape: texts x n-grams.

        The columns are in the order of the n-grams. Raises KeyError for a text that is not one of
        the set.
        """
        return self._counts[[self._rows[text] for text in texts]]


def _counts(texts: Sequence[Sequence[Sequence[str]]], longest: int) -> Any:
    from scipy.sparse import csr_array

    symbols, lengths = _numbered(texts)
    text_of = np.repeat(np.arange(len(texts), dtype=np.int32), lengths)
    starts = [np.flatnonzero(_are_there(symbols, n)) for n in range(1, longest + 1)]
    columns = _ranks(_ngrams(symbols, starts))
    rows = text_of[np.concatenate(starts)]
    shape = len(texts), int(columns.max(initial=-1)) + 1
    return csr_array((np.ones(len(rows)), (rows, columns.astype(np.int32))), shape=shape)


def _numbered(texts: Sequence[Sequence[Sequence[str]]]) -> tuple[_Numbers, _Numbers]:
    """Return the symbols of all words as numbers in their order, and how many each text has.

    They begin with 1; a 0 stands after every word.
    """
    places = {symbol: place for place, symbol in enumerate(sorted({*_flat(chain(*texts))}), 1)}
    ends = np.cumsum([len(word) + 1 for text in texts for word in text], dtype=np.int64)
    numbers = np.zeros(ends[-1] if len(ends) else 0, np.int64)
    is_symbol = np.ones(len(numbers), bool)
    is_symbol[ends - 1] = False
    numbers[is_symbol] = [places[symbol] for symbol in _flat(chain(*texts))]
    lengths = [sum(len(word) + 1 for word in text) for text in texts]
    return numbers, np.array(lengths, np.int64)


def _ranks(numbers: _Numbers) -> _Numbers:
    """Return the place of each number among the different ones, in their order."""
    coded = pa.array(numbers).dictionary_encode()  # sorting all of them takes five times as long
    order = np.argsort(coded.dictionary.to_numpy())
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    found: _Numbers = ranks[coded.indices.to_numpy()]
    return found


def _after(symbols: _Numbers, many: int) -> _Numbers:
    """Return for each place the number that stands so many places later, 0 beyond the end."""
    return np.pad(symbols[many:], (0, min(many, len(symbols))))


def _are_there(symbols: _Numbers, n: int) -> npt.NDArray[np.bool_]:
    """Return whether `n` symbols of one word begin at each place."""
    are_there: npt.NDArray[np.bool_] = np.all([_after(symbols, i) > 0 for i in range(n)], axis=0)
    return are_there


def _ngrams(symbols: _Numbers, starts: Sequence[_Numbers]) -> _Numbers:
    """Return the n-grams that begin at the places for n = 1, 2, ..., as numbers in their order."""
    single, double = symbols << 32, symbols << 32 | _after(symbols, 1)
    halves = _ranks(np.concatenate([[0], single, double]))
    single, double = halves[1 : len(symbols) + 1], halves[len(symbols) + 1 :]
    none = np.zeros_like(single)
    forms = (single, none), (double, none), (double, single), (double, double)
    return np.concatenate(
        [
            first[begin] << 32 | _after(second, 2)[begin]
            for begin, (first, second) in zip(starts, forms, strict=False)
        ]
    )


class Weights:
    """TF-IDF with logarithmic counts over n-grams of two texts or more, rows of length 1."""

    def __init__(self, ngrams: NGrams) -> None:
        """Take the n-grams, which other weights may share."""
        self._ngrams = ngrams

    def fit(self, texts: Sequence[str]) -> Any:
        """Learn which n-grams occur in two texts or more, and in how many; returns the weights."""
        from sklearn.feature_extraction.text import TfidfTransformer

        counts = self._ngrams.counts(texts)
        frequency = np.bincount(counts.indices, minlength=counts.shape[1])
        self._columns = np.flatnonzero(frequency > 1)
        chosen = counts[:, self._columns]
        del counts
        self._idf = TfidfTransformer(sublinear_tf=True).fit(chosen)
        return self._idf.transform(chosen, copy=False)

    def transform(self, texts: Sequence[str]) -> Any:
        """Return the weights of other texts: shape texts x n-grams that were learnt."""
        return self._idf.transform(self._ngrams.counts(texts)[:, self._columns], copy=False)
