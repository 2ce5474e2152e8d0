"""Offsets of tools that count UTF-16 code units."""

from __future__ import annotations

from pipeline.annotation.exchange.answer_parts import exchange_fault


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def from_utf16(text: str, place: int) -> int:
    """Return the offset in code points of one in code units.

    Raises RecordError for an offset outside the text, or inside a pair of units.
    """
    length = utf16_length(text)
    if not 0 <= place <= length:
        raise exchange_fault("offset", f"offset {place} is outside the text of {length} code units")
    try:
        return len(text.encode("utf-16-le")[: 2 * place].decode("utf-16-le"))
    except UnicodeDecodeError:
        raise exchange_fault(
            "offset", f"offset {place} is inside a character of two code units"
        ) from None
