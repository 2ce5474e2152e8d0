"""The pseudonym of a value: keyed, in the form of the original, never an original itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import InputError
from pipeline.pii.key import checked
from pipeline.pii.normal import compose, normal
from pipeline.pii.originals import Originals, digest
from pipeline.pii.pseudonyms import addresses, forms, network, numbers, people
from pipeline.pii.pseudonyms.draw import Draw

if TYPE_CHECKING:
    from faker import Faker

#: Draws for one value before giving up: all ranges of an IPv4 address get their turn.
TRIES: Final = 256
_CACHED: Final = 1 << 15

Maker = Callable[[str, Draw], str | None]
Form = Callable[[str, str], str]

#: How the canonical value of a pseudonym is drawn, and how it is put in the form of the original.
_TYPES: Final[dict[str, tuple[Maker, Form]]] = {
    "phone": (people.phone, forms.phone),
    "rrn": (people.resident_number, forms.digits),
    "frn": (people.foreign_number, forms.digits),
    "email": (people.email, forms.email),
    "ip": (network.ip, forms.ip),
    "mac": (network.mac, forms.mac),
    "mention": (people.mention, forms.mention),
    "bank_account": (numbers.account, forms.digits),
    "passport": (numbers.passport, forms.letters_and_digits),
    "driver_license": (numbers.licence, forms.licence),
    "business_number": (numbers.business_number, forms.digits),
    "health_insurance": (numbers.health_insurance, forms.digits),
    "card": (numbers.card, forms.digits),
    "vehicle_plate": (numbers.plate, forms.plate),
    "url": (network.url, forms.url),
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
        self._key = checked(key)
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
        found = self._replaced(type, compose(value))
        if found is None:
            self.refused[type] += 1
            raise NoPseudonymError(_why(type, normal(type, value)))
        return found

    def _replace(self, type: str, text: str) -> str | None:
        key = normal(type, text)
        drawn = self._drawn(type, text if type == "address" else key)
        if drawn is None or type == "address":
            return drawn
        made = _TYPES[type][1](text, drawn)
        return made if self._is_free(type, key, normal(type, made)) else None

    def _draw(self, type: str, value: str) -> str | None:
        """Draw until the result is neither the value itself nor any original."""
        make = addresses.address if type == "address" else _TYPES[type][0]
        key = normal(type, value)
        for counter in range(TRIES if key else 0):
            drawn = make(value, Draw(self._key, type, key, counter, self._make_faker))
            if drawn is not None and self._is_free(type, key, normal(type, drawn)):
                return drawn
        return None

    def _is_free(self, type: str, key: str, found: str) -> bool:
        return found != key and not self._is_original(type, found)

    def _is_original(self, type: str, found: str) -> bool:
        known = self._originals
        return known is not None and known.contains(digest(self._key, type, found))

    def _make_faker(self) -> Faker:
        """Return this object's Faker, made when first asked for: it takes a third of a second."""
        if self._faker is None:
            from faker import Faker

            self._faker = Faker("ko_KR")
        return self._faker


def _why(type: str, key: str) -> str:
    if not key:
        return f"a value of type {type!r} has no character that this type is made of"
    return (
        f"no pseudonym of type {type!r} is free: {TRIES} draws for a value of {len(key)} characters"
        " gave originals of the corpus or kept a part of it; redact this type or drop its texts"
    )
