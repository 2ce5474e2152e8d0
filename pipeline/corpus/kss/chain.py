"""The syllables of one text as kss's linked list, built from what kss says of each token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import pairwise, repeat
from operator import or_
from typing import Any, NamedTuple

from pipeline.corpus.kss.syllables import (
    CORRECTOR,
    EMOJI,
    NOWHERE,
    RETAG,
    Syllable,
    Traits,
    may_retag,
    traits_of,
)

SPACE = traits_of(" ", "SP")


class Token(NamedTuple):
    """A mecab token cut into syllables: their traits, and the union of their flags."""

    surface: str
    traits: tuple[Traits, ...]
    flags: int


@lru_cache(maxsize=1 << 8)
def token_of(surface: str, tag: str) -> Token:
    """Cut a mecab token into syllables, each with the tag that kss gives it."""
    traits = tuple(map(_alone, surface, repeat(tag)))
    return Token(surface, traits, reduce(or_, [t.flags for t in traits], 0))


@lru_cache(maxsize=1 << 16)
def _alone(character: str, tag: str) -> Traits:
    """Let kss turn a token of one character into a syllable; kss puts a space before it."""
    _, syllable = CORRECTOR._convert_morphemes_to_syllables([(character, tag)])
    return traits_of(character, syllable.pos)


class Chain:
    """The syllables of one text, linked, in kss's order; and which of its steps have work to do."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        """Link the tokens' syllables behind the space that kss puts before every text."""
        linked = [Syllable(traits) for token in tokens for traits in token.traits]
        self.syllables: list[Any] = [Syllable(SPACE), *linked]
        for left, right in pairwise(self.syllables):
            left.next, right.prev = right, left
        self.syllables[0].prev = self.syllables[-1].next = NOWHERE
        self.flags = reduce(or_, {token.flags for token in tokens}, 0)
        if self.flags & RETAG:
            CORRECTOR._correct_wrong_tags(self._retaggable())
        if self.flags & EMOJI:
            self._space_out_emoji()

    def _retaggable(self) -> Iterator[Syllable]:
        """Yield what kss may retag, with the tags that it gave to earlier ones taken over."""
        for syllable in self.syllables:
            if syllable.pos is not syllable.traits.pos:
                syllable.refresh()
            if syllable.traits.flags & RETAG and may_retag(
                syllable.text, syllable.pos, syllable.next.text, syllable.next.pos
            ):
                yield syllable
                syllable.refresh()

    def _space_out_emoji(self) -> None:
        """Let kss put a space, an object of its own class, before each run of emoji."""
        self.syllables = CORRECTOR._append_space_before_emoji(self.syllables)
        for syllable in self.syllables:
            if not isinstance(syllable, Syllable):
                syllable.traits, syllable.start, syllable.end = SPACE, None, None

    def unlink(self) -> None:
        """Cut the circular links: memory is free at once, not when garbage is collected."""
        for syllable in self.syllables:
            syllable.prev = None
