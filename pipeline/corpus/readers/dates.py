"""Dates as corpora write them, to ISO dates."""

from __future__ import annotations

import datetime
import re
from typing import Final

_COMPACT: Final = re.compile(r"(\d{4})(\d{2})(\d{2})(?:\d{4}|\d{6}|T.*)?", re.DOTALL)
_SEPARATED: Final = re.compile(
    r"(\d{4})\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})(?!\d).*", re.DOTALL
)
_SHORT: Final = re.compile(r"(\d{2})\.(\d{2})\.(\d{2})\.?")


def iso(text: str) -> str | None:
    """Return the ISO date (YYYY-MM-DD) that a text begins with, or None.

    Understands ``2017-09-21``, ``2017.09.21. 오후 5:09``, ``2017-09-21 17:09:00``, ``2017/9/21``,
    ``2017년 9월 21일``, ``20170921``, ``20170921170900`` and RFC 3339. The day is taken as written:
    no time zone is applied.
    """
    stripped = text.strip()
    return _checked(_COMPACT.fullmatch(stripped) or _SEPARATED.fullmatch(stripped))


def short_year(text: str) -> str | None:
    """Return the ISO date of ``YY.MM.DD`` in the years 2000 to 2099, or None."""
    return _checked(_SHORT.fullmatch(text.strip()), century=2000)


def _checked(match: re.Match[str] | None, *, century: int = 0) -> str | None:
    if match is None:
        return None
    year, month, day = (int(part) for part in match.groups())
    try:
        return datetime.date(century + year, month, day).isoformat()
    except ValueError:
        return None
