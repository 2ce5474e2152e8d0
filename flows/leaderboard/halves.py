"""The two halves of a test split: one ranks, the other stays hidden until the board is closed.

Which half an example belongs to depends on a secret key and its guid alone, so that it stays there
when others are withdrawn. Examples of one group, such as a document, may be in both.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

from pipeline.core.errors import StoreError
from pipeline.core.files import input_errors, regular_file
from pipeline.leaderboard.records import Part
from pipeline.scoring.scorer import Gold

#: The bytes of a key.
KEY_BYTES: Final = 32


def read_key(path: Path) -> bytes:
    """Return the key of a board; raises StoreError for one that is too short."""
    with input_errors(path, "read"):
        key = regular_file(path, most=1024).read_bytes().strip()
    if len(key) < KEY_BYTES:
        raise StoreError(f"{path}: has {len(key)} bytes, not {KEY_BYTES}; restore it")
    return key[:64]


def is_public(key: bytes, guid: str) -> bool:
    """Return whether an example of test belongs to the half that ranks."""
    return not blake2b(guid.encode(), key=key, digest_size=1).digest()[0] & 1


def half(gold: Gold, key: bytes, part: Part) -> tuple[Gold, list[int]]:
    """Return the examples of a part, and their places among all; all of them for dev."""
    places = [
        place
        for place, example in enumerate(gold.examples)
        if part == "dev" or is_public(key, example.id) == (part == "public")
    ]
    examples = tuple(gold.examples[place] for place in places)
    answers = tuple(gold.answers[place] for place in places)
    return replace(gold, examples=examples, answers=answers), places
