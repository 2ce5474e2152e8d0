"""Word n-grams of many texts at once, and where they occur again.

An n-gram is known by a 64-bit hash of its words; two that have the same are taken for equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]
#: Occurrences that are counted at a time.
BLOCK: Final = 2_000_000
_NEXT: Final = np.uint64(0x9E3779B97F4A7C15)


class Contained(NamedTuple):
    """A text whose n-grams occur in another: `inner` and `outer` are places, `share` of 1."""

    inner: int
    outer: int
    share: float


@dataclass(frozen=True)
class Grams:
    """The distinct n-grams of each text, by value and text; `sizes` are their numbers by text."""

    values: Hashes
    rows: Places
    sizes: Places

    def of(self, rows: Mask) -> Grams:
        """Return the n-grams of some texts alone."""
        kept = rows[self.rows]
        return Grams(self.values[kept], self.rows[kept], np.where(rows, self.sizes, 0))

    def within(self, other: Grams) -> Mask:
        """Tell of each n-gram whether any text of the other side has it."""
        at = np.searchsorted(other.values, self.values)
        found = np.zeros(len(self.values), bool)
        inside = at < len(other.values)
        found[inside] = other.values[at[inside]] == self.values[inside]
        return found


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


def contained(inner: Grams, outer: Grams, least: float) -> Iterator[Contained]:
    """Yield each pair where the share `least` of an inner text's n-grams is in one outer text."""
    shared = inner.within(outer)
    hits = np.bincount(inner.rows[shared], minlength=len(inner.sizes))
    kept = shared & (hits / np.maximum(inner.sizes, 1) >= least)[inner.rows]
    values, rows = inner.values[kept], inner.rows[kept]
    order = np.argsort(rows, kind="stable")
    values, rows = values[order], rows[order]
    low = np.searchsorted(outer.values, values, "left")
    counts = np.searchsorted(outer.values, values, "right") - low
    many = len(outer.sizes)
    for block in _blocks(rows, counts):
        places = _ranges(low[block], counts[block])
        pairs = np.repeat(rows[block], counts[block]) * many + outer.rows[places]
        found, times = np.unique(pairs, return_counts=True)
        shares = times / inner.sizes[found // many]
        enough = shares >= least
        for pair, share in zip(found[enough].tolist(), shares[enough].tolist(), strict=True):
            yield Contained(pair // many, pair % many, share)


def _blocks(rows: Places, counts: Places) -> Iterator[slice]:
    """Yield runs of whole texts with `BLOCK` occurrences, or as many as their last text adds."""
    ends = np.flatnonzero(np.diff(rows, append=-1)) + 1
    sums = np.cumsum(counts)
    start, done = 0, 0
    for end in ends.tolist():
        if sums[end - 1] - done >= BLOCK or end == len(rows):
            yield slice(start, end)
            start, done = end, int(sums[end - 1])


def _ranges(low: Places, counts: Places) -> Places:
    """Return low[0], low[0] + 1, ... for counts[0] numbers, then the same for the next."""
    return np.repeat(low - (np.cumsum(counts) - counts), counts) + np.arange(int(counts.sum()))


@lru_cache(1 << 18)
def _hash(word: str) -> int:
    raw = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "little")
