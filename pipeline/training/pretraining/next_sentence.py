"""Pairs for next sentence prediction: half of them follow each other in a document.

A document of one sentence has no next one, nor has the last sentence that stays alone: those are
packed, and their sequences have no label.

Source: Devlin et al. 2019, Section 3.1 and Appendix A.2, and their published code: a tenth of the
pairs is short; after a second half from elsewhere, the rest of the first goes into the next pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pipeline.core.ids import draw
from pipeline.training.pretraining.packing import Packer, Sequence

#: The special tokens around and between two texts.
FRAME: Final = 3
FOLLOWS, RANDOM = 0, 1
#: The share of pairs that come from elsewhere, and of those that are short.
_RANDOM: Final = 0.5
_SHORT: Final = 0.1


@dataclass(frozen=True)
class Pairs:
    """Makes the sequences of a text whose sentences and documents have these bounds.

    `sentences` are the numbers of their first tokens, `documents` those of their first sentences;
    both end with what is behind the last. `longest` is in tokens, special ones included.
    """

    sentences: Any
    documents: Any
    longest: int
    seed: int

    def sequences(self, *, between: int) -> Iterator[Sequence]:
        """Yield pairs, and packed sequences of what has no next sentence."""
        packer = Packer(self.longest, between)
        for number in range(len(self.documents) - 1):
            begin, end = int(self.documents[number]), int(self.documents[number + 1])
            first = begin
            while begin < end:
                middle, until = self._halves(begin, end)
                if middle is None:
                    start, stop = self._tokens(begin, until)
                    yield from packer.add(start, stop, begins=begin == first)
                    begin = until
                    continue
                pair = self._pair(number, begin, middle, until)
                yield pair
                begin = until if pair.label == FOLLOWS else middle
        yield from packer.close()

    def _halves(self, begin: int, end: int) -> tuple[int | None, int]:
        """Return the sentence with which the second half begins, and where it ends.

        The former is None for a sentence that is alone.
        """
        target = self._target(begin)
        until = begin + 1
        while until < end and self._size(begin, until) < target:
            until += 1
        if until - begin == 1:
            return None, until
        return begin + 1 + int(self._draw("half", begin) * (until - begin - 1)), until

    def _pair(self, number: int, begin: int, middle: int, until: int) -> Sequence:
        if len(self.documents) > 2 and self._draw("random", begin) < _RANDOM:
            label, (start, end) = RANDOM, self._elsewhere(number, begin, middle)
        else:
            label, (start, end) = FOLLOWS, self._tokens(middle, until)
        return self._trim(self._tokens(begin, middle), (start, end), label)

    def _elsewhere(self, number: int, begin: int, middle: int) -> tuple[int, int]:
        """Return the tokens of sentences of another document, about as many as there is room."""
        other = int(self._draw("document", begin) * (len(self.documents) - 2))
        other += other >= number
        first, end = int(self.documents[other]), int(self.documents[other + 1])
        first += int(self._draw("sentence", begin) * (end - first))
        room = self._target(begin) - self._size(begin, middle)
        until = first + 1
        while until < end and self._size(first, until) < room:
            until += 1
        return self._tokens(first, until)

    def _trim(self, one: tuple[int, int], two: tuple[int, int], label: int) -> Sequence:
        """Return a pair with the longer half cut: the first in front, the second at its end."""
        room = self.longest - FRAME
        sizes = [end - start for start, end in (one, two)]
        if sum(sizes) > room:
            half = room // 2
            sizes[0] = min(sizes[0], max(half, room - sizes[1]))
            sizes[1] = min(sizes[1], room - sizes[0])
        start, end = two[0], two[0] + sizes[1]
        return Sequence(one[1] - sizes[0], one[1], start, end, label, sum(sizes) + FRAME)

    def _target(self, begin: int) -> int:
        room = self.longest - FRAME
        if self._draw("short", begin) >= _SHORT:
            return room
        return 2 + int(self._draw("length", begin) * (room - 1))

    def _tokens(self, begin: int, end: int) -> tuple[int, int]:
        return int(self.sentences[begin]), int(self.sentences[end])

    def _size(self, begin: int, end: int) -> int:
        start, stop = self._tokens(begin, end)
        return stop - start

    def _draw(self, purpose: str, sentence: int) -> float:
        return draw(self.seed, f"next-sentence-{purpose}", str(sentence))
