"""Which types of question are asked about which passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.contracts.sampling import proportional
from pipeline.core.ids import draw
from pipeline.tasks.mrc.spec import TYPES, Passages


class Wanted(NamedTuple):
    """Passages wanted of a source, and questions of each type about them."""

    passages: int
    types: dict[str, int]


def wanted(spec: Passages, sources: Sequence[str], source: str) -> Wanted:
    """Return what is wanted of one of the `sources`, all of which have shares, by these alone."""
    shares = {name: spec.shares[name] for name in sources}
    types = {kind: proportional(shares, spec.quotas[kind])[source] for kind in TYPES}
    least = types["3"] + max(types["1"], types["2"])
    passages = proportional(shares, spec.passages)[source]
    return Wanted(min(max(passages, least), sum(types.values())), types)


def assign(passages: Sequence[str], asked: Wanted, *, seed: int) -> dict[str, tuple[str, ...]]:
    """Return the types of question for each passage (an id), in the order given.

    Passages without an answer are asked about alone, all others with type 1, type 2 or both: in
    the released dev set no passage of a type-3 question carries another one. With fewer passages
    than wanted, the types keep their proportions.
    """
    order = sorted(passages, key=lambda name: (draw(seed, "mrc.type", name), name))
    answerable = asked.passages - asked.types["3"]
    rest = len(order) - round(asked.types["3"] * len(order) / asked.passages)
    first, second = (-(-asked.types[kind] * rest // max(answerable, 1)) for kind in "12")
    found: dict[str, tuple[str, ...]] = dict.fromkeys(passages, ("3",))
    for place, name in enumerate(order[:rest]):
        mine = (("1", place < first), ("2", place >= rest - second))
        found[name] = tuple(kind for kind, is_asked in mine if is_asked)
    return found
