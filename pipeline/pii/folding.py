"""Look-alike characters to plain ones, one code point for one, so that offsets stay as they are."""

from __future__ import annotations

import re
from typing import Final

_DASHES: Final = "‐‑‒–—―−﹣－─━ㅡー˗⁃"
_DOTS: Final = "．。"
_MIDDLE_DOTS: Final = "‧・∙•ㆍ･"
_BLANKS: Final = (
    "\t\u00a0\u00ad\u1680\u180e\u200b\u200c\u200d\u202f\u205f\u2060\u3000\ufeff"
    + "".join(chr(c) for c in range(0x2000, 0x200B))
)
_FULL_WIDTH: Final = {c: chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)}

_TABLE: Final = {
    **_FULL_WIDTH,
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, _DOTS), "."),
    **dict.fromkeys(map(ord, _MIDDLE_DOTS), "·"),
    **dict.fromkeys(map(ord, _BLANKS), " "),
    ord("﹫"): "@",
}
#: What is worth a translation: most texts hold none of it.
_FOLDED: Final = re.compile(f"[{re.escape(''.join(map(chr, _TABLE)))}]")


def fold(text: str) -> str:
    """Return the text with full-width forms, dashes, dots and blanks made plain.

    The result has as many code points as `text`. Circled and superscript digits stay: they number
    lists and units, they do not spell numbers.
    """
    return text.translate(_TABLE) if _FOLDED.search(text) else text


def spellings(plain: str) -> str:
    """Return every character that folds to one of `plain`, for a character class of RE2."""
    found = [*plain, *(chr(c) for c, to in _TABLE.items() if to in plain)]
    return "".join(f"\\x{{{ord(c):x}}}" for c in sorted(set(found)))
