"""Texts that hold most of another one: an exact join over n-grams of words.

An n-gram is known by a whole number of its own, made from those of two shorter ones, so that no two
are taken for each other. N-grams of one text alone are in no other: where they are too many, a text
is in none. Of the others the rarest are looked up; a text that holds the share t of s n-grams holds
one of any s - ceil(t s) + 1 of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt

SHARE: Final = 0.8
WORDS: Final = 8
SHORTEST: Final = 6
_WORD: Final = re.compile(r"[^\W_]+")
_SLACK: Final = 1e-9

Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def words_of(text: str) -> str:
    """Return the words of a text, parted by blanks: runs of letters and digits, NFKC and folded.

    A text without any has its other signs, parted where it has blanks.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(folded) or folded.split())


def contained_pairs(
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
    found: list[tuple[str, str]] = []
    for name, own in sorted({(i, words_of(t)) for i, t in zip(ids, texts, strict=True)}):
        owner = owners.setdefault(own, name)
        if owner != name and own.count(" ") >= shortest - 1:
            found.append((owner, name))
    counts, runs = _numbered(owners)
    names = list(owners.values())
    parts = np.unique(np.array(names, object), return_inverse=True)[1]
    for n in range(shortest, words + 1):
        inner = counts >= n if n == words else counts == n
        if inner.any():
            grams = _Grams.of(runs, np.repeat(np.arange(len(counts)), counts), n, len(counts))
            found += _joined(grams, inner, names, parts, share)
    return sorted(found)


def _numbered(texts: Iterable[str]) -> tuple[Numbers, Numbers]:
    """Return how many words each text has, and a number for each word, text after text."""
    known: dict[str, int] = {}
    counts = np.array([len(one.split()) for one in texts], np.int64)
    runs = (known.setdefault(word, len(known)) for one in texts for word in one.split())
    return counts, np.fromiter(runs, np.int64, int(counts.sum()))


@dataclass(frozen=True)
class _Grams:
    """The different n-grams of texts: `of_text`, by text; `texts_with`, by n-gram.

    Each pair of arrays is the entries and, for entry k, where its own start; n-grams are numbered
    from 0, those of fewer texts first.
    """

    of_text: tuple[Numbers, Numbers]
    texts_with: tuple[Numbers, Numbers]

    @classmethod
    def of(cls, runs: Numbers, rows: Numbers, n: int, texts: int) -> _Grams:
        """Take the n-grams that stand within one text each."""
        values, width = runs, 1
        while width < n:
            step = min(width, n - width)
            both = values[:-step] << 32 | values[step:]
            values, width = np.unique(both, return_inverse=True)[1], width + step
        inside = rows[: len(values)] == rows[n - 1 :]
        values, rows = values[inside], rows[: len(values)][inside]
        pairs = np.unique(values * texts + rows)
        values, rows = np.unique(pairs // texts, return_inverse=True)[1], pairs % texts
        often = np.bincount(values)
        rank = np.empty(len(often), np.int64)
        rank[np.argsort(often, kind="stable")] = np.arange(len(often))
        values = rank[values]
        by_gram, by_text = np.argsort(values, kind="stable"), np.lexsort((values, rows))
        return cls(
            (values[by_text], _starts(rows, texts)),
            (rows[by_gram], _starts(values, len(often))),
        )

    def grams(self, text: int) -> Numbers:
        """Return the n-grams of a text, rare ones first."""
        entries, starts = self.of_text
        return entries[starts[text] : starts[text + 1]]

    def holders(self, gram: int) -> Numbers:
        """Return the texts that have an n-gram."""
        entries, starts = self.texts_with
        return entries[starts[gram] : starts[gram + 1]]

    def likely(self, inner: Mask, share: float) -> list[int]:
        """Return those of the texts `inner` whose n-grams stand elsewhere often enough."""
        entries, starts = self.of_text
        sums = np.concatenate([[0], np.cumsum(np.diff(self.texts_with[1])[entries] > 1)])
        sizes = np.diff(starts)
        enough = sums[starts[1:]] - sums[starts[:-1]] >= share * sizes - _SLACK
        found: list[int] = np.flatnonzero(inner & enough & (sizes > 0)).tolist()
        return found


def _starts(places: Numbers, many: int) -> Numbers:
    return np.concatenate([[0], np.cumsum(np.bincount(places, minlength=many))])


def _joined(
    grams: _Grams, inner: Mask, names: Sequence[str], parts: Numbers, share: float
) -> Iterator[tuple[str, str]]:
    """Yield names that were not connected; `parts` tells by text what it is connected with."""
    for text in grams.likely(inner, share):
        own = grams.grams(text)
        for other in _candidates(grams, own, parts, text, share):
            if parts[other] == parts[text]:
                continue
            if np.isin(own, grams.grams(other), assume_unique=True).sum() / len(own) >= share:
                parts[parts == parts[other]] = parts[text]
                yield min(names[text], names[other]), max(names[text], names[other])


def _candidates(grams: _Grams, own: Numbers, parts: Numbers, text: int, share: float) -> list[int]:
    """Return texts that are not connected with `text` and hold one of its rarest n-grams."""
    rarest = own[: len(own) - ceil(share * len(own) - _SLACK) + 1].tolist()
    texts = np.concatenate([grams.holders(gram) for gram in rarest])
    found: list[int] = np.unique(texts[parts[texts] != parts[text]]).tolist()
    return found
