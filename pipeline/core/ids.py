"""Ids and keyed draws: the only sources of identity and of chance."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Literal

UnitKind = Literal["document", "section", "sentence", "whole"]

_SEPARATOR = "\x1f"
_LETTER: dict[UnitKind, str] = {"document": "d", "section": "p", "sentence": "s", "whole": "w"}


def _digest(parts: tuple[str, ...], size: int) -> bytes:
    return blake2b(_SEPARATOR.join(parts).encode(), digest_size=size).digest()


def unit_id(source: str, key: str, kind: UnitKind, start: int = 0, end: int = 0) -> str:
    """Return the permanent id of a document, section or unit.

    The id is the source, a letter for the kind (d, p, s, w) and 80 bits of a hash of source,
    document key, kind, start and end (code points of the text as read), so that edits, order and
    the number of workers never change it.
    """
    parts = (source, key, kind, str(start), str(end))
    return f"{source}-{_LETTER[kind]}{_digest(parts, 10).hex()}"


def span_ids(source: str, key: str, kind: UnitKind, spans: Iterable[tuple[int, int]]) -> list[str]:
    """Return the ids of units of one document, as `unit_id`."""
    name = f"{source}-{_LETTER[kind]}"
    begin = blake2b(_SEPARATOR.join((source, key, kind, "")).encode(), digest_size=10)
    ids = []
    for start, end in spans:
        digest = begin.copy()
        digest.update(f"{start}{_SEPARATOR}{end}".encode())
        ids.append(name + digest.hexdigest())
    return ids


def unit_ids(source: str, keys: Iterable[str], kind: UnitKind) -> list[str]:
    """Return the ids of units at the beginning of their documents, as `unit_id`."""
    name = f"{source}-{_LETTER[kind]}"
    begin = blake2b(f"{source}{_SEPARATOR}".encode(), digest_size=10)
    end = _SEPARATOR.join(("", kind, "0", "0")).encode()
    ids = []
    for key in keys:
        digest = begin.copy()
        digest.update(key.encode() + end)
        ids.append(name + digest.hexdigest())
    return ids


def record_id(source: str, file: str, line: int) -> str:
    """Return the id of a record that could not be read, from its file and line."""
    return f"{source}-q{_digest((source, file, str(line)), 10).hex()}"


def candidate_id(task: str, *parts: str) -> str:
    """Return the permanent id of a candidate: the task, a c and 80 bits of a hash of its parts.

    `parts` are the ids of its units in order and whatever else distinguishes it (offsets, the type
    of question, the number of a goal).
    """
    return f"{task}-c{_digest((task, *parts), 10).hex()}"


def pair_id(item: str, text: str) -> str:
    """Return the id of a text that an annotator wrote: the item, a dot and 32 bits of a hash.

    It reveals nothing about the label that the text was written for.
    """
    return f"{item}.{_digest((item, text), 4).hex()}"


def source_of(name: str) -> str:
    """Return the source of an id of this project ("" for an id of another form)."""
    return name.rpartition("-")[0]


def draw(seed: int, purpose: str, name: str) -> float:
    """Return a number in [0, 1) that depends on seed, purpose and id alone."""
    value = int.from_bytes(_digest((str(seed), purpose, name), 8), "big")
    return (value >> 11) / (1 << 53)
