"""The public check digits and dates of Korean numbers, and Luhn's. Arguments are digits only."""

from __future__ import annotations

from datetime import date

_REGISTRATION = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
_BUSINESS = (1, 3, 7, 1, 3, 7, 1, 3)
#: Registration numbers given since this day end in six random digits, without a check digit.
RANDOM_SINCE = date(2020, 10, 1)
#: The last year of birth that is taken for one.
LATEST_BIRTH = 2035


def born(digits: str) -> date | None:
    """Return the date of birth in a resident or foreign registration number, None if it is none.

    The seventh digit gives the century: 1, 2, 5, 6 the 1900s; 3, 4, 7, 8 the 2000s.
    """
    century = {"1": 1900, "2": 1900, "5": 1900, "6": 1900}.get(digits[6], 2000)
    year = century + int(digits[:2])
    try:
        found = date(year, int(digits[2:4]), int(digits[4:6]))
    except ValueError:
        return None
    return found if year <= LATEST_BIRTH else None


def rrn(digits: str) -> bool:
    """Check the last of the 13 digits of a resident registration number."""
    return len(digits) == 13 and (11 - _weighted(digits) % 11) % 10 == int(digits[12])


def frn(digits: str) -> bool:
    """Check the last of the 13 digits of a foreign registration number."""
    return len(digits) == 13 and (13 - _weighted(digits) % 11) % 10 == int(digits[12])


def business_number(digits: str) -> bool:
    """Check the last of the 10 digits of a business registration number."""
    if len(digits) != 10:
        return False
    ninth = int(digits[8]) * 5
    total = sum(w * int(d) for w, d in zip(_BUSINESS, digits, strict=False)) + ninth // 10 + ninth
    return (10 - total % 10) % 10 == int(digits[9])


def luhn(digits: str) -> bool:
    """Check a payment card number by Luhn's algorithm (ISO/IEC 7812-1)."""
    total = 0
    for n, digit in enumerate(map(int, reversed(digits))):
        doubled = digit * 2 if n % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _weighted(digits: str) -> int:
    return sum(w * int(d) for w, d in zip(_REGISTRATION, digits, strict=False))
