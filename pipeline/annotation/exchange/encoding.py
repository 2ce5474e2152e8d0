"""Values of parts that a tool has no control for, as JSON in a text field, and UTF-16 offsets."""

from __future__ import annotations

import json
from typing import Any, Final

from pipeline.annotation.exchange.answer_parts import Part, PartKind, refused
from pipeline.core.jsontext import parsed

#: What an annotator is told to write, by the kind of the part.
FORMS: Final[dict[PartKind, str]] = {
    "spans": 'JSON: [{"start": 0, "end": 2, "label": "OG"}]',
    "words": 'JSON, 어절마다 하나: ["그 는", "노래 를"]',
    "arcs": 'JSON, 어절마다 하나, 뿌리는 0: [{"head": 2, "deprel": "NP_SBJ"}]',
    "turns": 'JSON: [{"role": "user", "text": "...", "state": ["숙소-지역-서울 중앙"]}]',
}
_KEYS: Final[dict[PartKind, frozenset[str]]] = {
    "spans": frozenset({"start", "end", "label"}),
    "arcs": frozenset({"head", "deprel"}),
    "turns": frozenset({"role", "text"}),
}


def to_text(value: Any) -> str:
    """Return the text of the value of a part: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def from_text(part: Part, text: str) -> Any:
    """Return the value of a part that a text holds; raises RecordError for no such value."""
    if part.kind == "choice":
        return text.strip() or None
    if part.kind == "text":
        return text if text.strip() else None
    try:
        value = parsed(text)
    except (ValueError, RecursionError):
        raise refused("form", f"{part.name!r} is not JSON; allowed: {_form(part)}") from None
    if part.kind == "number":
        return value
    if not isinstance(value, list) or not all(_fits(part.kind, one) for one in value):
        raise refused("form", f"{part.name!r} is not of its form; allowed: {_form(part)}")
    return value


def _form(part: Part) -> str:
    return FORMS.get(part.kind, "a number")


def _fits(kind: PartKind, one: Any) -> bool:
    if kind == "words":
        return isinstance(one, str)
    if not isinstance(one, dict) or not _KEYS[kind] <= set(one):
        return False
    return kind != "spans" or all(type(one[key]) is int for key in ("start", "end"))


_LAST: Final = "\uffff"


def utf16_length(text: str) -> int:
    """Return the length of a text in code units."""
    return len(text) + sum(letter > _LAST for letter in text)


def to_utf16(text: str, place: int) -> int:
    """Return the offset in code units of one in code points."""
    return utf16_length(text[:place])


def from_utf16(text: str, place: int) -> int:
    """Return the offset in code points of one in code units.

    Raises RecordError for an offset outside the text, or inside a pair of units.
    """
    if place < 0 or place > utf16_length(text):
        raise refused(
            "offset", f"offset {place} is outside the text of {utf16_length(text)} code units"
        )
    try:
        return len(text.encode("utf-16-le")[: 2 * place].decode("utf-16-le"))
    except UnicodeDecodeError:
        reason = f"offset {place} is inside a character of two code units"
        raise refused("offset", reason) from None
