"""Words of messages that depend on a number."""

from __future__ import annotations


def count(n: int, noun: str, plural: str = "") -> str:
    """Return a number with what it counts, such as "1 item" or "2,000 items".

    The plural is given where it is not the noun with an s.
    """
    return f"{n:,} {noun if n == 1 else plural or f'{noun}s'}"
