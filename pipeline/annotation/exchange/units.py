"""Offsets in UTF-16 code units, as browsers count them, and in code points, as this project does.

A character beyond U+FFFF (an emoji, a rare hanja) is one code point and two code units.
"""

from __future__ import annotations

from typing import Final

from pipeline.annotation.exchange.parts import refused

_LAST: Final = "\uffff"


def length(text: str) -> int:
    """Return the length of a text in code units."""
    return len(text) + sum(letter > _LAST for letter in text)


def to_units(text: str, place: int) -> int:
    """Return the offset in code units of one in code points."""
    return length(text[:place])


def to_points(text: str, place: int) -> int:
    """Return the offset in code points of one in code units.

    Raises RecordError for an offset outside the text, or inside a pair of units.
    """
    if place < 0 or place > length(text):
        raise refused("offset", f"offset {place} is outside the text of {length(text)} code units")
    try:
        return len(text.encode("utf-16-le")[: 2 * place].decode("utf-16-le"))
    except UnicodeDecodeError:
        reason = f"offset {place} is inside a character of two code units"
        raise refused("offset", reason) from None
