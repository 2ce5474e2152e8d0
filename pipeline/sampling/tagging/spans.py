"""The spans that a tagger holds possible, beside the best ones, each with its score.

A tagger's best tags give one reading of a text. Where it is unsure of an end (a club and its city)
or of a name as such, other spans are nearly as likely; a task that can tell more of a span than the
tagger does chooses among all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, runtime_checkable

from pipeline.sampling.tagging.pieces import OUTSIDE, Run
from pipeline.sampling.tagging.registry import Mention, Tagger

#: The least score of a possible span.
LEAST: Final = 0.04
#: The most pieces of one.
_MOST_PIECES: Final = 14


@runtime_checkable
class SpanTagger(Tagger, Protocol):
    """A tagger that gives the possible spans of a text as well."""

    def spans(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the spans of every text with a score of LEAST or more, sorted; they may overlap.

        A score is the least marginal probability of a piece, given the type and both ends.
        """


def possible_runs(
    marginal: Callable[[str, int], float], length: int, labels: Sequence[str]
) -> Iterator[tuple[Run, float]]:
    """Yield the possible runs of `length` pieces; `marginal` is the probability of a tag there."""
    inside = [marginal(OUTSIDE, i) <= 1 - LEAST for i in range(length)]
    for first in range(length):
        for label in labels if inside[first] else ():
            if (alone := marginal(f"S-{label}", first)) >= LEAST:
                yield Run(first, first, label), alone
            least = marginal(f"B-{label}", first)
            for last in range(first + 1, min(first + _MOST_PIECES, length)):
                if least < LEAST or not inside[last]:
                    break
                if (score := min(least, marginal(f"E-{label}", last))) >= LEAST:
                    yield Run(first, last, label), score
                least = min(least, marginal(f"I-{label}", last))
