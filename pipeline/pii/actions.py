"""What is done to a text with personal data: redact it, or put pseudonyms in its place.

A pseudonym is keyed, has the form of the original, and is never an original itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.pii.key import Draw, Originals, check_key, digest
from pipeline.pii.normal import compose, letter_or_digit, normal, plate_character
from pipeline.pii.pseudonyms import addresses, forms, values

if TYPE_CHECKING:
    from faker import Faker

#: Draws for one value before giving up: all ranges of an IPv4 address get their turn.
TRIES: Final = 256
_CACHED: Final = 1 << 15
_PLACE: Final = ("row", "type", "start", "end")

#: How the canonical value of a pseudonym is drawn, and how it is put in the form of the original.
_TYPES: Final[dict[str, tuple[Callable[[str, Draw], str], Callable[[str, str], str]]]] = {
    "phone": (values.phone, forms.phone),
    "rrn": (values.resident_number, forms.digits),
    "frn": (values.foreign_number, forms.digits),
    "email": (values.email, forms.email),
    "ip": (values.ip, forms.ip),
    "mac": (values.mac, forms.mac),
    "mention": (values.mention, forms.mention),
    "bank_account": (values.account, forms.digits),
    "passport": (values.passport, partial(forms.replace_characters, value_of=letter_or_digit)),
    "driver_license": (values.licence, forms.licence),
    "business_number": (values.business_number, forms.digits),
    "health_insurance": (values.health_insurance, forms.digits),
    "card": (values.card, forms.digits),
    "vehicle_plate": (values.plate, partial(forms.replace_characters, value_of=plate_character)),
    "url": (values.url, forms.url),
}


class NoPseudonymError(InputError):
    """A value has no pseudonym: nothing in it to replace, or every draw was an original."""


class Pseudonymiser:
    """Replaces values by pseudonyms that depend on key, type and canonical value alone.

    One object serves one thread: it holds a Faker that is seeded anew for every value. Workers of
    the same key and originals give the same pseudonyms in any order. Two originals can share one
    pseudonym, since reserved ranges are small. Faker's version takes part: fingerprint it.
    """

    def __init__(self, key: bytes, originals: Originals | None = None) -> None:
        """Take a key of at least 16 bytes and, if known, the digests of all originals under it."""
        self._key = check_key(key)
        self._originals = originals
        self._faker: Faker | None = None
        self._drawn = lru_cache(_CACHED)(self._draw)
        self._replaced = lru_cache(_CACHED)(self._replace)
        #: How often a value had no pseudonym, by type.
        self.refused: Counter[str] = Counter()

    def replace(self, type: str, value: str) -> str:
        """Return the pseudonym of a value in the form that the value has in the text.

        Raises InputError for an unknown type, and NoPseudonymError for a value with nothing to
        replace and when no draw is free of originals; `refused` counts the latter.
        """
        pseudonym = self._replaced(type, compose(value))
        if pseudonym is not None:
            return pseudonym
        self.refused[type] += 1
        key = normal(type, value)
        if not key:
            raise NoPseudonymError(
                f"a value of type {type!r} has no character that this type is made of"
            )
        raise NoPseudonymError(
            f"no pseudonym of type {type!r} is free: {TRIES} draws for a value of {len(key)}"
            " characters gave originals of the corpus or kept a part of it; redact this type or"
            " drop its texts"
        )

    def _replace(self, type: str, text: str) -> str | None:
        key = normal(type, text)
        material = self._drawn(type, text if type == "address" else key)
        if material is None or type == "address":
            return material
        pseudonym = _TYPES[type][1](text, material)
        return pseudonym if self._is_free(type, key, pseudonym) else None

    def _draw(self, type: str, value: str) -> str | None:
        """Draw until the result is neither the value itself nor any original."""
        make = addresses.address if type == "address" else _TYPES[type][0]
        key = normal(type, value)
        for counter in range(TRIES if key else 0):
            pseudonym = make(value, Draw(self._key, type, key, counter, self._make_faker))
            if pseudonym is not None and self._is_free(type, key, pseudonym):
                return pseudonym
        return None

    def _is_free(self, type: str, key: str, pseudonym: str) -> bool:
        new, known = normal(type, pseudonym), self._originals
        if new == key:
            return False
        return known is None or not known.contains(digest(self._key, type, new))

    def _make_faker(self) -> Faker:
        """Return this object's Faker, made when first asked for: it takes a third of a second."""
        if self._faker is None:
            from faker import Faker

            self._faker = Faker("ko_KR")
        return self._faker


def redact(texts: pa.Array, hits: pa.Table) -> pa.Array:
    """Return the texts with every hit replaced by its type in brackets, such as ``[phone]``."""
    return _replace_hits(texts, hits, lambda type, _: f"[{type}]")


def pseudonymise(
    texts: pa.Array,
    hits: pa.Table,
    pseudonymiser: Pseudonymiser,
    *,
    masked: Collection[str] = (),
) -> pa.Array:
    """Return the texts with every hit replaced by its pseudonym, one of `masked` by its type.

    A value for which no pseudonym is free is redacted instead, for nothing personal may stay;
    `pseudonymiser.refused` counts these by type.
    """

    def replace(type: str, value: str) -> str:
        if type in masked:
            return f"[{type}]"
        try:
            return pseudonymiser.replace(type, value)
        except NoPseudonymError:
            return f"[{type}]"

    return _replace_hits(texts, hits, replace)


def originals(texts: pa.Array, hits: pa.Table, key: bytes) -> Iterator[bytes]:
    """Yield the keyed digest of every value that was found: the first pass of pseudonymisation."""
    for row, type, start, end in schemas.rows(hits, *_PLACE):
        yield digest(key, type, normal(type, texts[row].as_py()[start:end]))


def _replace_hits(texts: pa.Array, hits: pa.Table, replace: Callable[[str, str], str]) -> pa.Array:
    """Rewrite the texts that have hits; the others are not even looked at."""
    if not hits.num_rows:
        return texts
    mask = np.zeros(len(texts), dtype=bool)
    rewritten = []
    for row, places in groupby(schemas.rows(hits, *_PLACE), key=itemgetter(0)):
        mask[row] = True
        text, parts, at = texts[row].as_py(), [], 0
        for _, type, start, end in places:
            parts += [text[at:start], replace(type, text[start:end])]
            at = end
        rewritten.append("".join([*parts, text[at:]]))
    return pc.replace_with_mask(texts, pa.array(mask), pa.array(rewritten, texts.type))
