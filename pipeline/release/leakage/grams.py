"""Word n-grams and character trigrams of many texts, and which texts share them.

A word n-gram is known by a 64-bit hash of its words; two that have the same are taken for equal.

Near-duplicates are all pairs of texts whose character trigrams reach a Jaccard similarity. A sketch
of a set is a row of bits, in which every element turns over one bit that its hash names. Where two
sketches differ, the sets differ: their Hamming distance is never above the size of the symmetric
difference, and Jaccard similarity t allows that no more than (1-t)/(1+t) of the two sizes together.
So every pair is compared by a few exclusive ors, none is missed, and the few that remain are
counted exactly. The parity sketch is the odd sketch of Mitzenmacher, Pagh and Pham, "Efficient
Estimation for High Similarities using Odd Sketches" (WWW 2014), used as a bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]
#: Texts that are compared with all of the other side at a time.
BLOCK: Final = 256
_NEXT: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Grams:
    """The distinct n-grams of each text, by value and text; `sizes` are their numbers by text."""

    values: Hashes
    rows: Places
    sizes: Places

    def of(self, rows: Mask) -> Grams:
        """Return the n-grams of some texts alone."""
        chosen = rows[self.rows]
        return Grams(self.values[chosen], self.rows[chosen], np.where(rows, self.sizes, 0))

    def within(self, other: Grams) -> Mask:
        """Tell of each n-gram whether any text of the other side has it."""
        at = np.searchsorted(other.values, self.values)
        is_shared = np.zeros(len(self.values), bool)
        inside = at < len(other.values)
        is_shared[inside] = other.values[at[inside]] == self.values[inside]
        return is_shared


@dataclass(frozen=True)
class Words:
    """The words of texts as hashes, one after the other; `rows` says whose, `counts` how many."""

    hashes: Hashes
    rows: Places
    counts: Places

    @classmethod
    def of(cls, keys: Sequence[str]) -> Words:
        """Take the words of texts that are parted by blanks."""
        split = [key.split(" ") for key in keys]
        counts = np.array([len(words) for words in split], np.int64)
        hashes = np.fromiter((_hash(word) for words in split for word in words), np.uint64)
        return cls(hashes, np.repeat(np.arange(len(keys)), counts), counts)

    def grams(self, n: int) -> Grams:
        """Return the n-grams; a text of fewer than n words has none."""
        starts = max(0, len(self.hashes) - n + 1)
        values = np.zeros(starts, np.uint64)
        for offset in range(n):
            values = values * _NEXT + self.hashes[offset : offset + starts]
        inside = self.rows[:starts] == self.rows[n - 1 :][:starts]
        values, rows = values[inside], self.rows[:starts][inside]
        order = np.lexsort((rows, values))
        values, rows = values[order], rows[order]
        first = np.ones(len(values), bool)
        first[1:] = (values[1:] != values[:-1]) | (rows[1:] != rows[:-1])
        values, rows = values[first], rows[first]
        return Grams(values, rows, np.bincount(rows, minlength=len(self.counts)))


def containments(inner: Grams, outer: Grams, least: float) -> Iterator[tuple[int, int, float]]:
    """Yield each pair where the share `least` of an inner text's n-grams is in one outer text.

    Both are told by their places, and the share from 0 to 1.
    """
    shared = inner.within(outer)
    hits = np.bincount(inner.rows[shared], minlength=len(inner.sizes))
    frequent = shared & (hits / np.maximum(inner.sizes, 1) >= least)[inner.rows]
    known, values = np.unique(outer.values, return_inverse=True)
    texts_of = _ones(values, outer.rows, (len(known), len(outer.sizes)))
    places = np.searchsorted(known, inner.values[frequent])
    left = _ones(inner.rows[frequent], places, (len(inner.sizes), len(known)))
    texts = np.flatnonzero(np.diff(left.indptr))
    for start in range(0, len(texts), BLOCK):
        block = texts[start : start + BLOCK]
        counts = (left[block] @ texts_of).tocoo()
        shares = counts.data / inner.sizes[block[counts.row]]
        enough = shares >= least
        pairs = (block[counts.row[enough]], counts.col[enough], shares[enough])
        yield from zip(*(column.tolist() for column in pairs), strict=True)


def _ones(rows: Places, columns: Places, shape: tuple[int, int]) -> sparse.csr_array:
    return sparse.csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape=shape)


@lru_cache(1 << 18)
def _hash(word: str) -> int:
    raw = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "little")


Codes = NDArray[np.uint64]
#: Rows of the two sides that are compared at a time; small enough to stay in a cache.
LEFT: Final = 64
RIGHT: Final = 4096
_NOISE: Final = 1e-9
#: Texts that are sketched at a time.
SKETCHED: Final = 1024


def codes(key: str) -> Codes:
    """Return the distinct character trigrams of a text without blanks, each as one number.

    A text of one or two characters has one, which no longer text has. They ascend.
    """
    return _trigrams([key])[1]


def _trigrams(keys: Sequence[str]) -> tuple[Places, Codes]:
    """Return the distinct trigrams of texts: whose each is, and its number; both ascend."""
    texts = [key.replace(" ", "").ljust(3, "\0") for key in keys]
    raw = "".join(texts).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(raw, np.uint32).astype(np.uint64)
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    inside = rows[2:] == rows[:-2]
    numbers = (points[:-2] << 42 | points[1:-1] << 21 | points[2:])[inside]
    rows = rows[:-2][inside]
    order = np.lexsort((numbers, rows))
    rows, numbers = rows[order], numbers[order]
    first = np.ones(len(numbers), bool)
    first[1:] = (numbers[1:] != numbers[:-1]) | (rows[1:] != rows[:-1])
    return rows[first], numbers[first]


def jaccard(left: Codes, right: Codes) -> float:
    """Return the Jaccard similarity of two sets of trigrams, from 0 to 1."""
    common = len(np.intersect1d(left, right, assume_unique=True))
    return common / (len(left) + len(right) - common)


@dataclass(frozen=True)
class Sketches:
    """Sketches of texts by the size of their sets: `places` (which text), `sizes`, and `bits`.

    `bits` has shape (texts, width), 64 bits each.
    """

    places: Places
    sizes: Places
    bits: Codes

    @classmethod
    def of(cls, keys: Sequence[str], width: int) -> Sketches:
        """Make the sketches of texts."""
        sizes = np.zeros(len(keys), np.int64)
        bits = np.zeros((len(keys), width), np.uint64)
        for start in range(0, len(keys), SKETCHED):
            some = slice(start, start + SKETCHED)
            rows, elements = _trigrams(keys[some])
            sizes[some] = np.bincount(rows, minlength=len(sizes[some]))
            places = rows * 64 * width + _bit(elements, 64 * width)
            turned = np.bincount(places, minlength=bits[some].size * 64) & 1
            bits[some] = np.packbits(turned.astype(np.uint8)).view(np.uint64).reshape(-1, width)
        order = np.argsort(sizes, kind="stable")
        return cls(order, sizes[order], bits[order])


def width_for(keys: Sequence[str]) -> int:
    """Return how wide sketches of such texts should be, in 64 bits: one bit for two characters.

    Any width finds the same pairs; where most texts have more than a trigram a bit, sketches look
    alike and more pairs are counted.
    """
    lengths = [len(key) for key in keys]
    return max(1, round(float(np.quantile(lengths, 0.9)) / 128)) if lengths else 1


def likest(
    left: Sequence[str], right: Sequence[str], sketches: tuple[Sketches, Sketches], least: float
) -> dict[int, tuple[float, int]]:
    """Return for each left text with one alike how alike its likest is, and which that is.

    Alike means a Jaccard similarity of `least` (above 0) or more; of equals the first is named.
    """
    cached = lru_cache(LEFT * 64)(codes)
    best: dict[int, tuple[float, int]] = {}
    for place, other in _suspects(*sketches, least):
        score = jaccard(cached(left[place]), cached(right[other]))
        if score >= least and (
            place not in best or (-score, other) < (-best[place][0], best[place][1])
        ):
            best[place] = (score, other)
    return best


def _suspects(left: Sketches, right: Sketches, least: float) -> Iterator[tuple[int, int]]:
    """Yield all pairs whose sizes and sketches allow a similarity of `least`, and few others."""
    allowed = (1 - least) / (1 + least)
    for start in range(0, len(left.sizes), LEFT):
        rows = slice(start, start + LEFT)
        sizes, bits = left.sizes[rows], left.bits[rows]
        first = np.searchsorted(right.sizes, np.ceil(sizes[0] * least - _NOISE), "left")
        last = np.searchsorted(right.sizes, np.floor(sizes[-1] / least + _NOISE), "right")
        for begin in range(int(first), int(last), RIGHT):
            some = slice(begin, min(begin + RIGHT, int(last)))
            bound = (allowed * (sizes[:, None] + right.sizes[some]) + _NOISE).astype(np.int32)
            near = np.nonzero(_distance(bits, right.bits[some]) <= bound)
            yield from zip(
                left.places[rows][near[0]].tolist(),
                right.places[some][near[1]].tolist(),
                strict=True,
            )


def _distance(left: Codes, right: Codes) -> NDArray[np.int32]:
    total = np.zeros((len(left), len(right)), np.int32)
    for word in range(left.shape[1]):
        total += np.bitwise_count(left[:, word, None] ^ right[None, :, word])
    return total


def _bit(elements: Codes, bits: int) -> Places:
    mixed = (elements ^ elements >> np.uint64(31)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(32)).astype(np.int64) % bits
