"""Times of the day as HH:MM, as the slots hold them, and in words."""

from __future__ import annotations

from typing import Final

_DAY: Final = 24 * 60
_NOON: Final = 12


def minutes_of(time: str) -> int:
    """Return the minutes from midnight to HH:MM."""
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)


def time_of(minutes: int) -> str:
    """Return HH:MM of minutes from midnight, modulo a day."""
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def after(time: str, minutes: int) -> str:
    """Return the time so many minutes later, or earlier where they are negative."""
    return time_of((minutes_of(time) + minutes) % _DAY)


def in_words(time: str) -> list[str]:
    """Return the ways to write a time: 18:30, 18시 30분, 오후 6시 30분."""
    hours, minutes = divmod(minutes_of(time), 60)
    rest = f" {minutes}분" if minutes else ""
    half = "오전" if hours < _NOON else "오후"
    return [time, f"{hours}시{rest}", f"{half} {(hours - 1) % _NOON + 1}시{rest}"]
