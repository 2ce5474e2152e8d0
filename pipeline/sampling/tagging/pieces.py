"""Text as the tagger reads it: folded, cut into pieces, and tagged piece by piece.

KLUE-NER is NFKC with conjoining jamo, raw text is mostly NFC with compatibility jamo. Both are read
in one form: NFKC, with jamo that stand alone as compatibility jamo (ㅋㅋ).

Pieces are morphemes, cut where the boundary of a name often falls inside one. KLUE-NER tags
characters, because names end inside words of the text (eojeol). Nearly all end where a morpheme
does: of the 14,257 entities of the official development set 2.3 % do not, most of them because
mecab takes signs together (`%)`) or a surname with what follows it (박씨, 김모). These are cut, and
the rest is the price of tagging morphemes: a sequence half as long, each unit of which tells more.

Tags of pieces: B- begins, I- goes on, E- ends an entity, S- is one alone, O is outside.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from pipeline.core.morphology import morphemes

#: What is normalised together: a syllable spelt in jamo, or a character with its combining marks.
_TOGETHER: Final = re.compile(
    "[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|.[\u0300-\u036f]{,30}", re.S
)
#: The compatibility jamo of each conjoining jamo that has one.
_COMPATIBILITY: Final = {
    ord(plain): chr(code)
    for code in range(0x3131, 0x318F)
    if len(plain := unicodedata.normalize("NFKC", chr(code))) == 1
}
#: Tags of signs that keep together: Latin letters, digits, Hanja.
_WORDS: Final = frozenset({"SL", "SN", "SH"})
OUTSIDE: Final = "O"


@dataclass(frozen=True)
class Folded:
    """A folded text, and for each of its characters where the original of it starts and ends."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the original of a span that is not empty."""
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Return a text as the tagger reads it."""
    if text.isascii():
        return Folded(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _TOGETHER.finditer(text):
        part = _fold_part(match[0])
        parts.append(part)
        starts += [match.start()] * len(part)
        ends += [match.end()] * len(part)
    return Folded("".join(parts), tuple(starts), tuple(ends))


@lru_cache(maxsize=1 << 16)
def _fold_part(part: str) -> str:
    folded = unicodedata.normalize("NFKC", part).translate(_COMPATIBILITY)
    return folded.encode("utf-8", "replace").decode()  # half a surrogate pair becomes `?`


class Piece(NamedTuple):
    """A morpheme or a part of one: its form, tag, place in code points and class of name.

    `whole` tells a morpheme from a part; `joined` that no blank stands before it.
    """

    form: str
    tag: str
    start: int
    end: int
    meaning: str
    whole: bool
    joined: bool


def pieces(text: str) -> list[Piece]:
    """Return the pieces of a folded text, in order; blanks are in none."""
    result: list[Piece] = []
    for m in morphemes(text):
        cuts = [m.start, m.end]
        if m.tag[0] == "S" and m.tag not in _WORDS:
            cuts = list(range(m.start, m.end + 1))
        # What follows a surname of one syllable or a number: 박씨, 김모, 부측, 이틀여, 분경.
        elif m.tag[0] == "N" and len(m.form) == 2 and m.form[1] in "씨모측여경":
            cuts = [m.start, m.start + 1, m.end]
        for start, end in pairwise(cuts):
            joined = bool(result) and result[-1].end == start
            whole = (start, end) == (m.start, m.end)
            result.append(Piece(text[start:end], m.tag, start, end, m.meaning, whole, joined))
    return result


class Run(NamedTuple):
    """The pieces from `first` to `last`, both included, that make one entity of a type."""

    first: int
    last: int
    label: str


def decode(tags: Sequence[str]) -> list[Run]:
    """Return the entities that tags stand for, in order, whatever the tags.

    An entity ends with E- or S-, where the type changes and before the next B- or S-; one that
    begins with I- or E- is taken as it stands.
    """
    runs: list[Run] = []
    is_open = False
    for i, tag in enumerate(tags):
        kind, _, label = tag.partition("-")
        if kind in {"I", "E"} and is_open and runs[-1].label == label:
            runs[-1] = runs[-1]._replace(last=i)
        elif tag != OUTSIDE:
            runs.append(Run(i, i, label))
        is_open = kind in {"B", "I"}
    return runs
