"""Numbers by pattern: accounts, cards, passports, licences, businesses, insurance, plates.

Table 29 makes these by random generation. A pseudonym must not be somebody's real number where that
can be ruled out, and no office reserves a range of these numbers for examples: so those that carry
a public check digit get a wrong one (cards by Luhn, businesses by their tenth digit). Accounts,
passports, licences, insurance numbers and plates have no public check digit; theirs are drawn, and
only the originals of the corpus are ruled out.
"""

from __future__ import annotations

from collections.abc import Callable

from pipeline.pii import checksums
from pipeline.pii.places import METROPOLITAN, OFFICES, PROVINCES
from pipeline.pii.pseudonyms.draw import DIGITS, NOT_ZERO, Draw

_CAPITALS = "ABCDEFGHJKLMNPRSTUVWXYZ"
#: The letters of plates by what they stand for: private, taxi and bus, rented, delivery.
_PLATE_LETTERS = (
    "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주",
    "바사아자",
    "하허호",
    "배",
)


def account(normal: str, draw: Draw) -> str:
    """Draw as many digits; a leading zero stays one."""
    return draw.digits(len(normal), first="0" if normal[:1] == "0" else NOT_ZERO)


def card(normal: str, draw: Draw) -> str:
    """Draw a number of the same kind (first digit) and length that fails Luhn's check."""
    return failing(checksums.luhn, normal[:1] + draw.digits(len(normal) - 1))


def business_number(normal: str, draw: Draw) -> str:
    """Draw a number with a wrong check digit, so that it is no business's."""
    return failing(checksums.business_number, draw.digits(len(normal), first=NOT_ZERO))


def health_insurance(normal: str, draw: Draw) -> str:
    """Draw as many digits; the first, the kind of insurance, is none of 0 and 9."""
    return draw.digits(len(normal), first="12345678")


def passport(normal: str, draw: Draw) -> str:
    """Keep the kind of passport (first letter) and where letters stand; draw all else."""
    drawn = (draw.pick(_CAPITALS if c.isalpha() else DIGITS) for c in normal[1:])
    return normal[:1] + "".join(drawn)


def licence(normal: str, draw: Draw) -> str:
    """Draw an office that exists, then as many digits."""
    return draw.pick(tuple(OFFICES)) + draw.digits(len(normal) - 2)


def plate(normal: str, draw: Draw) -> str:
    """Draw another region where one is named, a letter of the same use, and as many digits."""
    regions = (*METROPOLITAN, *PROVINCES)
    region = normal[:2] if normal[:2] in regions else ""
    rest = normal[len(region) :]
    digits = iter(draw.digits(sum(c.isdigit() for c in rest), first=NOT_ZERO))
    drawn = "".join(next(digits) if c.isdigit() else _letter(c, draw) for c in rest)
    return (draw.other(regions, region) if region else "") + drawn


def _letter(old: str, draw: Draw) -> str:
    return draw.pick(next((letters for letters in _PLATE_LETTERS if old in letters), old))


def failing(check: Callable[[str], bool], digits: str) -> str:
    """Raise the last digit by one where the check holds."""
    return digits[:-1] + str((int(digits[-1]) + 1) % 10) if check(digits) else digits
