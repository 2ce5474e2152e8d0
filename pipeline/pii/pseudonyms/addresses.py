"""Street addresses by pattern: names of the same level, numbers of the same length."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from pipeline.pii.folding import fold
from pipeline.pii.normal import normal
from pipeline.pii.places import METROPOLITAN, NAMES, PROVINCES, SPELLINGS
from pipeline.pii.pseudonyms.address_parts import Part, split
from pipeline.pii.pseudonyms.draw import DIGITS, NOT_ZERO, Draw
from pipeline.pii.pseudonyms.forms import digits as put_digits

#: Made-up names of buildings, and of what has no known level.
_BUILDINGS: Final = (
    *("한빛", "푸른", "은하", "햇살", "무지개"),
    *("소나무", "샛별", "달빛", "늘봄", "새봄"),
)
_BLOCKS: Final = (tuple("ABCDEFGH"), tuple("가나다라마바사"))
_REGIONS: Final = (*METROPOLITAN, *PROVINCES)
_STEMS: Final = tuple(name[:-1] for name in NAMES["시"] if len(name) == 3)
_LETTERS: Final = re.compile(r"[^\W\d_]+")


class _Drawn(NamedTuple):
    """A part and what takes its place."""

    part: Part
    new: str


def address(text: str, draw: Draw) -> str | None:
    """Return an address with other names and numbers; blanks, marks and units stay.

    Names come from lists of real ones of the same level (province, city, county, borough, town,
    road ...), so that together they seldom name a place that exists; buildings, and names of no
    known level, get a made-up name; every number becomes another one of as many digits. All is
    drawn for the canonical address, so that spellings with and without blanks agree. None when a
    word of the original would stay: draw again.
    """
    key = normal("address", text)
    region, parts = split(key)
    drawn = _drawn(region, parts, draw)
    if drawn is None:
        return None
    short, names = drawn
    plain = _written(key, region, short, names)
    made = _written(text, region, short, names)
    same = normal("address", made) == normal("address", plain)
    return made if same else plain


def _drawn(region: str, parts: list[Part], draw: Draw) -> tuple[str, list[_Drawn]] | None:
    """Draw the short name of another region, and every part; None when a word would stay."""
    whole = "".join(part.text for part in parts)
    short = _region(region, whole, draw.fork("region"))
    new = list(_new(parts, short, _pairs(whole), draw))
    made = short + "".join(new)
    if "" in new or any(word in made for word in _words(region, parts)):
        return None
    return short, [_Drawn(part, name) for part, name in zip(parts, new, strict=True)]


def _new(parts: list[Part], region: str, taken: set[str], draw: Draw) -> Iterator[str]:
    """Yield what takes the place of each part and has no pair of letters of `taken`, else ''."""
    numbers, counts = draw.fork("numbers"), Counter[str]()
    for i, (level, text) in enumerate(parts):
        counts[level] += 1
        if level in ("number", "kept"):
            yield text if level == "kept" else _number(text, numbers)
            continue
        choices = [name for name in _choices(parts, i, region) if not _pairs(name) & taken]
        yield draw.fork(f"{level}{counts[level]}").pick(choices) if choices else ""


def _words(region: str, parts: list[Part]) -> set[str]:
    """Return what must not stay: the names, with and without their last syllable."""
    names = {part.text for part in parts if part.level not in ("kept", "number", "block")}
    stems = {name[:-1] for name in names} | {name.removesuffix("대로") for name in names}
    spelt = {spelling for spelling, full in SPELLINGS.items() if region and full == region}
    return {word for word in names | stems | spelt if len(word) > 1}


def _pairs(text: str) -> set[str]:
    """Return every two letters that stand together."""
    runs = _LETTERS.findall(text)
    return {run[i : i + 2] for run in runs for i in range(len(run) - 1)}


def _region(full: str, names: str, draw: Draw) -> str:
    """Draw another region of the same kind, '' where there is none."""
    if not full:
        return ""
    kind = METROPOLITAN if full in METROPOLITAN.values() else PROVINCES
    others = [short for short, name in kind.items() if name != full and short != "세종"]
    return draw.pick([short for short in others if short not in names] or others)


def _choices(parts: list[Part], i: int, region: str) -> list[str]:
    """Return the names for a part that cannot be read as, or together with, that of a region."""
    found = [name for name in _names(parts, i) if not name.startswith(_REGIONS)]
    if i == 0 and region:  # 경기 + 도봉구 would be read as 경기도 + 봉구
        found = [name for name in found if name[0] not in "도시"]
    return found


def _names(parts: list[Part], i: int) -> tuple[str, ...]:
    level, text = parts[i]
    following = parts[i + 1].level if i + 1 < len(parts) else ""
    if level == "block":
        letters = next((letters for letters in _BLOCKS if text[0] in letters), _BLOCKS[0])
        return tuple(f"{letter}동" for letter in letters if letter != text[0].upper())
    if level == "stem":
        return _STEMS
    if level == "rest" and following == "number":
        unit = parts[i + 2].text[-1] if i + 2 < len(parts) else ""
        numbered = NAMES[unit] if unit in ("동", "로", "리", "길") else ()
        return tuple(n[:-1] for n in numbered if len(n) > 2) or NAMES["가"]
    return NAMES.get(level, _BUILDINGS)


def _number(old: str, draw: Draw) -> str:
    first = "0" if old[0] == "0" and len(old) > 1 else NOT_ZERO if len(old) > 1 else DIGITS[1:]
    while True:
        new = draw.digits(len(old), first=first)
        if new != old:
            return new


def _written(text: str, region: str, short: str, drawn: list[_Drawn]) -> str:
    """Put a drawn address in the place of the old one, whose blanks and marks stay."""
    plain = fold(text)
    places = [i for i, char in enumerate(plain) if char.isalnum()]
    size = len(places) - sum(len(part.text) for part, _ in drawn)
    if not places or size < 0:
        return text
    start, end = places[0], places[size - 1] + 1 if size else places[0]
    head = _spelt(plain[start:end], region, short)
    return text[:start] + head + "".join(_pieces(text, end, places[size:], drawn))


def _pieces(text: str, end: int, places: list[int], drawn: list[_Drawn]) -> Iterator[str]:
    """Yield what stands between the parts, and what takes their places."""
    for part, new in drawn:
        mine, places = places[: len(part.text)], places[len(part.text) :]
        yield text[end : mine[0]]
        end = mine[-1] + 1
        old = text[mine[0] : end]
        if part.level == "number":
            yield put_digits(old, new)
        else:
            yield old if part.level == "kept" else new
    yield text[end:]


def _spelt(old: str, full: str, short: str) -> str:
    """Write a region as the old one was written: short, with 시, or in full."""
    if not full:
        return ""
    regions = METROPOLITAN if full in METROPOLITAN.values() else PROVINCES
    if len(old) == 2:
        return short
    return regions[short] if old == full or regions is PROVINCES else f"{short}시"
