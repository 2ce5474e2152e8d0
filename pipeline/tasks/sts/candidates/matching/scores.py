"""ROUGE of sentences with each other, block by block: bounds of many pairs, exact scores of few.

The clipped overlap of two sentences is what rouge1 counts, and no common subsequence is longer. It
is the product of two sparse 0/1 matrices when the k-th occurrence of a token is a column of its
own. No array is ever sentences by sentences large.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.tasks.sts.candidates.matching import lcs
from pipeline.tasks.sts.candidates.matching.match import MILLION, Rouge

Places = npt.NDArray[np.int64]
Counts = npt.NDArray[Any]

#: Numbers that a block holds, and sentences in it at most.
_NUMBERS: Final = 16_777_216
_ROWS: Final = 256


class Scores:
    """The scores of sentences, given by their tokens; a sentence is its place in the sequence."""

    def __init__(self, tokens: Sequence[Sequence[str]], *, rouge: Rouge) -> None:
        """Take the sentences."""
        self.exact_bounds = rouge == "rouge1"
        self._tokens = tokens
        self._sizes = np.array([len(one) for one in tokens], np.float64)
        self._columns = _occurrences(tokens)
        self._masks = lru_cache(maxsize=_ROWS)(lambda place: lcs.places(tokens[place]))
        self.rows = max(1, min(_ROWS, _NUMBERS // max(1, sum(self._columns.shape))))

    def overlaps(self, rows: Places, columns: Places) -> Counts:
        """Return how many tokens the sentences of `rows` share with those of `columns`."""
        block = np.ascontiguousarray(self._columns[rows].T.toarray())
        return np.ascontiguousarray((self._columns[columns] @ block).T)

    def bounds(self, place: int, columns: Places, overlaps: Counts) -> Places:
        """Return upper bounds (rouge1: the scores) of a sentence with others, in millionths."""
        return _millionths(overlaps, self._sizes[place], self._sizes[columns])

    def exact(self, one: int, two: int) -> int:
        """Return the rougeL score of two sentences in millionths."""
        common = lcs.length(self._masks(one), len(self._tokens[one]), self._tokens[two])
        if not common:
            return 0
        score: float = fmeasure(common, len(self._tokens[one]), len(self._tokens[two]))
        return round(score * MILLION)


def fmeasure(common: Any, left: Any, right: Any) -> Any:
    """Return F of `common` tokens of two texts of `left` and `right` tokens; numbers or arrays.

    `common` is above 0. The steps and their order are those of rouge-score, so that the floats are
    the same to the last bit.
    """
    precision, recall = common / right, common / left
    return 2 * precision * recall / (precision + recall)


def _millionths(common: Counts, left: float, right: npt.NDArray[np.float64]) -> Places:
    found = np.zeros(len(common), np.int64)
    some = np.flatnonzero(common)
    scores = fmeasure(common[some].astype(np.float64), left, right[some])
    found[some] = np.rint(scores * MILLION)
    return found


def _occurrences(tokens: Sequence[Sequence[str]]) -> Any:
    """Return the 0/1 matrix of sentences by (token, how often it came before)."""
    from scipy.sparse import csr_array

    columns: dict[tuple[str, int], int] = {}
    starts, found = [0], list[int]()
    for sentence in tokens:
        seen: dict[str, int] = {}
        for token in sentence:
            seen[token] = seen.get(token, 0) + 1
            found.append(columns.setdefault((token, seen[token]), len(columns)))
        starts.append(len(found))
    kind = np.int16 if max(map(len, tokens), default=0) < np.iinfo(np.int16).max else np.int64
    ones = np.ones(len(found), kind)
    return csr_array((ones, found, starts), shape=(len(tokens), max(1, len(columns))))
