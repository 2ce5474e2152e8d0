"""Near-duplicates by an exact join: nothing is missed, and few pairs are compared.

Two texts are near when the Jaccard similarity of their sets of character trigrams reaches a
threshold t. Trigrams are ordered from rare to frequent. For |x| >= |y| the sets share at least
t |x| trigrams, so that the first |x| - t |x| + 1 of x and the first |y| - 2t / (1 + t) |y| + 1 of y
have one in common: only those are looked up, and only texts of a like size are compared.

Bayardo, Ma and Srikant, "Scaling up all pairs similarity search" (WWW 2007); Xiao, Wang, Lin and
Yu, "Efficient similarity joins for near duplicate detection" (WWW 2008).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterator, Sequence
from math import ceil
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

THRESHOLD: Final = 0.8
_GRAM: Final = 3
#: A code point has at most 21 bits, so that three of them are one whole number.
_BITS: Final = 21
_SLACK: Final = 1e-9

Numbers = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int32]
Name = TypeVar("Name", bound=Hashable)


class Components(Generic[Name]):
    """Disjoint sets of names (union-find); a name that was never joined is alone.

    Tarjan, "Efficiency of a good but not linear set union algorithm", Journal of the ACM 22 (1975).
    """

    def __init__(self) -> None:
        self._above: dict[Name, Name] = {}
        self._size: dict[Name, int] = {}

    def find(self, name: Name) -> Name:
        """Return the name that stands for the set of `name`; it changes when sets are joined."""
        above, root = self._above, name
        while (higher := above.get(root, root)) != root:
            root = higher
        while name != root:
            above[name], name = root, above.get(name, name)
        return root

    def join(self, left: Name, right: Name) -> bool:
        """Make one set of the sets of two names; return whether they were two."""
        one, other = self.find(left), self.find(right)
        if one == other:
            return False
        sizes = self._size.get(one, 1), self._size.get(other, 1)
        if sizes[0] < sizes[1]:
            one, other = other, one
        self._above[other] = one
        self._size[one] = sum(sizes)
        return True


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, NFKC and case folded; its signs if it has none."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(one for one in folded if one.isalnum()) or "".join(folded.split())


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
    found: list[tuple[str, str]] = []
    components: Components[str] = Components()
    for name, letters in sorted({(i, letters_of(t)) for i, t in zip(ids, texts, strict=True)}):
        owner = owners.setdefault(letters, name)
        if owner != name:
            found.append((owner, name))
            components.join(owner, name)
    long = sorted(text for text in owners if len(text) >= _GRAM)
    ranked = _ranked(long)
    order = sorted(range(len(long)), key=lambda n: len(ranked[n]))
    names = [owners[long[n]] for n in order]
    for left, right in _joined([ranked[n] for n in order], names, components, threshold):
        found.append((min(left, right), max(left, right)))
    return sorted(found)


def _grams(letters: str) -> Numbers:
    """Return the different trigrams of a text as numbers, ascending."""
    points = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), np.uint32)
    wide = points.astype(np.int64)
    return np.unique((wide[:-2] << 2 * _BITS) | (wide[1:-1] << _BITS) | wide[2:])


def _ranked(texts: Sequence[str]) -> list[Ranks]:
    """Return for each text the ranks of its trigrams, ascending: rare ones have low ranks.

    Trigrams of one text alone have ranks below 0.
    """
    grams = [_grams(one) for one in texts]
    known, texts_with = np.unique(
        np.concatenate([*grams, np.empty(0, np.int64)]), return_counts=True
    )
    ranks = np.empty(len(known), np.int32)
    ranks[np.argsort(texts_with, kind="stable")] = np.arange(len(known), dtype=np.int32)
    ranks -= np.count_nonzero(texts_with == 1)
    return [np.sort(ranks[np.searchsorted(known, one)]) for one in grams]


def _joined(
    sets: Sequence[Ranks], names: Sequence[str], components: Components[str], threshold: float
) -> Iterator[tuple[str, str]]:
    """Yield names of near sets that were not connected; `sets` stand by their size, ascending."""
    index: dict[int, list[int]] = {}
    both = threshold / (1 + threshold)
    for number, ranks in enumerate(sets):
        size = len(ranks)
        least = ceil(threshold * size - _SLACK)
        for other in _candidates(ranks[: size - least + 1], index):
            pair = names[other], names[number]
            if (
                len(sets[other]) >= least
                and components.find(pair[0]) != components.find(pair[1])
                and _similarity(ranks, sets[other]) >= threshold
            ):
                components.join(*pair)
                yield pair
        for rank in ranks[: size - ceil(2 * both * size - _SLACK) + 1].tolist():
            if rank >= 0:
                index.setdefault(rank, []).append(number)


def _candidates(prefix: Ranks, index: dict[int, list[int]]) -> list[int]:
    return sorted({other for rank in prefix.tolist() for other in index.get(rank, ())})


def _similarity(left: Ranks, right: Ranks) -> float:
    common = len(np.intersect1d(left, right, assume_unique=True))
    return common / (len(left) + len(right) - common)
