"""Which texts of one side are, nearly are, contain or are contained in a text of another side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np

from pipeline.release.leakage.grams import Grams, Words, contained
from pipeline.release.leakage.sketches import Sketches, likest, width_for

Kind = Literal["exact", "near", "contained"]
#: From the gravest on.
KINDS: Final[tuple[Kind, ...]] = ("exact", "near", "contained")


class Bag:
    """Texts as `texts.key` returns them, none of them empty; what is computed of them is kept."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys
        self._grams: dict[int, Grams] = {}
        self._sketches: dict[int, Sketches] = {}

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.keys)

    @cached_property
    def words(self) -> Words:
        """The words of all texts."""
        return Words.of(self.keys)

    def grams(self, n: int) -> Grams:
        """Return the n-grams of words."""
        if n not in self._grams:
            self._grams[n] = self.words.grams(n)
        return self._grams[n]

    def sketches(self, width: int) -> Sketches:
        """Return the sketches of a width in 64 bits."""
        if width not in self._sketches:
            self._sketches[width] = Sketches.of(self.keys, width)
        return self._sketches[width]


@dataclass(frozen=True)
class Settings:
    """From where on texts are too much alike.

    `near` is the Jaccard similarity of character trigrams of two near-duplicates; `contained` the
    share of a text's n-grams of `words` words that stand in one other text. A text of fewer words,
    but of `shortest` at least, is contained where all its words stand in a row.
    """

    near: float = 0.8
    contained: float = 0.8
    words: int = 8
    shortest: int = 6


class Match(NamedTuple):
    """How a text is found again: `other` is the place of its likest, `score` from 0 to 1."""

    kind: Kind
    score: float
    other: int


def rank(found: Match) -> tuple[int, float, int]:
    """Return by what matches are ordered: the gravest kind, the highest score, the first text."""
    return KINDS.index(found.kind), -found.score, found.other


def compare(left: Bag, right: Bag, settings: Settings, *, both: bool) -> dict[int, Match]:
    """Return the gravest match of each text on the left that has one on the right.

    With `both`, a text on the left that holds one of the right is contained too.
    """
    best: dict[int, Match] = {}
    for place, match in _all(left, right, settings, both=both):
        if place not in best or rank(match) < rank(best[place]):
            best[place] = match
    return best


def _all(left: Bag, right: Bag, settings: Settings, *, both: bool) -> Iterator[tuple[int, Match]]:
    yield from exact(left, right)
    width = width_for(left.keys)
    sketches = left.sketches(width), right.sketches(width)
    for place, (score, other) in likest(left.keys, right.keys, sketches, settings.near).items():
        yield place, Match("near", round(score, 6), other)
    for one, other, share in _contained(left, right, settings):
        yield one, Match("contained", share, other)
    if both:
        for one, other, share in _contained(right, left, settings):
            yield other, Match("contained", share, one)


def exact(left: Bag, right: Bag) -> Iterator[tuple[int, Match]]:
    """Yield the texts on the left that one on the right equals but for blanks."""
    places: dict[str, int] = {}
    for place, key in enumerate(right.keys):
        places.setdefault(key.replace(" ", ""), place)
    for place, key in enumerate(left.keys):
        other = places.get(key.replace(" ", ""))
        if other is not None:
            yield place, Match("exact", 1.0, other)


def _contained(inner: Bag, outer: Bag, settings: Settings) -> Iterator[tuple[int, int, float]]:
    counts = inner.words.counts
    for n in range(settings.shortest, settings.words + 1):
        rows = counts >= n if n == settings.words else counts == n
        if not np.any(rows):
            continue
        for found in contained(inner.grams(n).of(rows), outer.grams(n), settings.contained):
            yield found.inner, found.outer, round(found.share, 6)
