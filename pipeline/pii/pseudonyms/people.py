"""Telephone and registration numbers, e-mail addresses and mentions: by Faker, as in Table 29."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipeline.pii import checksums
from pipeline.pii.pseudonyms.draw import DIGITS, Draw
from pipeline.pii.pseudonyms.network import HOSTS
from pipeline.pii.pseudonyms.numbers import failing

_AREAS = tuple(f"0{n}" for n in (*range(31, 34), *range(41, 45), *range(51, 56), *range(61, 65)))
_FORMER_MOBILE = ("011", "016", "017", "018", "019")
_REPRESENTATIVE = tuple(
    map(str, (1544, 1566, 1577, 1588, 1599, 1600, 1644, 1661, 1666, 1670, 1688, 1800, 1833, 1899))
)
#: Prefixes of telephone numbers, by which kind they are.
_MOBILE = re.compile(r"01[016-9](?=\d{7,8}\Z)")
_LANDLINE = re.compile(r"(?:02|0(?:3[1-3]|4[1-4]|5[1-5]|6[1-4]|70))(?=\d{7,8}\Z)")
_CALLED_PARTY = re.compile(r"1[568]\d\d(?=\d{4}\Z)")
_SERVICE = re.compile(r"0(?:50|30|[6-9]0)\d?(?=\d{7,8}\Z)")


def phone(normal: str, draw: Draw) -> str:
    """Draw a number of the same kind and length: mobile, regional, Internet, representative.

    Korea reserves no range for fiction: the Film Council lends six lines, nothing more. But no
    exchange begins with 0 or 1, since such calls would reach trunk prefixes and emergency numbers
    (numbering plan; of 010 the exchanges 0000 to 1999 are given to nobody), so that pseudonyms of
    subscribers' numbers have exchanges of that kind. Freephone, safe and representative numbers use
    these exchanges or have none: theirs are drawn as they come.
    """
    for pattern, prefix, first in _KINDS:
        if match := pattern.match(normal):
            head = prefix(match[0], draw)
            return (
                head + draw.pick(first) + draw.faker.numerify("#" * (len(normal) - len(head) - 1))
            )
    first = "0" if normal[:1] == "0" else draw.pick("01")
    return first + draw.faker.numerify("#" * (len(normal) - 1))


def _area(old: str, draw: Draw) -> str:
    return draw.pick(_AREAS) if len(old) == 3 and old != "070" else old


_KINDS: tuple[tuple[re.Pattern[str], Callable[[str, Draw], str], str], ...] = (
    (_MOBILE, lambda old, draw: old if old == "010" else draw.pick(_FORMER_MOBILE), "01"),
    (_LANDLINE, _area, "01"),
    (_CALLED_PARTY, lambda _, draw: draw.pick(_REPRESENTATIVE), DIGITS),
    (_SERVICE, lambda old, _: old, "23456789"),
)


def resident_number(normal: str, draw: Draw) -> str:
    """Draw Faker's number with a date of birth that exists and a wrong check digit.

    Faker's are people of the 1900s, whose numbers have a check digit unless they were changed since
    October 2020: a wrong one is next to nobody's.
    """
    number = _born(draw)
    return _fitted(failing(checksums.rrn, number), normal, draw)


def foreign_number(normal: str, draw: Draw) -> str:
    """Draw Faker's number as that of a foreigner (5 or 6 for 1 or 2), with a wrong check digit."""
    number = _born(draw)
    number = number[:6] + str(int(number[6]) + 4) + number[7:]
    return _fitted(failing(checksums.frn, number), normal, draw)


def _born(draw: Draw) -> str:
    """Return the first of Faker's numbers whose date exists; about one in six has none."""
    while True:
        number = draw.faker.ssn().replace("-", "")
        if checksums.born(number):
            return number


def _fitted(number: str, normal: str, draw: Draw) -> str:
    """Cut a number to the digits that are seen of a masked one, or fill it."""
    return number[: len(normal)] + draw.digits(max(0, len(normal) - len(number)))


def email(_: str, draw: Draw) -> str:
    """Draw Faker's user name at a host that is reserved for examples (RFC 2606)."""
    return f"{_user(draw)}@{draw.pick(HOSTS)}"


def mention(normal: str, draw: Draw) -> str:
    """Draw Faker's user name, or a Korean name where the mention has one."""
    hangul = re.search("[가-힣]", normal)
    return "@" + (draw.faker.name().replace(" ", "") if hangul else _user(draw))


def _user(draw: Draw) -> str:
    return re.sub("[^a-z0-9_]", "", draw.faker.user_name().lower())
