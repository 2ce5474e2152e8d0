"""Keyed draws: every choice is a hash of (seed, purpose, index), never a random state."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

SEED = "klue-sample-1"

T = TypeVar("T")


def number(purpose: str, index: int, *, seed: str = SEED) -> int:
    """A 64-bit number for one purpose and index."""
    key = f"{seed}|{purpose}|{index}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big")


def below(limit: int, purpose: str, index: int) -> int:
    """A number from 0 to limit - 1."""
    return number(purpose, index) % limit


def pick(options: Sequence[T], purpose: str, index: int) -> T:
    """One of the options."""
    return options[below(len(options), purpose, index)]


def shuffled(items: Sequence[T], purpose: str) -> list[T]:
    """The items in the order of their keys."""
    order = sorted(range(len(items)), key=lambda i: (number(purpose, i), i))
    return [items[i] for i in order]


def rising(count: int, start: int, step: int, purpose: str) -> list[int]:
    """`count` different numbers in rising order, each 1 to `step` above the one before."""
    numbers, value = [], start
    for index in range(count):
        value += 1 + below(step, purpose, index)
        numbers.append(value)
    return numbers


def moment(first: datetime, last: datetime, purpose: str, index: int) -> datetime:
    """A minute from `first` up to, but not including, `last`."""
    minutes = int((last - first).total_seconds() // 60)
    return first + timedelta(minutes=below(minutes, purpose, index))


def naver_date(when: datetime) -> str:
    """The way a Korean news portal prints a date: `2017.09.21. 오후 5:09`."""
    half = "오전" if when.hour < 12 else "오후"
    return f"{when:%Y.%m.%d}. {half} {(when.hour - 1) % 12 + 1}:{when:%M}"
