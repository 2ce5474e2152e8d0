"""What all goals are drawn from, and one occasion of drawing a part of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.tasks.dst.goals.goal import Part, Want
from pipeline.tasks.dst.ground.chance import Chance
from pipeline.tasks.dst.ground.names import ANY, domain_of
from pipeline.tasks.dst.ground.schema import Schema
from pipeline.tasks.dst.knowledge.base import Knowledge
from pipeline.tasks.dst.knowledge.entry import Entry, Pool
from pipeline.tasks.dst.spec import DialogueSampling, Rates


@dataclass(frozen=True)
class Setting:
    """What all goals are drawn from."""

    sampling: DialogueSampling
    schema: Schema
    knowledge: Knowledge

    def matching(self, pool: Pool, domain: str, wanted: Mapping[str, str]) -> tuple[Entry, ...]:
        """Return the places of a pool that have the wanted values; `dontcare` fits all."""
        asked = [(slot, value) for slot, value in wanted.items() if value != ANY]
        return tuple(
            entry
            for entry in self.knowledge.open_to(domain, pool)
            if all(entry.slots.get(slot) == value for slot, value in asked)
        )


@dataclass(frozen=True)
class Occasion:
    """One part of one goal that is to be drawn: its domain and pool, and the chance of it.

    `fixed` are values that the goal must ask for, of this domain and of others; `before` are the
    parts that this one may refer to.
    """

    setting: Setting
    chance: Chance
    domain: str
    pool: Pool
    fixed: Mapping[str, str]
    before: Sequence[Part]

    @property
    def rates(self) -> Rates:
        """Return how often a goal has what it may have."""
        return self.setting.sampling.rates

    @property
    def schema(self) -> Schema:
        """Return the slots by domain."""
        return self.setting.schema

    @cached_property
    def bookable(self) -> set[str]:
        """Return the slots that a booking fills."""
        return {slot.id for slot in self.schema.booking(self.domain)}

    @cached_property
    def mine(self) -> dict[str, str]:
        """Return the fixed values of this domain."""
        return {slot: v for slot, v in self.fixed.items() if domain_of(slot) == self.domain}

    @property
    def searched(self) -> dict[str, str]:
        """Return the fixed values that a place must have."""
        return {slot: value for slot, value in self.mine.items() if slot not in self.bookable}

    def is_free(self, what: str, slot: str) -> bool:
        """Draw whether a slot that is not fixed does not matter."""
        return slot not in self.mine and self.chance.happens(what, self.rates.dontcare.get(slot, 0))

    def matching(self, wanted: Mapping[str, str]) -> tuple[Entry, ...]:
        """Return the places that have the wanted values."""
        return self.setting.matching(self.pool, self.domain, wanted)

    def earlier(self, word: str) -> list[Want]:
        """Return what the parts before want of a slot of that name, where they name one value."""
        wants = (part.want(word) for part in self.before)
        return [want for want in wants if want and want.value not in ("", ANY)]
