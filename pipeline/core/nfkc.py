"""The compatibility form of text (NFKC) in time that grows with its length.

To bring n combining marks behind one letter into their order takes n² steps, in one call that
nothing interrupts: 200 kB of them take half a minute. So a long text is normalised in parts, cut
before blanks, with which nothing composes, or where no blank comes in `_LONGEST` characters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LONGEST: Final = 2_000
_PARTS: Final = re.compile(rf"(?s:.{{1,{_LONGEST}}}(?=\s|$)|.{{1,{_LONGEST}}})")


def nfkc(text: str) -> str:
    """Return a text in the form NFKC."""
    if len(text) <= _LONGEST or text.isascii():
        return unicodedata.normalize("NFKC", text)
    return "".join(unicodedata.normalize("NFKC", part) for part in _PARTS.findall(text))
