"""Numbers, sizes and times as the pages write them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from pipeline.core import wording

#: What stands where there is no number.
NONE: Final = "–"
_SMALL: Final = (
    "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
)
_SCALES: Final = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
#: How many there are of something, as templates call it: "1 system", "2,000 systems".
counted: Final = wording.count


def score(value: float | None) -> str:
    """Return a score with two decimals, as the tables of the KLUE paper have it."""
    return NONE if value is None else f"{value:.2f}".replace("-", "−")


def difference(value: float | None) -> str:
    """Return a difference of scores with its sign."""
    return NONE if value is None else f"{value:+.2f}".replace("-", "−")


def interval(low: float | None, high: float | None) -> str:
    """Return the ends of an interval; nothing where it is not known."""
    return "" if low is None or high is None else f"{score(low)} to {score(high)}"


def sentence(text: str) -> str:
    """Return a message as a sentence: a capital letter first, a full stop last."""
    plain = text.strip()
    ending = "" if not plain or plain[-1] in ".!?" else "."
    return f"{plain[:1].upper()}{plain[1:]}{ending}"


def number(count: int) -> str:
    """Return a number as a word up to twelve, and in digits from there."""
    return _SMALL[count] if 0 <= count < len(_SMALL) else f"{count:,}"


def parameters(count: int | None) -> str:
    """Return a number of parameters as people say it: 110M, 1.3B."""
    if count is None:
        return ""
    rounded = float(f"{count:.3g}")
    for scale, letter in _SCALES:
        if scale <= rounded < 1_000 * scale:
            return f"{rounded / scale:.3g}{letter}"
    return f"{count:,}"


def size(count: int) -> str:
    """Return a number of bytes in the largest unit that leaves a whole number: 100 MiB."""
    for unit, name in ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB")):
        if count >= unit and count % unit == 0:
            return f"{count // unit:,} {name}"
    return f"{count:,} bytes"


def time(at: int) -> str:
    """Return a time as date and minute, UTC."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def day(at: int) -> str:
    """Return the day of a time, UTC."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def clock(at: int) -> str:
    """Return the minute of a time, UTC."""
    return f"{datetime.fromtimestamp(at, UTC):%H:%M} UTC"


def machine_time(at: int) -> str:
    """Return a time for the attribute `datetime`."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def duration(seconds: int) -> str:
    """Return about how long something lasts: "3 hours", "less than a minute"."""
    if seconds < _MINUTE:
        return "less than a minute"
    for unit, noun in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= unit:
            return counted(round(seconds / unit), noun)
    raise AssertionError("a minute or more has a unit")
