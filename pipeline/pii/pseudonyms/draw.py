"""Keyed chance: all that makes a pseudonym follows from key, type, value and counter."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from hashlib import shake_256
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from faker import Faker

T = TypeVar("T")
DIGITS = "0123456789"
NOT_ZERO = "123456789"


class Draw:
    """A stream of keyed numbers for one value, and Faker seeded by the same key.

    HMAC-SHA256 of (type, counter, value) seeds both; SHAKE-256 stretches it. `counter` rises when a
    draw is refused.
    """

    def __init__(
        self, key: bytes, type: str, normal: str, counter: int, faker: Callable[[], Faker]
    ) -> None:
        """Seed by what names the value; `faker` is called when Faker is first asked for."""
        message = f"pseudonym\0{type}\0{counter}\0{normal}".encode("utf-8", "surrogatepass")
        self._seed = hmac.digest(key, message, "sha256")
        self._bytes = shake_256(self._seed).digest(64)
        self._place = 0
        self._faker = faker
        self._seeded: Faker | None = None
        self.counter = counter

    @property
    def faker(self) -> Faker:
        """Return Faker, seeded when first asked for."""
        if self._seeded is None:
            self._seeded = self._faker()
            self._seeded.seed_instance(int.from_bytes(self._seed, "big"))
        return self._seeded

    def fork(self, name: str) -> Draw:
        """Return a stream of its own for one part of the value."""
        return Draw(self._seed, "part", name, self.counter, self._faker)

    def below(self, n: int) -> int:
        """Return a number in [0, n), n < 2**32; its bias is below 2**-32."""
        if self._place + 8 > len(self._bytes):
            self._bytes = shake_256(self._seed).digest(2 * len(self._bytes))
        self._place += 8
        return int.from_bytes(self._bytes[self._place - 8 : self._place], "big") % n

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[self.below(len(choices))]

    def other(self, choices: Sequence[T], than: T) -> T:
        """Return one of the choices that is not the one given, unless there is no other."""
        return self.pick([c for c in choices if c != than] or choices)

    def digits(self, n: int, *, first: str = DIGITS) -> str:
        """Return `n` digits of which the first is one of `first`."""
        return "".join(self.pick(DIGITS if i else first) for i in range(n))
