"""Which of two sentences is shown first.

Not always the original, the translation or the anchor: whoever annotates pair after pair would
learn which side comes from where, and a model could too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pipeline.core.ids import draw


class Sides(NamedTuple):
    """The fields of a candidate, and the field that holds each of the two sentences given."""

    fields: Mapping[str, str]
    one: str
    two: str


def sides(seed: int, name: str, one: str, two: str) -> Sides:
    """Put two sentences in an order drawn for `name`, the id of the unit of the first."""
    names = ("sentence1", "sentence2")
    first, second = names if draw(seed, "sts.side", name) < 0.5 else names[::-1]
    return Sides({first: one, second: two}, first, second)
