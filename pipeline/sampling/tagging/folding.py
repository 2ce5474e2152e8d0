"""Text as the tagger reads it, and the way back to places in the text as it is written.

KLUE-NER is NFKC with conjoining jamo, raw text is mostly NFC with compatibility jamo. Both are read
in one form: NFKC, with jamo that stand alone as compatibility jamo (ㅋㅋ).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

#: What is normalised together: a syllable spelt in jamo, or a character with its combining marks.
_TOGETHER: Final = re.compile(
    "[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|.[\u0300-\u036f]*", re.S
)


@dataclass(frozen=True)
class Folded:
    """A folded text, and for each of its characters where the original of it starts and ends."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the original of a span that is not empty."""
        return self.starts[start], self.ends[end - 1]

    def here(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the folded text of all that a span of the original touches."""
        inside = [i for i, at in enumerate(self.starts) if at < end and self.ends[i] > start]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)


def fold(text: str) -> Folded:
    """Return a text as the tagger reads it."""
    if text.isascii():
        return Folded(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for found in _TOGETHER.finditer(text):
        part = _one(found[0])
        parts.append(part)
        starts += [found.start()] * len(part)
        ends += [found.end()] * len(part)
    return Folded("".join(parts), tuple(starts), tuple(ends))


@lru_cache(maxsize=1 << 16)
def _one(part: str) -> str:
    folded = "".join(_alone().get(char, char) for char in unicodedata.normalize("NFKC", part))
    return folded.encode("utf-8", "replace").decode()  # half a surrogate pair becomes `?`


@cache
def _alone() -> dict[str, str]:
    """Return the compatibility jamo of each conjoining jamo that has one."""
    found = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in range(0x3131, 0x318F)}
    return {key: value for key, value in found.items() if len(key) == 1}
