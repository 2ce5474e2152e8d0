"""Ordered pairs of the entities of a sentence, what a knowledge base says of them, and the caps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Final, NamedTuple

from pipeline.tasks.re.candidates.detection import Entity
from pipeline.tasks.re.knowledge.base import Joined
from pipeline.tasks.re.knowledge.properties import Properties
from pipeline.tasks.re.knowledge.values import key

#: The types of a subject (Section 3.5.1).
SUBJECTS: Final = ("PER", "ORG")


class Place(NamedTuple):
    """An entity with the key by which the knowledge base knows it."""

    entity: Entity
    key: str


class Pair(NamedTuple):
    """A subject and an object in a sentence."""

    subject: Place
    object: Place

    @property
    def names(self) -> tuple[str, str]:
        """Return the keys of its two entities; those of its mirror are the same."""
        first, second = sorted((self.subject.key, self.object.key))
        return first, second


def places(text: str, entities: Sequence[Entity]) -> list[Place]:
    """Return the entities of a sentence once each: where a name comes again, its first mention."""
    found: dict[str, Place] = {}
    for one in entities:
        name = key(text[one.start : one.end])
        if name:
            found.setdefault(name, Place(one, name))
    return list(found.values())


def pairs(found: Sequence[Place]) -> list[Pair]:
    """Return all ordered pairs with a person or an organisation as subject, in a fixed order."""
    return [Pair(a, b) for a, b in permutations(found, 2) if a.entity.type in SUBJECTS]


@dataclass(frozen=True)
class Evidence:
    """What facts say of pairs, by the map of properties and the labels of the spec by id."""

    properties: Properties
    labels: Mapping[str, Mapping[str, Any]]

    def of(self, pair: Pair, facts: Sequence[Joined]) -> list[dict[str, Any]]:
        """Return the facts that join a pair, in either direction, each with the relation it states.

        The relation is None for a property that is not mapped, and for one that the spec does not
        offer between entities of their types.
        """
        found = []
        for fact in facts:
            ends = (fact.subject, fact.object)
            inverse = ends == (pair.object.key, pair.subject.key)
            if inverse or ends == (pair.subject.key, pair.object.key):
                relation = self._relation(pair, fact.property, inverse)
                told = {"knowledge": fact.origin, "property": fact.property}
                found.append({**told, "inverse": inverse, "relation": relation})
        return found

    def _relation(self, pair: Pair, name: str, inverse: bool) -> str | None:
        kind = (pair.object if inverse else pair.subject).entity.type
        relation = self.properties.relation(name, subject=kind, inverse=inverse)
        if relation is None:
            return None
        label, object_ = self.labels[relation], pair.object.entity.type
        fits = label["subject"] == pair.subject.entity.type and object_ in label["objects"]
        return relation if fits else None


@dataclass
class Caps:
    """How often a pair, in either order, and an entity may be drawn by the knowledge base."""

    pair: int
    entity: int
    _pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    _entities: Counter[str] = field(default_factory=Counter)

    def allow(self, pair: Pair) -> bool:
        """Tell whether a pair may be drawn once more."""
        below = all(self._entities[name] < self.entity for name in pair.names)
        return below and self._pairs[pair.names] < self.pair

    def take(self, pair: Pair) -> None:
        """Count a pair as drawn."""
        self._pairs[pair.names] += 1
        self._entities.update(pair.names)
