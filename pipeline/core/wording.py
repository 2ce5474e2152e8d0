"""Words of messages that depend on a number."""

from __future__ import annotations


def count(n: int, noun: str, plural: str = "") -> str:
    """Return a number with what it counts, such as "1 item" or "2,000 items".

    The plural is given where it is not the noun with an s.
    """
    return f"{n:,} {noun if n == 1 else plural or f'{noun}s'}"


def verb(n: int, one: str, many: str) -> str:
    """Return the form of a verb that agrees with a number, such as "is" of 1 and "are" of 2."""
    return one if n == 1 else many
