"""The parts of a street address: names by their level, numbers, and the units that go with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pipeline.pii.places import DISTRICTS, SPELLINGS

_DISTRICT: Final = "|".join(DISTRICTS)
#: Districts without their last syllable (경기 성남 분당구).
_STEM: Final = "|".join(
    sorted({d[:-1] for d in DISTRICTS if len(d) > 2}, key=lambda d: (-len(d), d))
)
_L: Final = r"[^\W\d]"
_KIND: Final = "아파트|빌라|빌딩|타워|맨션|오피스텔|연립|주택|상가|단지|센터|하우스"
# The first alternative that matches is a part; what follows is looked at so that a road whose name
# holds such a syllable (해군로, 압구정로, 개나리길, 동구로) stays whole.
_NAME: Final = re.compile(
    rf"""(?P<district>{_DISTRICT})(?!(?:대로|[동리로길가])\Z)
    |(?P<stem>{_STEM})(?={_DISTRICT})
    |(?P<other>[가-힣]{{2,3}}?[시군구])(?={_L}{{1,8}}[읍면동리로길가]|\Z)
    |(?P<town>[가-힣]{{1,4}}?[읍면])(?={_L}{{2}}|\Z)
    |(?P<block>[A-Za-z가나다라마바사]동)\Z
    |(?P<village>[가-힣]{{1,4}}?[동리로길가])(?=(?:{_L}{{1,12}}(?:{_KIND})|[A-Za-z]동)\Z)
    |(?P<dong>[가-힣]{{2,4}}?[동리])(?={_L}{{2,12}}[로길]\Z)
    |(?P<building>{_L}+?)(?=(?:{_KIND})\Z)
    |(?P<kind>{_KIND})\Z
    |(?P<road>{_L}+[동리로길가])\Z
    |(?P<rest>{_L}+)""",
    re.X,
)
#: A city without its last syllable right behind the region (경기 성남 수정로), not 강남대로.
_STEM_FIRST: Final = re.compile(rf"(?:{_STEM})(?=(?!대로){_L}+[읍면동리로길])(?={_L}{{2}})")
_DISTRICT_FIRST: Final = re.compile(_DISTRICT)
_LEVELLED: Final = frozenset({"district", "other", "town", "village", "dong", "road"})
#: Units behind a number, and words in front of one that name nothing.
_UNIT: Final = re.compile(r"번지|번[가나다라]?길|[가나다라마바사아]길|대로|[길로가층호동번리]")
_BEFORE_NUMBER: Final = re.compile(
    r"(?:지하|지상|본관|별관|번지|(?<=[읍면동리가로길호층])[산제])\Z"
)
_TOKEN: Final = re.compile(r"\d+|[^\W\d]+")


class Part(NamedTuple):
    """A piece of an address.

    `level` is the last syllable of a name (시, 군, 구, 읍, 면, 동, 리, 로, 길, 가), or one of:
    `stem` (a district without it), `block` (가동), `building`, `rest` (a name of no known level),
    `number`, and `kept` (a unit, which tells nothing).
    """

    level: str
    text: str


def split(canonical: str) -> tuple[str, list[Part]]:
    """Return the full name of the region of an address in canonical form ('' if none), and parts.

    Since canonical addresses have no blanks, all spellings of one address have the same parts.
    """
    region = next((full for full in SPELLINGS.values() if canonical.startswith(full)), "")
    return region, list(_parts(canonical[len(region) :], first=bool(region)))


def _parts(text: str, *, first: bool) -> Iterator[Part]:
    for token in _TOKEN.finditer(text):
        run, place = token[0], token.start()
        if run[0].isdigit():
            yield Part("number", run)
            continue
        unit = _UNIT.match(run) if place and text[place - 1].isdigit() else None
        if unit:
            yield Part("kept", unit[0])
            run = run[unit.end() :]
        yield from _run(run, first=first and not place)


def _run(run: str, *, first: bool) -> Iterator[Part]:
    """Split letters between numbers."""
    tail = _BEFORE_NUMBER.search(run)
    end = tail.start() if tail else len(run)
    names, place = run[:end], 0
    city = _STEM_FIRST.match(names) if first and not _DISTRICT_FIRST.match(names) else None
    if city:
        yield Part("stem", city[0])
        place = city.end()
    while place < len(names):
        found = _NAME.match(names, place)
        assert found is not None  # the last alternative takes any letter
        yield _part(str(found.lastgroup), found[0])
        place = found.end()
    if tail:
        yield Part("kept", tail[0])


def _part(group: str, text: str) -> Part:
    if group == "kind" or len(text) == 1:
        return Part("kept", text)
    return Part(text[-1] if group in _LEVELLED else group, text)
