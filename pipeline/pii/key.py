"""The secret key of pseudonyms, and all that is computed with it: digests and random streams."""

from __future__ import annotations

import hmac
import secrets
import stat
from collections.abc import Callable, Iterable, Sequence
from hashlib import shake_256
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from pipeline.core.files import input_errors, refuse, regular_file

if TYPE_CHECKING:
    from faker import Faker

T = TypeVar("T")
#: Fewest bytes of a key; 16 bytes are as many as a digest of an original has.
SHORTEST: Final = 16
_LONGEST: Final = 4096
#: Bytes of a digest.
SIZE: Final = 16
DIGITS: Final = "0123456789"
NOT_ZERO: Final = "123456789"
_HINT: Final = "make a key, for example with `openssl rand -hex 32`"


def read_key(path: Path) -> bytes:
    """Return the content of a key file, without one newline at its end.

    Raises InputError, which never holds any of the content, when the file cannot be read or has
    fewer than 16 or more than 4096 bytes.
    """
    hint = f"give a file of at least {SHORTEST} random bytes"
    with input_errors(f"key file {path}", "read", hint), regular_file(path).open("rb") as stream:
        content = stream.read(_LONGEST + 3)
    return check_key(content.removesuffix(b"\n").removesuffix(b"\r"), f"key file {path}")


def check_key(key: bytes, origin: str = "key") -> bytes:
    """Return the key. Raises InputError when it is too short, too long or easily guessed."""
    size = f"{len(key)} bytes" if len(key) <= _LONGEST else f"more than {_LONGEST} bytes"
    different = len(set(key))
    refuse(
        origin,
        (
            not SHORTEST <= len(key) <= _LONGEST,
            f"{size}; allowed are {SHORTEST} to {_LONGEST}; {_HINT}",
        ),
        (  # blanks or zeros, not a key
            different < 6,
            f"{different} different bytes in {len(key)} are easily guessed; {_HINT}",
        ),
    )
    return key


def exposure(path: Path) -> str | None:
    """Return a warning when others than its owner may read a key file, else None.

    A warning and no error: mounted secrets and shared machines often allow no other mode.
    """
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & (stat.S_IRGRP | stat.S_IROTH):
        return None
    return f"key file {path}: others may read it (mode {mode:03o}); run `chmod 600 {path}`"


def random_key() -> bytes:
    """Return 32 random bytes: a key for one run, which then cannot be repeated."""
    return secrets.token_bytes(32)


def check_value(key: bytes) -> str:
    """Return 16 hexadecimal digits that tell keys apart and do not give the key away.

    They may stand in fingerprints and manifests.
    """
    return hmac.digest(key, b"klue pii check value", "sha256")[:8].hex()


def digest(key: bytes, type: str, normal: str) -> bytes:
    """Return the 16 bytes that stand for a value: HMAC-SHA256 of its type and canonical form."""
    message = f"original\0{type}\0{normal}".encode("utf-8", "surrogatepass")
    return hmac.digest(key, message, "sha256")[:SIZE]


class Originals:
    """The values of a corpus as a set of keyed digests, 16 bytes each; it is never written.

    A first pass over the corpus collects the set, so that no pseudonym equals a value that stands
    in it. The set is the same whatever order and parts it was made of.
    """

    def __init__(self, sorted_digests: NDArray[np.bytes_]) -> None:
        """Take digests that are ascending and unique; `of` makes them so."""
        self._digests = sorted_digests

    @classmethod
    def of(cls, digests: Iterable[bytes]) -> Originals:
        """Collect digests, in any order and as often as they come."""
        return cls(np.unique(np.array(list(digests), f"S{SIZE}")))

    @classmethod
    def merge(cls, parts: Iterable[Originals]) -> Originals:
        """Return the union of sets, such as those of several workers."""
        return cls(np.unique(np.concatenate([cls.of(())._digests, *(p._digests for p in parts)])))

    def __len__(self) -> int:
        return len(self._digests)

    def contains(self, digest: bytes) -> bool:
        """Tell whether a digest is in the set."""
        value = np.frombuffer(digest, self._digests.dtype)
        place = int(np.searchsorted(self._digests, value)[0])
        return place < len(self._digests) and bool(self._digests[place] == value[0])


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
        """Faker, seeded when first asked for."""
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

    def digits(self, n: int, *, first: str = DIGITS) -> str:
        """Return `n` digits of which the first is one of `first`."""
        return "".join(self.pick(DIGITS if i else first) for i in range(n))
