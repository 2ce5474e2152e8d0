"""The originals of a corpus as keyed digests: asked for, never read back.

A first pass over the corpus collects the set, so that no pseudonym equals a value that stands in
it. It is kept in memory and never written, 16 bytes a value.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipeline.core.errors import InputError

#: Bytes of a digest.
SIZE: Final = 16
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


def _checked(value: bytes) -> bytes:
    if len(value) != SIZE:
        raise InputError(f"originals: a digest of {len(value)} bytes; allowed: {SIZE}")
    return value
