"""Names and dates as a knowledge base writes them, and as they stand in text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

#: Characters of the shortest and the longest name that is looked for in text.
SHORTEST: Final = 2
LONGEST: Final = 40
#: Characters of the longest value of a parameter; a longer one is prose or broken mark-up.
PROSE: Final = 2_000

_QUALIFIED: Final = re.compile(r"^(.*\S)\s*\(([^()]*)\)$")
_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）")
_BETWEEN: Final = re.compile(r"\s/\s|,(?!\d{3})|[;、，；\n·ㆍ]|\s→\s")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3})")
_AROUND: Final = " \t'\"“”‘’《》〈〉「」『』<>*-–—~"
_DATE: Final = re.compile(
    r"\+?(?P<y>\d{1,4})(?:년|[-./])(?:\s*(?P<m>\d{1,2})(?:월|[-./])?(?:\s*(?P<d>\d{1,2})일?)?)?"
    r"(?:T[\d:]+Z)?\.?"
)
_BARE_YEAR: Final = re.compile(r"\d{4}")
_BLANKS: Final = re.compile(r"\s+")


class Named(NamedTuple):
    """A name as it stands in text, and what stood in brackets behind it in a title ('' if none)."""

    name: str
    qualifier: str


def named(title: str) -> Named:
    """Return the name that a title gives: underscores are blanks, a qualifier is taken off.

    What follows two underscores numbers the parts of a page (``A_(B)__A__1``) and is cut off.
    """
    text = title.strip().strip("_").split("__")[0].replace("_", " ")
    text = _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()
    found = _QUALIFIED.match(text)
    name, qualifier = (found[1], found[2].strip()) if found else (text, "")
    return Named(name.strip(_AROUND), qualifier)


def pieces(value: str) -> list[str]:
    """Split a value that names several things, without what stands in brackets; in order, once."""
    bare = value
    while bare != (bare := _BRACKETS.sub(" ", bare)):
        pass
    found = (_BLANKS.sub(" ", piece).strip(_AROUND) for piece in _BETWEEN.split(bare))
    return list(dict.fromkeys(piece for piece in found if piece))


def dates(value: str) -> list[str]:
    """Return the dates that a value gives, in the form of Korean text: in full, and the year.

    ``1963-05-21`` gives 1963년 5월 21일 and 1963년; months and days out of range are left off.
    """
    found: list[str] = []
    for match in _DATE.finditer(value):
        year, month, day = (int(match[part] or 0) for part in ("y", "m", "d"))
        if not year:
            continue
        whole = f"{year}년"
        if 1 <= month <= 12:
            whole += f" {month}월"
            whole += f" {day}일" if 1 <= day <= 31 else ""
        found += [whole, f"{year}년"]
    return list(dict.fromkeys(found))


def key(text: str) -> str:
    """Return what two writings of a name have in common: letters without blanks, case or width.

    A text that is a date as a whole gives its Korean form; four digits alone are a year; the commas
    of numbers go.
    """
    clean = unicodedata.normalize("NFKC", text).strip()
    if _BARE_YEAR.fullmatch(clean):
        clean += "년"
    elif _DATE.fullmatch(clean):
        clean = next(iter(dates(clean)), clean)
    return _BLANKS.sub("", _THOUSANDS.sub("", clean)).casefold()


def is_name(text: str) -> bool:
    """Tell whether a text may be a name in a sentence: 2 to 40 characters, no address, no number.

    It holds at least two letters.
    """
    letters = sum(c.isalpha() for c in text)
    fits = len(text) <= LONGEST and letters >= SHORTEST
    return fits and "://" not in text and "\\" not in text


def surfaces(value: str, links: list[str]) -> Iterator[str]:
    """Yield the names in a value: the pages that it links to, its parts, and its dates; once."""
    found = [named(link).name for link in links]
    found += [*pieces(value), *dates(value)]
    yield from dict.fromkeys(name for name in found if name)
