"""Sentences that are too long for one, because a quotation mark or a bracket is never closed.

kss keeps together what stands within quotation marks and brackets, and so all that follows one that
its author forgot to close. Such text is cut again as if it had none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

Span = tuple[int, int]

#: Code points of the longest sentence that marks may keep together.
MAX_QUOTED: Final = 500
_MARKS: Final = str.maketrans(dict.fromkeys("\"'`“”‘’«»「」『』《》〈〉()[]{}<>（）［］", " "))
#: Marks that touch what is before them, and blanks (as kss strips them).
_GAP: Final = re.compile("([^\\s\u200b\u200c\u2060\ufeff]*)[\\s\u200b\u200c\u2060\ufeff]*")


def cut_long(text: str, cut: Callable[[str], list[Span]]) -> list[Span]:
    """Return the spans that `cut` makes of a text, and of the overlong ones their parts.

    A mark between two parts belongs to the one before if it touches it, else to the one behind.
    """
    return [
        part
        for start, end in cut(text)
        for part in (
            [(start, end)] if end - start <= MAX_QUOTED else _without_marks(text, start, end, cut)
        )
    ]


def _without_marks(text: str, start: int, end: int, cut: Callable[[str], list[Span]]) -> list[Span]:
    places = [start]
    for (_, last), (first, _) in pairwise(cut(text[start:end].translate(_MARKS))):
        gap = _GAP.match(text, start + last, start + first)
        places += [gap.end(1), gap.end()] if gap else []
    return list(pairwise([*places, end]))[::2]
