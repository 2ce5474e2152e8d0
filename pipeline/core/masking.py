"""Masks for text that is shown to a person: what could identify someone is never shown in clear."""

from __future__ import annotations

import re

_PERSONAL = (
    ("e-mail", re.compile(r"[\w.+-]{1,64}[@＠][\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")),
    ("address", re.compile(r"(?:https?://|www\.)\S+")),
    ("address", re.compile(r"[\w-]{1,63}\.(?:com|net|org|kr|me|io|tv|be)\b(?:/\S*)?", re.ASCII)),
    ("mention", re.compile(r"(?<![\w@])[@＠]\w{2,}")),
    (
        "number",
        re.compile(
            r"(?<!\d)\d{2,6}(?:\s?[-‐‑‒–—－.·/\s]\s?\d{2,7}){1,3}(?!\d)|(?<!\d)\d{9,}(?!\d)"
        ),
    ),
)


_AT = re.compile("[@＠]")


def mask(text: str) -> str:
    """Replace e-mail and web addresses, mentions and long numbers by their kind in brackets.

    A coarse mask for display: it would rather hide a date than show a telephone number.
    """
    for kind, pattern in _PERSONAL:
        if kind not in {"e-mail", "mention"} or _AT.search(text):
            text = pattern.sub(f"[{kind}]", text)
    return text
