"""What a tagger of named entities is, and a mention that it finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

#: The six types of KLUE-NER (Section 3.4.1), which the taggers that come with the project give.
TYPES: Final = ("PS", "LC", "OG", "DT", "TI", "QT")
#: Decimals of a score.
DECIMALS: Final = 6


class Mention(NamedTuple):
    """A named entity in a text: code points, end exclusive; its type; a score in [0, 1]."""

    start: int
    end: int
    label: str
    score: float


class Tagger(Protocol):
    """What finds named entities in texts."""

    @property
    def name(self) -> str:
        """The tagger as it was asked for."""

    @property
    def digest(self) -> str:
        """The SHA-256 of what decides its mentions besides code; enters fingerprints."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The types it may give."""

    def tag(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of every text, in order: sorted, without overlap, as it is written.

        They depend on the text alone, never on what stands beside it. Scores are rounded to 1e-6.
        Callers ask through `pipeline.sampling.tagging.checked`, which trusts none of this.
        """
