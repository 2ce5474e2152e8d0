"""The walk of kss over a text: where sentences begin, and which quotes are open.

kss answers what may end a sentence and where the end is reached; the order of its questions is
kept here. The places of a text are either traits, about which verdicts are remembered, or the
syllables of kss's linked list, which are asked one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from pipeline.corpus.kss.syllables import KSS, Splitter, Traits
from pipeline.corpus.kss.verdicts import REACH, Verdicts

_EmbracingProcessor: Any = KSS.EmbracingProcessor


class Places(Protocol):
    """The places of a text: what each is, and kss's verdicts about it."""

    traits: Sequence[Traits]
    span: range

    def may_end(self, at: int) -> bool:
        """Return whether a sentence may end at a place."""

    def ends(self, at: int) -> tuple[bool, bool]:
        """Return whether it ended before a place, and whether even inside a quote."""


class Remembered:
    """Places by their traits, given with a margin at both ends."""

    _may_end = Verdicts(Splitter.check_split_start)
    _ends = Verdicts(Splitter.check_split_end)

    def __init__(self, traits: Sequence[Traits]) -> None:
        """Take the places between the margins."""
        self.traits = traits
        self.span = range(REACH, len(traits) - REACH)

    def may_end(self, at: int) -> bool:
        """Return whether a sentence may end at a place."""
        return bool(self.traits[at].rules) and self._may_end(self.traits, at)

    def ends(self, at: int) -> tuple[bool, bool]:
        """Return whether it ended before a place, and whether even inside a quote."""
        return self.traits[at].end or self._ends(self.traits, at)


class Linked:
    """Places by their syllables; a verdict is asked for once for each."""

    def __init__(self, syllables: Sequence[Any]) -> None:
        """Take all of the syllables."""
        self.syllables = syllables
        self.traits: Sequence[Traits] = [syllable.traits for syllable in syllables]
        self.span = range(len(syllables))

    def may_end(self, at: int) -> bool:
        """Return whether a sentence may end at a place."""
        syllable = self.syllables[at]
        if syllable.start is None:
            syllable.start = Splitter(syllable).check_split_start()
        return syllable.start  # type: ignore[no-any-return]

    def ends(self, at: int) -> tuple[bool, bool]:
        """Return whether it ended before a place, and whether even inside a quote."""
        syllable = self.syllables[at]
        if syllable.end is None:
            syllable.end = syllable.traits.end or Splitter(syllable).check_split_end()
        return syllable.end  # type: ignore[no-any-return]


class Quotes(_EmbracingProcessor):  # type: ignore[misc]
    """kss's record of open quotes, without the cache that would keep whole texts alive."""

    _realign_sub_sentences = KSS.EmbracingProcessor._realign_sub_sentences.__wrapped__

    @property
    def opened(self) -> bool:
        """Whether any quote is open."""
        return bool(self.single_stack or self.double_stack)


def beginnings(places: Places, quotes: Quotes) -> list[int]:
    """Return where each sentence but the first begins; `quotes` learns of every quote."""
    begins: list[int] = []
    traits, walk = places.traits, iter(places.span)
    for at in walk:
        here = traits[at]
        if here.calm:
            continue
        if here.toggles:
            quotes.process(at, len(begins), here)
        if here.now:
            begins.append(at)
        elif places.may_end(at):
            begins += _next_beginning(places, walk, quotes, len(begins))
    return begins


def _next_beginning(places: Places, walk: Iterator[int], quotes: Quotes, number: int) -> list[int]:
    """Walk on behind a possible end of sentence `number`, past what still belongs to it.

    Returns the place where the next one begins, or none: at the end of the text, or within a quote.
    A quote that closes just then belongs to the sentence.
    """
    for at in walk:
        opened, here = quotes.opened, places.traits[at]
        if here.toggles:
            quotes.process(at, number, here)
        if here.quote:
            quotes.update_index(at, number, here)
        ends, even_quoted = places.ends(at)
        if ends and not (opened and quotes.opened):
            return [at + 1 if opened else at]
        if ends and not even_quoted:
            break
    return []
