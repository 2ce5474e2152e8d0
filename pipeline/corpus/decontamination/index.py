"""An index of the character trigrams of a benchmark: which of its units may stand in a piece.

The score of a unit and a piece is the weight of the unit's distinct trigrams that the piece has, by
the weight of all: the score of BM25 (Robertson and Zaragoza, "The probabilistic relevance
framework", 2009, with its idf) by the unit's score with itself, each trigram counted once. So a
piece that holds the unit has 1, however long it is.

Every pair that reaches `LEAST` is returned, and few others are looked at: of a unit's rarest
trigrams, whose weights together are more than a pair may lack, such a piece has at least one (the
prefix filter of Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins in data
cleaning", 2006).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pipeline.corpus.signatures import trigrams

#: The least score of a pair that is aligned.
LEAST: Final = 0.4
#: Pieces that are looked up at a time, and pairs that are scored at a time.
_PIECES: Final = 4_096
_PAIRS: Final = 1 << 16
_NOISE: Final = 1e-9
Places = NDArray[np.int64]


class Pair(NamedTuple):
    """A piece and a unit, by their places, with their score from `LEAST` to 1."""

    piece: int
    unit: int
    score: float


class Index:
    """The trigrams of units; a matrix of units and trigrams takes 12 bytes for each of a unit."""

    def __init__(self, units: Sequence[str]) -> None:
        """Take the letters of units, each of three or more."""
        codes, owners = _trigrams(units)
        self._known, columns = np.unique(codes, return_inverse=True)
        shape = (len(units), len(self._known))
        self._matrix = _distinct(owners, columns, shape)
        frequency = np.bincount(self._matrix.indices, minlength=shape[1])
        rarity = np.log1p((shape[0] - frequency + 0.5) / (frequency + 0.5))
        self._matrix.data = rarity[self._matrix.indices]
        self._totals = self._matrix.sum(axis=1)
        self._rarest = _rarest(self._matrix, self._totals)

    def search(self, pieces: Sequence[str]) -> Iterator[Pair]:
        """Yield the pairs of pieces, each of three letters or more, and units, in no order."""
        for start in range(0, len(pieces), _PIECES):
            yield from self._search(pieces[start : start + _PIECES], start)

    def _search(self, pieces: Sequence[str], first: int) -> Iterator[Pair]:
        codes, owners = _trigrams(pieces)
        columns = np.minimum(np.searchsorted(self._known, codes), max(0, len(self._known) - 1))
        known = self._known[columns] == codes if len(self._known) else np.zeros(len(codes), bool)
        shape = (len(pieces), len(self._known))
        matrix = _distinct(owners[known], columns[known], shape)
        pairs = (matrix @ self._rarest).tocoo()
        for start in range(0, pairs.nnz, _PAIRS):
            rows, units = (side[start : start + _PAIRS] for side in (pairs.row, pairs.col))
            shared = matrix[rows].multiply(self._matrix[units]).sum(axis=1)
            scores = shared / self._totals[units]
            enough = scores >= LEAST - _NOISE
            columns_of_pairs = (rows[enough] + first, units[enough], scores[enough])
            yield from map(Pair, *(column.tolist() for column in columns_of_pairs))


def _trigrams(texts: Sequence[str]) -> tuple[NDArray[np.uint64], Places]:
    """Return the trigrams of texts, and of each the place of its text."""
    codes, starts = trigrams(texts)
    return codes, np.repeat(np.arange(len(texts)), np.diff(starts, append=len(codes)))


def _distinct(rows: Places, columns: Places, shape: tuple[int, int]) -> sparse.csr_array:
    matrix = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix


def _rarest(matrix: sparse.csr_array, totals: NDArray[np.float64]) -> sparse.csr_array:
    """Return trigrams by units, for each unit its rarest ones: a pair of `LEAST` has one of them.

    They are those before which the rarer ones weigh no more than a unit may lack.
    """
    owners = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    order = np.lexsort((matrix.indices, -matrix.data, owners))
    weights = matrix.data[order]
    before = np.cumsum(weights) - weights
    before -= before[matrix.indptr[:-1]][owners] if len(before) else 0
    chosen = before <= (1 - LEAST) * totals[owners] + _NOISE * len(weights)
    places = (matrix.indices[order][chosen], owners[chosen])
    shape = (matrix.shape[1], matrix.shape[0])
    return sparse.csr_array((np.ones(len(places[0]), np.int32), places), shape=shape)
