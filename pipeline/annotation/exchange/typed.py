"""Parts that a tool has no control for, as JSON in a text field.

spans    [{"start": 0, "end": 2, "label": "OG"}], offsets in code points
words    ["그 는", "노래 를"]: one text a word
arcs     [{"head": 2, "deprel": "NP_SBJ"}]: one a word, head 0 is the root
turns    [{"role": "user", "text": "...", "state": ["숙소-지역-서울 중앙"]}]
"""

from __future__ import annotations

import json
from typing import Any, Final

from pipeline.annotation.exchange.parts import Part, PartKind, refused
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
