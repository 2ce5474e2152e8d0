"""Masks for text and values that are shown to a person: nothing personal is ever shown in clear."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.detect import detect_text
from pipeline.pii.folding import fold

#: What the detector let pass for want of form or context, and could still be somebody's.
_LEFT_OVER: Final = (
    ("email", re.compile(r"[^\s@\[\]]{1,64}@[^\s@\[\]]{1,255}")),
    ("mention", re.compile(r"@\w{2,64}")),
    (
        "number",
        re.compile(
            r"(?<!\d)\d{2,6}(?:\s?[-./]\s?\d{2,7}|\s\d{2,7}){1,3}(?!\d)|(?<!\d)\d{9,}(?!\d)"
        ),
    ),
)


def mask(text: str) -> str:
    """Replace personal data by its type in brackets.

    Every hit counts, however unsure; then e-mails, mentions and long numbers that no rule knows: it
    would rather hide a date than show a telephone number.
    """
    folded = fold(text)
    parts, last = [], 0
    for hit in detect_text(text, minimum=0.0):
        parts += [_coarse(text[last : hit.start], folded[last : hit.start]), f"[{hit.type}]"]
        last = hit.end
    return "".join([*parts, _coarse(text[last:], folded[last:])])


def _coarse(text: str, folded: str) -> str:
    for kind, pattern in _LEFT_OVER:
        spans = [match.span() for match in pattern.finditer(folded)]
        for start, end in reversed(spans):
            text = f"{text[:start]}[{kind}]{text[end:]}"
            folded = f"{folded[:start]}[{kind}]{folded[end:]}"
    return text


def shape(value: str) -> str:
    """Return the form of a value without the value: every letter and digit becomes a star."""
    return re.sub(r"[^\W_]|_", "*", value)
