"""The originals of a corpus as keyed digests: asked for, never read back.

A first pass over the corpus writes the set, so that no pseudonym equals a value that stands in it.

    8 bytes   KLUEPII1
    8 bytes   number of digests, big-endian
    16 bytes  each digest, ascending
    32 bytes  SHA-256 of all before
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipeline.core.errors import InputError, StoreError

#: Bytes of a digest.
SIZE: Final = 16
_MAGIC: Final = b"KLUEPII1"
_HEAD: Final = 16
_TAIL: Final = 32
_TYPE: Final = np.dtype("S16")


def digest(key: bytes, type: str, normal: str) -> bytes:
    """Return the 16 bytes that stand for a value: HMAC-SHA256 of its type and canonical form."""
    message = f"original\0{type}\0{normal}".encode("utf-8", "surrogatepass")
    return hmac.digest(key, message, "sha256")[:SIZE]


class Originals:
    """A set of digests in 16 bytes each, the same whatever order and parts it was made of."""

    def __init__(self, sorted_digests: NDArray[np.bytes_]) -> None:
        """Take digests that are ascending and unique; `of` makes them so."""
        self._digests = sorted_digests

    @classmethod
    def of(cls, digests: Iterable[bytes]) -> Originals:
        """Collect digests, in any order and as often as they come.

        Raises InputError for a digest that has not 16 bytes.
        """
        return cls(np.unique(np.fromiter(map(_checked, digests), _TYPE)))

    @classmethod
    def merge(cls, parts: Iterable[Originals]) -> Originals:
        """Return the union of sets, such as those of several workers."""
        found = [part._digests for part in parts]
        return cls(np.unique(np.concatenate(found))) if found else cls.of(())

    def __len__(self) -> int:
        return len(self._digests)

    def contains(self, digest: bytes) -> bool:
        """Tell whether a digest is in the set."""
        value = np.frombuffer(digest, _TYPE)
        place = int(np.searchsorted(self._digests, value)[0])
        return place < len(self._digests) and bool(self._digests[place] == value[0])

    def save(self, path: Path) -> None:
        """Write the set to a file, whole or not at all."""
        head = _MAGIC + len(self).to_bytes(8, "big")
        body = self._digests.tobytes()
        seal = sha256(head)
        seal.update(body)
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        with temporary.open("wb") as stream:
            stream.write(head)
            stream.write(body)
            stream.write(seal.digest())
        temporary.replace(path)

    @classmethod
    def load(cls, path: Path) -> Originals:
        """Read a set that `save` wrote.

        Raises InputError when there is no such file, StoreError when it is damaged.
        """
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"originals {path}: cannot be read ({error.strerror}); collect them again"
            ) from None
        body = memoryview(content)[_HEAD : len(content) - _TAIL]
        if _fault(content, len(body)):
            raise StoreError(
                f"originals {path}: {_fault(content, len(body))}; remove the file and collect the"
                " originals again"
            )
        return cls(np.frombuffer(body, _TYPE))


def _checked(value: bytes) -> bytes:
    if len(value) != SIZE:
        raise InputError(f"originals: a digest of {len(value)} bytes; allowed: {SIZE}")
    return value


def _fault(content: bytes, size: int) -> str:
    """Return what is wrong with a file of digests, '' when nothing is."""
    if content[:8] != _MAGIC:
        return "not a file of digests"
    if len(content) < _HEAD + _TAIL or size != SIZE * int.from_bytes(content[8:16], "big"):
        return f"cut off or torn ({len(content)} bytes)"
    if sha256(memoryview(content)[:-_TAIL]).digest() != content[-_TAIL:]:
        return "its checksum does not hold"
    return ""
