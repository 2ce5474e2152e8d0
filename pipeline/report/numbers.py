"""How numbers and cells are written on pages."""

from __future__ import annotations

import math
import re
from typing import Final

from pipeline.report.record import Cell, Form

_DIGITS: Final[dict[Form, int]] = {"one": 1, "two": 2, "three": 3, "four": 4}


def format_cell(cell: Cell, form: Form) -> str:
    """Return a cell as it is read: shares as per cent, numbers with the digits of the form.

    A whole number that is none is not rounded to one: it has up to three decimals. Raises
    ValueError for a number that is not finite.
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return cell if isinstance(cell, str) else format_number(cell, form)


def format_number(number: float, form: Form) -> str:
    """Return a number as it is read; raises ValueError for one that is not finite."""
    if not math.isfinite(number):
        raise ValueError(f"{number} is no number that a report can tell")
    if form in _DIGITS:
        return _typeset_minus(f"{number:,.{_DIGITS[form]}f}")
    if form == "share":
        return _typeset_minus(f"{100 * number:,.1f} %")
    if isinstance(number, int):
        return _typeset_minus(f"{number:,}")
    return _typeset_minus(f"{number:,.3f}".rstrip("0").rstrip("."))


def _typeset_minus(number: str) -> str:
    """Return a number with a minus sign in front of it, unless it is zero as written."""
    if not number.startswith("-"):
        return number
    return f"−{number[1:]}" if re.search("[1-9]", number) else number[1:]
