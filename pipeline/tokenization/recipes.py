"""How the text that trains a tokenizer is cut; the text that it reads later is never cut.

A pre-tokenizer of one's own cannot be saved in a form that loads without it, and so the analyser
sees the training text alone: what it teaches is in the pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from pipeline.core.morphology import morphemes
from pipeline.core.wordpiece import INNER, words_of

#: A text to the words that are counted; INNER before one says that it continues a word.
Cut = Callable[[str], Iterator[str]]
#: A word of more letters is unknown to a WordPiece tokenizer, and none is learnt from it.
LONGEST: Final = 100


def plain(text: str) -> Iterator[str]:
    """Yield words: a piece may hold several morphemes, such as a noun with its particle."""
    return (word for word, _ in words_of(text) if len(word) <= LONGEST)


def klue(text: str) -> Iterator[str]:
    """Yield morphemes, each as if it began a word; source: Park et al. 2021, section 4.1.

    So inside a word a particle of several letters is one piece only if the same letters also stand
    inside a morpheme.
    """
    return (part for parts in _morphemes_of_words(text) for part in parts)


def aligned(text: str) -> Iterator[str]:
    """Yield morphemes, those that do not begin a word as its continuation.

    So each piece is learnt for the place where it stands: a particle as what continues a word.
    """
    for first, *rest in _morphemes_of_words(text):
        yield first
        yield from (INNER + part for part in rest)


def _morphemes_of_words(text: str) -> Iterator[list[str]]:
    """Yield words, each cut at the edges of morphemes that lie inside it."""
    edges = {morpheme.start for morpheme in morphemes(text)}
    for word, (start, end) in words_of(text):
        if len(word) <= LONGEST:
            inside = sorted(edges.intersection(range(start + 1, end)))
            yield [text[left:right] for left, right in pairwise([start, *inside, end])]


RECIPES: Final[Mapping[str, Cut]] = {"plain": plain, "klue": klue, "aligned": aligned}
