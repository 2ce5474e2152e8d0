"""Names and dates: from the form in knowledge bases to the form in text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

#: Characters of the shortest and the longest name.
SHORTEST: Final = 2
LONGEST: Final = 40

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


class Title(NamedTuple):
    """The name in a title, as in text, and the qualifier in brackets behind it ('' if none)."""

    name: str
    qualifier: str


def split_title(title: str) -> Title:
    """Split a title into name and qualifier; underscores are blanks.

    Text after two underscores numbers the parts of a page (``A_(B)__A__1``) and is cut off.
    """
    text = title.strip().strip("_").split("__")[0].replace("_", " ")
    text = _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()
    match = _QUALIFIED.match(text)
    name, qualifier = (match[1], match[2].strip()) if match else (text, "")
    return Title(name.strip(_AROUND), qualifier)


def pieces(value: str) -> list[str]:
    """Split a value that names several things, without brackets; in order, each once."""
    bare = value
    while bare != (bare := _BRACKETS.sub(" ", bare)):
        pass
    names = (_BLANKS.sub(" ", piece).strip(_AROUND) for piece in _BETWEEN.split(bare))
    return list(dict.fromkeys(name for name in names if name))


def dates(value: str) -> list[str]:
    """Return the dates in a value in the form of Korean text: in full, and the year.

    ``1963-05-21`` gives 1963년 5월 21일 and 1963년; months and days out of range are left off.
    """
    written: list[str] = []
    for match in _DATE.finditer(value):
        year, month, day = (int(match[part] or 0) for part in ("y", "m", "d"))
        if not year:
            continue
        date = f"{year}년"
        if 1 <= month <= 12:
            date += f" {month}월"
            date += f" {day}일" if 1 <= day <= 31 else ""
        written += [date, f"{year}년"]
    return list(dict.fromkeys(written))


def key_of(text: str) -> str:
    """Return the key of a name, the same for all its spellings: without blanks, case or width.

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
    """Yield the names in a value: linked pages, its parts, and its dates; each once."""
    names = [split_title(link).name for link in links]
    names += [*pieces(value), *dates(value)]
    yield from dict.fromkeys(name for name in names if name)
