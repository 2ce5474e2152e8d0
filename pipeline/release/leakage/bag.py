"""Texts in the form in which they are compared, with what is worked out of them once."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.release.leakage.grams import Grams, Words
from pipeline.release.leakage.sketches import Sketches


class Bag:
    """Texts as `texts.key` returns them; what is asked of a place is kept."""

    def __init__(self, keys: Sequence[str]) -> None:
        """Take texts, none of them empty."""
        self.keys = keys
        self._words: Words | None = None
        self._grams: dict[int, Grams] = {}
        self._sketches: dict[int, Sketches] = {}

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.keys)

    @property
    def words(self) -> Words:
        """The words of all texts."""
        if self._words is None:
            self._words = Words.of(self.keys)
        return self._words

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
