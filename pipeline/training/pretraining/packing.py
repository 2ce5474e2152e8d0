"""Sequences of consecutive sentences: as many as fit, across documents.

Source: Liu et al. 2019, Section 4.2 (full sentences).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

#: The tokens around a sequence: one before, one behind.
FRAME: Final = 2
#: What stands for the label of a sequence that has no next sentence.
NO_LABEL: Final = -100


class Sequence(NamedTuple):
    """A sequence of one or two stretches of tokens, from the first to behind the last.

    `label` is 0 where the second stretch follows the first in the text, 1 where it is of another
    document; `length` counts the special tokens too.
    """

    start: int
    end: int
    next_start: int = 0
    next_end: int = 0
    label: int = NO_LABEL
    length: int = 0


@dataclass
class Packer:
    """Fills sequences with sentences as they come; `add` and `close` yield those that are full.

    `between` is how many special tokens stand between two documents. A sentence that does not
    follow the one before in the text begins a sequence.
    """

    longest: int
    between: int
    _start: int = field(default=0, init=False)
    _end: int = field(default=0, init=False)
    _used: int = field(default=0, init=False)

    def add(self, start: int, end: int, *, begins: bool) -> Iterator[Sequence]:
        """Add the sentence of these tokens; `begins` says that a document begins with it."""
        more = end - start + (self.between if begins else 0)
        if self._used and (start != self._end or self._used + more > self.longest):
            yield from self.close()
        if not self._used:
            self._start, self._used, more = start, FRAME, end - start
        self._used += more
        self._end = end

    def close(self) -> Iterator[Sequence]:
        """Yield the sequence in hand, if there is one."""
        if self._used:
            yield Sequence(self._start, self._end, length=self._used)
        self._used = 0


def pack(
    sentences: Iterable[tuple[int, int, bool]], *, longest: int, between: int
) -> Iterator[Sequence]:
    """Yield sequences of at most `longest` tokens: (first token, end, whether a document begins).

    A sentence has at most `longest - FRAME` tokens.
    """
    packer = Packer(longest, between)
    for start, end, begins in sentences:
        yield from packer.add(start, end, begins=begins)
    yield from packer.close()
