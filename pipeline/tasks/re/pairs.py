"""Ordered pairs of the entities of a sentence, the facts about them, and the caps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Final, NamedTuple

from pipeline.tasks.re.detection import Entity
from pipeline.tasks.re.knowledge.base import Fact
from pipeline.tasks.re.knowledge.names import key_of
from pipeline.tasks.re.knowledge.properties import Properties

#: The types of a subject (Section 3.5.1).
SUBJECTS: Final = ("PER", "ORG")


class KeyedEntity(NamedTuple):
    """An entity with its key in the knowledge base."""

    entity: Entity
    key: str


class Pair(NamedTuple):
    """A subject and an object in a sentence."""

    subject: KeyedEntity
    object: KeyedEntity

    @property
    def names(self) -> tuple[str, str]:
        """Return the keys of its two entities; those of its mirror are the same."""
        first, second = sorted((self.subject.key, self.object.key))
        return first, second


def keyed_entities(text: str, entities: Sequence[Entity]) -> list[KeyedEntity]:
    """Return the first mention of each entity of a sentence, with its key."""
    by_key: dict[str, KeyedEntity] = {}
    for entity in entities:
        key = key_of(text[entity.start : entity.end])
        if key:
            by_key.setdefault(key, KeyedEntity(entity, key))
    return list(by_key.values())


def candidate_pairs(entities: Sequence[KeyedEntity]) -> list[Pair]:
    """Return all ordered pairs with a person or an organisation as subject, in a fixed order."""
    return [Pair(a, b) for a, b in permutations(entities, 2) if a.entity.type in SUBJECTS]


@dataclass(frozen=True)
class Evidence:
    """Finds the facts about pairs, with the map of properties and the labels of the spec by id."""

    properties: Properties
    labels: Mapping[str, Mapping[str, Any]]

    def of(self, pair: Pair, facts: Sequence[Fact]) -> list[dict[str, Any]]:
        """Return the facts that join a pair, in either direction, each with the relation it states.

        The relation is None for a property that is not mapped, and for one that the spec does not
        offer between entities of their types.
        """
        ends, evidence = (pair.subject.key, pair.object.key), []
        for fact in facts:
            inverse = (fact.object, fact.subject) == ends
            if inverse or (fact.subject, fact.object) == ends:
                relation = self._relation(pair, fact.property, inverse)
                about = {"knowledge": fact.origin, "property": fact.property}
                evidence.append({**about, "inverse": inverse, "relation": relation})
        return evidence

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
