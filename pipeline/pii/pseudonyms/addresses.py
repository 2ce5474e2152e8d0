"""Pseudonyms of street addresses: names of the same level, numbers of the same length."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from pipeline.pii.key import DIGITS, NOT_ZERO, Draw
from pipeline.pii.korea import DISTRICTS, METROPOLITAN, NAMES, PROVINCES, SPELLINGS, STEMS
from pipeline.pii.normal import fold, normal
from pipeline.pii.pseudonyms.forms import digits as put_digits

_DISTRICT: Final = "|".join(DISTRICTS)
_STEM: Final = "|".join(STEMS)
_L: Final = r"[^\W\d]"
_KIND: Final = "아파트|빌라|빌딩|타워|맨션|오피스텔|연립|주택|상가|단지|센터|하우스"
_BLOCK: Final = "[A-Za-z가나다라마바사]동"
# The first alternative that matches is a part; what follows is looked at so that a road whose name
# holds such a syllable (해군로, 압구정로, 개나리길, 동구로) stays whole.
_NAME: Final = re.compile(
    rf"""(?P<district>{_DISTRICT})(?!(?:대로|[동리로길가])\Z)
    |(?P<stem>{_STEM})(?={_DISTRICT})
    |(?P<other>[가-힣]{{2,3}}?[시군구])(?={_L}{{1,8}}[읍면동리로길가]|\Z)
    |(?P<town>[가-힣]{{1,4}}?[읍면])(?={_L}{{2}}|\Z)
    |(?P<block>{_BLOCK})\Z
    |(?P<village>[가-힣]{{1,4}}?[동리로길가])(?=(?:{_L}{{1,12}}(?:{_KIND})|[A-Za-z]동)\Z)
    |(?P<dong>[가-힣]{{2,4}}?[동리])(?={_L}{{2,12}}[로길]\Z)
    |(?P<building>{_L}+?)(?=(?:{_KIND})(?:{_BLOCK})?\Z)
    |(?P<kind>{_KIND})(?=(?:{_BLOCK})?\Z)
    |(?P<road>{_L}+[동리로길가])\Z
    |(?P<rest>{_L}+)""",
    re.X,
)
#: A city without its last syllable right behind the region (경기 성남 수정로), not 강남대로.
_STEM_FIRST: Final = re.compile(rf"(?:{_STEM})(?=(?!대로){_L}+[읍면동리로길])(?={_L}{{2}})")
#: Groups of `_NAME` whose last syllable is their level.
_LEVELLED: Final = frozenset({"district", "other", "town", "village", "dong", "road"})
#: Units behind a number, and words in front of one that name nothing.
_UNIT: Final = re.compile(
    rf"(?!{_BLOCK}\Z)(?:번지|번[가나다라]?길|[가나다라마바사아]길|대로|[길로가층호동번리])"
)
_BEFORE_NUMBER: Final = re.compile(
    r"(?:지하|지상|본관|별관|번지|(?<=[읍면동리가로길호층])[산제])\Z"
)


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
    for token in re.finditer(r"\d+|[^\W\d]+", text):
        run, place = token[0], token.start()
        if run[0].isdigit():
            yield Part("number", run)
            continue
        unit = _UNIT.match(run) if place and text[place - 1].isdigit() else None
        if unit:
            yield Part("kept", unit[0])
            run = run[unit.end() :]
        yield from _names(run, first=first and not place)


def _names(run: str, *, first: bool) -> Iterator[Part]:
    tail = _BEFORE_NUMBER.search(run)
    end = tail.start() if tail else len(run)
    names, place = run[:end], 0
    city = _STEM_FIRST.match(names) if first and not re.match(_DISTRICT, names) else None
    if city:
        yield Part("stem", city[0])
        place = city.end()
    while place < len(names):
        match = _NAME.match(names, place)
        assert match is not None  # the last alternative takes any letter
        group, text, place = str(match.lastgroup), match[0], match.end()
        kept = group == "kind" or len(text) == 1
        yield Part("kept" if kept else text[-1] if group in _LEVELLED else group, text)
    if tail:
        yield Part("kept", tail[0])


#: Made-up names of buildings, and of what has no known level.
_BUILDINGS: Final = (
    *("한빛", "푸른", "은하", "햇살", "무지개"),
    *("소나무", "샛별", "달빛", "늘봄", "새봄"),
)
_BLOCKS: Final = (tuple("ABCDEFGH"), tuple("가나다라마바사"))
_REGIONS: Final = (*METROPOLITAN, *PROVINCES)
_STEMS: Final = tuple(name[:-1] for name in NAMES["시"] if len(name) == 3)


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
    whole = "".join(part.text for part in parts)
    short = _draw_region(region, whole, draw.fork("region"))
    new = list(_draw_parts(parts, short, _letter_pairs(whole), draw))
    address_ = short + "".join(new)
    if "" in new or any(word in address_ for word in _words(region, parts)):
        return None
    pairs = list(zip(parts, new, strict=True))
    plain = _rewrite(key, region, short, pairs)
    rewritten = _rewrite(text, region, short, pairs)
    same = normal("address", rewritten) == normal("address", plain)
    return rewritten if same else plain


def _draw_parts(parts: list[Part], region: str, taken: set[str], draw: Draw) -> Iterator[str]:
    """Yield what takes the place of each part and has no pair of letters of `taken`, else ''."""
    numbers, counts = draw.fork("numbers"), Counter[str]()
    for i, (level, text) in enumerate(parts):
        counts[level] += 1
        if level in ("number", "kept"):
            yield text if level == "kept" else _number(text, numbers)
            continue
        # A name must not be read as, or together with, that of a region: 경기 + 도봉구 would be
        # read as 경기도 + 봉구.
        choices = [
            name
            for name in _choices(parts, i)
            if not name.startswith(_REGIONS)
            and not (i == 0 and region and name[0] in "도시")
            and not _letter_pairs(name) & taken
        ]
        yield draw.fork(f"{level}{counts[level]}").pick(choices) if choices else ""


def _words(region: str, parts: list[Part]) -> set[str]:
    """Return what must not stay: the names, with and without their last syllable."""
    names = {part.text for part in parts if part.level not in ("kept", "number", "block")}
    stems = {name[:-1] for name in names} | {name.removesuffix("대로") for name in names}
    regions = {spelling for spelling, full in SPELLINGS.items() if region and full == region}
    return {word for word in names | stems | regions if len(word) > 1}


def _letter_pairs(text: str) -> set[str]:
    runs = re.findall(r"[^\W\d_]+", text)
    return {run[i : i + 2] for run in runs for i in range(len(run) - 1)}


def _draw_region(full: str, names: str, draw: Draw) -> str:
    """Draw another region of the same kind, '' where there is none."""
    if not full:
        return ""
    kind = METROPOLITAN if full in METROPOLITAN.values() else PROVINCES
    others = [short for short, name in kind.items() if name != full and short != "세종"]
    return draw.pick([short for short in others if short not in names] or others)


def _choices(parts: list[Part], i: int) -> tuple[str, ...]:
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
    new = draw.digits(len(old), first=first)
    return new if new != old else _number(old, draw)


def _rewrite(text: str, region: str, short: str, drawn: list[tuple[Part, str]]) -> str:
    """Put a drawn address in the place of the old one, whose blanks and marks stay."""
    plain = fold(text)
    places = [i for i, char in enumerate(plain) if char.isalnum()]
    size = len(places) - sum(len(part.text) for part, _ in drawn)
    if not places or size < 0:
        return text
    start, end = places[0], places[size - 1] + 1 if size else places[0]
    pieces = [text[:start], _spell_region(plain[start:end], region, short)]
    for part, new in drawn:
        span, size = places[size : size + len(part.text)], size + len(part.text)
        old = text[span[0] : span[-1] + 1]
        gap = " " if len(old) > 2 and old[-2].isspace() else ""  # 은행 로 7
        kept = old if part.level == "kept" else new[:-1] + gap + new[-1:]
        pieces += [text[end : span[0]], put_digits(old, new) if part.level == "number" else kept]
        end = span[-1] + 1
    return "".join([*pieces, text[end:]])


def _spell_region(old: str, full: str, short: str) -> str:
    """Write a region as the old one was written: short, with 시, or in full."""
    if not full:
        return ""
    regions = METROPOLITAN if full in METROPOLITAN.values() else PROVINCES
    if len(old) == 2:
        return short
    return regions[short] if old == full or regions is PROVINCES else f"{short}시"
