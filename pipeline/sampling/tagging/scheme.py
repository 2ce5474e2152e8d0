"""Spans as tags of pieces and back: B- begins, I- goes on, E- ends an entity, S- is one alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pipeline.sampling.tagging.pieces import Piece

OUTSIDE: Final = "O"


class Run(NamedTuple):
    """The pieces from `first` to `last`, both included, that make one entity of a type."""

    first: int
    last: int
    label: str


def tags(found: Sequence[Piece], spans: Sequence[tuple[int, int, str]]) -> list[str]:
    """Return the tag of each piece; one that is partly in a span counts as in it."""
    made = [OUTSIDE] * len(found)
    for start, end, label in spans:
        inside = [i for i, piece in enumerate(found) if piece.start < end and piece.end > start]
        for i in inside:
            made[i] = f"I-{label}"
        if len(inside) == 1:
            made[inside[0]] = f"S-{label}"
        elif inside:
            made[inside[0]], made[inside[-1]] = f"B-{label}", f"E-{label}"
    return made


def runs(given: Sequence[str]) -> list[Run]:
    """Return the entities that tags tell, in order, whatever the tags.

    An entity ends with E- or S-, where the type changes and before the next B- or S-; one that
    begins with I- or E- is taken as it stands.
    """
    found: list[Run] = []
    going = False
    for i, tag in enumerate(given):
        kind, _, label = tag.partition("-")
        if kind in {"I", "E"} and going and found[-1].label == label:
            found[-1] = found[-1]._replace(last=i)
        elif tag != OUTSIDE:
            found.append(Run(i, i, label))
        going = kind in {"B", "I"}
    return found
