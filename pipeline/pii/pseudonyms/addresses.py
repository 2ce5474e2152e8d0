"""Street addresses by pattern: names of the same level, numbers of the same length."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from pipeline.pii.normal import digit
from pipeline.pii.places import METROPOLITAN, NAMES, PROVINCES, SPELLINGS, region
from pipeline.pii.pseudonyms.draw import Draw
from pipeline.pii.pseudonyms.forms import digits as put_digits

# The names in one run of Hangul, from the widest level to the narrowest: a city, a county or
# borough, a town, and a road or village. `rest` is what has no level.
_NAMES_ONLY: Final = (
    "(?P<시>[가-힣]{1,4}?시)?(?P<구>[가-힣]{1,4}?[군구])?(?P<면>[가-힣]{1,4}?[읍면])?"
    "(?P<로>[가-힣]{1,8}[동리로길가])?"
)
_WHOLE: Final = re.compile(_NAMES_ONLY)
_WITH_REST: Final = re.compile(_NAMES_ONLY + "(?P<rest>[가-힣]*)")
_BUILDING: Final = re.compile(
    r"[가-힣]+(?=(?:아파트|빌라|빌딩|타워|맨션|오피스텔|연립|주택|상가|단지|센터|하우스)\Z)"
)
_WORD: Final = re.compile(r"[가-힣]+")
_UNIT: Final = re.compile(r"번지|번길|[가나다라]길|길|가|층|호|동|번|리")
_KEPT: Final = ("지하", "지상", "본관", "별관", "본동", "번지")
_NUMBER: Final = re.compile(r"\d+")
_BUILDINGS: Final = (
    "한빛",
    "푸른",
    "은하",
    "햇살",
    "무지개",
    "소나무",
    "샛별",
    "달빛",
    "늘봄",
    "새봄",
)


def address(text: str, draw: Draw) -> str:
    """Return an address with other names and numbers; blanks, marks and units stay.

    Names come from lists of real ones of the same level (province, city, county, borough, town,
    road ...), so that together they seldom name a place that exists; buildings get a made-up name;
    numbers are drawn anew with as many digits. The draw for a part depends on its level, not on
    blanks.
    """
    head, rest = _region(text, draw.fork("region"))
    counts: Counter[str] = Counter()
    drawn = _WORD.sub(lambda match: _word(match, draw, counts), rest)
    numbers = draw.fork("numbers")
    return head + _NUMBER.sub(lambda match: _number(match[0], numbers), drawn)


def _region(text: str, draw: Draw) -> tuple[str, str]:
    """Replace the region at the head by another of its kind in the same spelling."""
    start = len(text) - len(text.lstrip())
    spelt = region(text[start:])
    if not spelt:
        return text[:start], text[start:]
    full = SPELLINGS[spelt]
    regions = METROPOLITAN if full in METROPOLITAN.values() else PROVINCES
    short = draw.pick([s for s, name in regions.items() if name != full and s != "세종"])
    if len(spelt) == 2:
        new = short
    elif spelt == full or regions is PROVINCES:
        new = regions[short]
    else:
        new = f"{short}시"
    return text[:start] + new, text[start + len(spelt) :]


def _word(match: re.Match[str], draw: Draw, counts: Counter[str]) -> str:
    """Replace the names in one run of Hangul; a unit behind a number stays."""
    word, text = match[0], match.string
    behind_number = match.start() and digit(text[match.start() - 1])
    unit = _UNIT.match(word) if behind_number else None
    kept, word = (unit[0], word[unit.end() :]) if unit else ("", word)
    if not word or word in _KEPT:
        return kept + word
    before_number = bool(digit(text[match.end() : match.end() + 1]))
    return kept + _names(word, draw, counts, before_number=before_number)


def _names(word: str, draw: Draw, counts: Counter[str], *, before_number: bool) -> str:
    building = _BUILDING.match(word)
    if building:
        return draw.fork("building").other(_BUILDINGS, building[0]) + word[building.end() :]
    found = _WHOLE.fullmatch(word) or _WITH_REST.fullmatch(word)
    parts = found.groupdict("") if found else {"rest": word}
    rest = parts.pop("rest", "")
    if len(rest) > 1 and before_number:
        rest = draw.fork("stem").other(NAMES["가"], rest)
    return "".join(_name(part, draw, counts) for part in parts.values() if part) + rest


def _name(old: str, draw: Draw, counts: Counter[str]) -> str:
    level = old[-1]
    counts[level] += 1
    return draw.fork(f"{level}{counts[level]}").other(NAMES[level], old)


def _number(old: str, draw: Draw) -> str:
    return put_digits(
        old, draw.digits(len(old), first="0" if digit(old[0]) == "0" else "123456789")
    )
