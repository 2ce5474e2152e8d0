"""Exact joins that find similar texts: near-duplicates, and texts that hold most of another.

Two texts are near when the Jaccard similarity of their sets of character trigrams reaches a
threshold t. Trigrams are ordered from rare to frequent. For |x| >= |y| the sets share at least
t |x| trigrams, so that the first |x| - t |x| + 1 of x and the first |y| - 2t / (1 + t) |y| + 1 of y
have one in common: only those are looked up, and only texts of a like size are compared, whose
sketches (a bit for each trigram) do not differ by more than similar sets can.
Bayardo, Ma and Srikant, "Scaling up all pairs similarity search" (WWW 2007); Xiao, Wang, Lin and
Yu, "Efficient similarity joins for near duplicate detection" (WWW 2008).

For texts that hold another one, an n-gram of words is known by a number of its own, made from those
of two shorter ones, so that no two are taken for each other. A sparse product of the rarest n-grams
of texts with all n-grams finds the pairs to count.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.cluster.hierarchy import DisjointSet

from pipeline.core.nfkc import nfkc

THRESHOLD: Final = 0.8
_GRAM: Final = 3
#: A code point has at most 21 bits, so that three of them are one whole number.
_BITS: Final = 21
_SLACK: Final = 1e-9
#: Sets that one is compared with at a time.
_COMPARED: Final = 1024

Numbers = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, NFKC and case folded; its signs if it has none."""
    folded = nfkc(text).casefold()
    return "".join(char for char in folded if char.isalnum()) or "".join(folded.split())


def near_pairs(
    ids: Sequence[str], texts: Sequence[str], *, threshold: float = THRESHOLD
) -> list[tuple[str, str]]:
    """Return pairs of ids, smaller first and sorted, that connect what is near.

    `ids` and `texts` go together; an id may have several texts. Every pair has two near texts, and
    every two ids with near texts are connected, by a pair or through others: not all pairs are
    returned. Texts of fewer than three letters are near when these are equal. The threshold is
    above 0, at most 1. The result does not depend on the order of the texts.
    """
    owners: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    connected = DisjointSet(ids)
    for name, letters in sorted({(i, letters_of(t)) for i, t in zip(ids, texts, strict=True)}):
        owner = owners.setdefault(letters, name)
        if connected.merge(owner, name):
            pairs.append((owner, name))
    long = sorted(text for text in owners if len(text) >= _GRAM)
    ranked = _rank_grams(long)
    order = sorted(range(len(long)), key=lambda n: len(ranked[n]))
    names = [owners[long[n]] for n in order]
    pairs += _join_near([ranked[n] for n in order], names, connected, threshold)
    return sorted((min(pair), max(pair)) for pair in pairs)


def _grams(letters: str) -> Numbers:
    wide = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    return np.unique((wide[:-2] << 2 * _BITS) | (wide[1:-1] << _BITS) | wide[2:])


def _rank_grams(texts: Sequence[str]) -> list[Ranks]:
    """Return for each text the ranks of its trigrams, ascending: rare ones have low ranks.

    Trigrams of one text alone have ranks below 0.
    """
    grams = [_grams(text) for text in texts]
    known, texts_with = np.unique(
        np.concatenate([*grams, np.empty(0, np.int64)]), return_counts=True
    )
    ranks = np.empty(len(known), np.int32)
    ranks[np.argsort(texts_with, kind="stable")] = np.arange(len(known), dtype=np.int32)
    ranks -= np.count_nonzero(texts_with == 1)
    return [np.sort(ranks[np.searchsorted(known, grams_of_text)]) for grams_of_text in grams]


def _join_near(
    sets: Sequence[Ranks], names: Sequence[str], connected: DisjointSet, threshold: float
) -> Iterator[tuple[str, str]]:
    """Yield names of near sets that were not connected; `sets` stand by their size, ascending."""
    index: dict[int, array[int]] = {}
    both = threshold / (1 + threshold)
    similarities = _Similarities(sets)
    for number, ranks in enumerate(sets):
        size = len(ranks)
        least = ceil(threshold * size - _SLACK)
        lists = [index[rank] for rank in ranks[: size - least + 1].tolist() if rank in index]
        found = np.unique(np.concatenate([np.empty(0, np.int64), *map(_numbers, lists)]))
        others = found[similarities.sizes[found] >= least]
        for other in similarities.near(number, others, threshold):
            pair = names[other], names[number]
            if connected.merge(*pair):
                yield pair
        for rank in ranks[: size - ceil(2 * both * size - _SLACK) + 1].tolist():
            if rank >= 0:
                index.setdefault(rank, array("q")).append(number)


def _numbers(known: array[int]) -> Numbers:
    return np.frombuffer(known, np.int64)


class _Similarities:
    """Jaccard similarities of sets of ranks, of one with many at a time."""

    def __init__(self, sets: Sequence[Ranks]) -> None:
        self._sets = sets
        self.sizes = np.array([len(each) for each in sets], np.int64)
        lowest = min((int(ranks[0]) for ranks in sets), default=0)
        highest = max((int(ranks[-1]) for ranks in sets), default=0)
        #: A mark for each rank; ranks below 0 count from its end.
        self._marks = np.zeros(max(highest, 0) - min(lowest, 0) + 1, bool)
        self._bits = _sketch(sets, self.sizes)

    def near(self, number: int, others: Numbers, threshold: float) -> Iterator[int]:
        """Yield those of the others whose similarity with a set reaches the threshold."""
        ranks = self._sets[number]
        others = others[self._may_be_near(number, others, threshold)]
        for first in range(0, len(others), _COMPARED):
            part = others[first : first + _COMPARED]
            sizes = self.sizes[part]
            self._marks[ranks] = True
            is_shared = self._marks[np.concatenate([self._sets[other] for other in part.tolist()])]
            self._marks[ranks] = False
            common = np.add.reduceat(is_shared, np.cumsum(sizes) - sizes, dtype=np.int64)
            yield from part[common / (len(ranks) + sizes - common) >= threshold].tolist()

    def _may_be_near(self, number: int, others: Numbers, threshold: float) -> Bools:
        # a bit that one set alone has is of a trigram that the other lacks
        differ = np.bitwise_count(self._bits[others] ^ self._bits[number]).sum(axis=1)
        total = self.sizes[others] + self.sizes[number]
        return np.asarray(total - differ >= threshold * (total + differ) - _SLACK * total)


def _sketch(sets: Sequence[Ranks], sizes: Numbers) -> npt.NDArray[np.uint64]:
    """Return the last bits of the ranks of each set as bits; two for a rank of usual sets."""
    usual = int(sizes.mean()) if len(sizes) else 0
    width = 2 ** min(max(usual.bit_length() + 1 - 6, 1), 6)
    bits = np.zeros((len(sets), width), np.uint64)
    for row, ranks in zip(bits, sets, strict=True):
        last = ranks.astype(np.int64) & (64 * width - 1)
        np.bitwise_or.at(row, last >> 6, np.uint64(1) << (last & 63).astype(np.uint64))
    return bits


SHARE: Final = 0.8
WORDS: Final = 8
SHORTEST: Final = 6
_WORD: Final = re.compile(r"[^\W_]+")
#: Texts that are compared with all others at a time.
_BLOCK: Final = 256
#: Pairs of texts whose n-grams are counted at a time.
_PAIRS: Final = 65_536


def words_of(text: str) -> str:
    """Return the words of a text, parted by blanks: runs of letters and digits, NFKC and folded.

    A text without any has its other signs, parted where it has blanks.
    """
    folded = nfkc(text).casefold()
    return " ".join(_WORD.findall(folded) or folded.split())


def containment_pairs(
    ids: Sequence[str],
    texts: Sequence[str],
    *,
    share: float = SHARE,
    words: int = WORDS,
    shortest: int = SHORTEST,
) -> list[tuple[str, str]]:
    """Return pairs of ids, smaller first and sorted, that connect what holds one another.

    A text is contained in another that has the `share` (above 0, at most 1) of its different
    n-grams of `words` words; one of fewer words, but of `shortest` at least, where all of them
    stand there in a row. `ids` and `texts` go together; an id may have several texts. Every pair
    has two such texts, and every two ids with such texts are connected, by a pair or through
    others: not all pairs are returned. The result does not depend on the order of the texts.
    """
    owners: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    connected = DisjointSet(ids)
    for name, words_of_text in sorted({(i, words_of(t)) for i, t in zip(ids, texts, strict=True)}):
        owner = owners.setdefault(words_of_text, name)
        if words_of_text.count(" ") >= shortest - 1 and connected.merge(owner, name):
            pairs.append((owner, name))
    names = list(owners.values())
    counts = np.array([len(text.split()) for text in owners], np.int64)
    for n in range(shortest, words + 1):
        inner = np.flatnonzero(counts >= n if n == words else counts == n)
        for text, other in _holders(_word_grams(list(owners), counts, n), inner, share):
            if connected.merge(names[text], names[other]):
                pairs.append((names[text], names[other]))
    return sorted((min(pair), max(pair)) for pair in pairs)


def _word_grams(texts: Sequence[str], counts: Numbers, n: int) -> sparse.csr_array:
    known: dict[str, int] = {}
    words = [known.setdefault(word, len(known)) for text in texts for word in text.split()]
    values, width = np.array(words, np.int64), 1
    while width < n:
        step = min(width, n - width)
        both = values[:-step] << 32 | values[step:]
        values, width = np.unique(both, return_inverse=True)[1], width + step
    of_text = np.repeat(np.arange(len(texts)), counts)
    inside = of_text[: len(values)] == of_text[n - 1 :]
    places = of_text[: len(values)][inside], values[inside]
    shape = (len(texts), int(values.max(initial=0)) + 1)
    grams = sparse.csr_array((np.ones(len(places[0]), np.int32), places), shape=shape)
    grams.sum_duplicates()
    grams.data[:] = 1
    return grams


def _holders(grams: sparse.csr_array, inner: Numbers, share: float) -> Iterator[tuple[int, int]]:
    """Yield each text of `inner` with each that has the share of its n-grams, itself too.

    What has the share of a text's n-grams has one of its rarest, of which the text may lack all but
    one: a phrase that very many texts share leads nowhere.
    """
    texts_of = grams.T.tocsr()
    sizes, texts_with = np.diff(grams.indptr), np.diff(texts_of.indptr)
    for start in range(0, len(inner), _BLOCK):
        block = inner[start : start + _BLOCK]
        near = (_rarest(grams[block], texts_with, share) @ texts_of).tocoo()
        for first in range(0, len(near.row), _PAIRS):
            texts, others = block[near.row[first:][:_PAIRS]], near.col[first:][:_PAIRS]
            shared = grams[texts].multiply(grams[others]).sum(axis=1)
            enough = shared / sizes[texts] >= share
            yield from zip(texts[enough].tolist(), others[enough].tolist(), strict=True)


def _rarest(grams: sparse.csr_array, texts_with: Numbers, share: float) -> sparse.csr_array:
    """Return of each row the n-grams that the fewest texts have: one more than it may lack."""
    sizes = np.diff(grams.indptr)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((grams.indices, texts_with[grams.indices], rows))
    rank = np.arange(len(rows)) - np.repeat(grams.indptr[:-1], sizes)
    rare = order[rank <= (sizes - np.ceil(share * sizes - _SLACK))[rows]]
    places = rows[rare], grams.indices[rare]
    return sparse.csr_array((np.ones(len(rare), np.int32), places), shape=grams.shape)
