"""Masks for text and values that are shown to a person: nothing personal is ever shown in clear."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.detect import detect_text
from pipeline.pii.folding import fold

#: What the detector let pass for want of form or context, and could still be somebody's.
_LEFT_OVER: Final = re.compile(
    r"(?P<email>[^\s@\[\]]{1,64}@[^\s@\[\]]{1,255})|(?P<mention>@\w{2,64})"
    r"|(?P<number>(?<![0-9])[A-Za-z]{0,2}[0-9](?:[\W_]{0,3}[0-9]){6,63})"
)


def mask(text: str) -> str:
    """Replace personal data by its type in brackets.

    Every hit counts, however unsure; then e-mails and mentions that no rule knows, and seven digits
    or more with nothing but marks between: it would rather hide a date than show a number.
    """
    folded = fold(text)
    parts, last = [], 0
    for hit in detect_text(text, minimum=0.0):
        parts += [_coarse(text, folded, last, hit.start), f"[{hit.type}]"]
        last = hit.end
    return "".join([*parts, _coarse(text, folded, last, len(text))])


def _coarse(text: str, folded: str, start: int, end: int) -> str:
    """Mask what is left of the text from `start` to `end`."""
    parts, last = [], start
    for match in _LEFT_OVER.finditer(folded, start, end):
        parts += [text[last : match.start()], f"[{match.lastgroup}]"]
        last = match.end()
    return "".join([*parts, text[last:end]])


def shape(value: str) -> str:
    """Return the form of a value without the value: every letter and digit becomes a star."""
    return re.sub(r"[^\W_]|_", "*", value)
