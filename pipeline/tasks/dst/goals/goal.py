"""Goals as structures, and what they need while they are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pipeline.tasks.dst.knowledge import Entry, Knowledge, Pool
from pipeline.tasks.dst.schema import (
    ANY,
    DAY,
    PEOPLE,
    Chance,
    Schema,
    domain_of,
    minutes_of,
    time_of,
    word_of,
)
from pipeline.tasks.dst.spec import DialogueSampling, Rates

#: A slot and its value.
SlotValue = tuple[str, str]
Pair = tuple[SlotValue, SlotValue]


@dataclass(frozen=True)
class Want:
    """A slot that the final state must hold, with the values that it may have there.

    More than one value is left open by the goal: the name of whatever place is found, or a slot
    that refers to it. `same_as` is the slot of a domain before that the user refers to; `first`
    is the value to ask for first, of which the search finds nothing.
    """

    slot: str
    values: tuple[str, ...]
    same_as: str = ""
    first: str = ""

    @property
    def value(self) -> str:
        """Return the one value, or '' where it is open."""
        return self.values[0] if len(self.values) == 1 else ""

    @property
    def plain(self) -> dict[str, Any]:
        """Return the want as plain data."""
        return {
            "slot": self.slot,
            **({"value": self.value} if self.value else {"open": len(self.values)}),
            **({"same_as": self.same_as} if self.same_as else {}),
            **({"first": self.first} if self.first else {}),
        }


@dataclass(frozen=True)
class Part:
    """What is wanted of one domain, in the order of telling, and what is asked for in the end.

    `matches` are the places that fit; a place that is `named` is not searched for. `taxi_minutes`
    is how long a taxi takes.
    """

    domain: str
    wants: tuple[Want, ...]
    asks: tuple[str, ...] = ()
    matches: tuple[Entry, ...] = ()
    named: bool = False
    booked: bool = False
    taxi_minutes: int = 0

    def want(self, word: str) -> Want | None:
        """Return what is wanted of a slot, by its name without the domain."""
        return next((w for w in self.wants if w.slot == f"{self.domain}-{word}"), None)


@dataclass(frozen=True)
class Goal:
    """Parts in their order.

    `name` keys all draws about it; `pair` is what a counterfactual goal is to cover.
    """

    name: str
    pool: Pool
    parts: tuple[Part, ...]
    pair: Pair | None = None

    @property
    def domains(self) -> list[str]:
        """Return the domains in their order."""
        return [part.domain for part in self.parts]

    @property
    def wants(self) -> list[Want]:
        """Return all wants in their order."""
        return [want for part in self.parts for want in part.wants]

    @property
    def expected_state(self) -> dict[str, list[str]]:
        """Return the final state: the values that each slot may have in the end."""
        return {want.slot: list(want.values) for want in self.wants}

    @property
    def structure(self) -> list[dict[str, Any]]:
        """Return the parts as plain data."""
        return [
            {
                "domain": part.domain,
                "wants": [want.plain for want in part.wants],
                "asks": list(part.asks),
                **({"named": True} if part.named else {}),
            }
            for part in self.parts
        ]


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

    @cached_property
    def own(self) -> dict[str, str]:
        """Return the fixed values of this domain."""
        return {slot: v for slot, v in self.fixed.items() if domain_of(slot) == self.domain}

    def is_free(self, what: str, slot: str) -> bool:
        """Draw whether a slot that is not fixed does not matter."""
        return slot not in self.own and self.chance.happens(what, self.rates.dontcare.get(slot, 0))

    def want(self, what: str, slot: str, value: str) -> Want:
        """Draw whether a value of a slot is wanted or any will do."""
        return Want(slot, (ANY if self.is_free(what, slot) else value,))

    def matching(self, wanted: Mapping[str, str]) -> tuple[Entry, ...]:
        """Return the places that have the wanted values."""
        return self.setting.matching(self.pool, self.domain, wanted)

    def earlier(self, word: str) -> list[Want]:
        """Return what the parts before want of a slot of that name, where they name one value."""
        wants = (part.want(word) for part in self.before)
        return [want for want in wants if want and want.value not in ("", ANY)]


#: Numbers up to here are common: 1 to 5 people or days.
_COMMON: Final = 5
#: Bookings are at whole five minutes, and at 21:30 at the latest.
_ROUND: Final = 5
_LATEST: Final = 21 * 60 + 30


def want_of_booking(occasion: Occasion, slot: str, matches: Sequence[Entry]) -> Want:
    """Draw what is wanted of a slot of a booking, so that all matching places can take it."""
    word = word_of(slot)
    shares = {DAY: occasion.rates.same_day, PEOPLE: occasion.rates.same_people}
    earlier = occasion.earlier(word)
    if slot in occasion.own:
        return Want(slot, (occasion.own[slot],))
    if occasion.is_free(f"any/{slot}", slot):
        return Want(slot, (ANY,))
    if earlier and occasion.chance.happens(f"same/{slot}", shares.get(word, 0)):
        return Want(slot, earlier[-1].values, same_as=earlier[-1].slot)
    if not occasion.setting.schema.values(slot):
        return Want(slot, (_open_time(occasion, matches),))
    return Want(slot, (_value(occasion, slot, earlier),))


def _value(occasion: Occasion, slot: str, earlier: Sequence[Want]) -> str:
    """Draw a day, or a number: most are small, and a large party before is one still."""
    values = occasion.setting.schema.values(slot)
    if word_of(slot) == DAY or len(values) <= _COMMON:
        return occasion.chance.pick(slot, values)
    large = occasion.chance.happens(f"large/{slot}", occasion.rates.large)
    if earlier:
        large = earlier[-1].value in values[_COMMON:]
    return occasion.chance.pick(slot, values[_COMMON:] if large else values[:_COMMON])


def _open_time(occasion: Occasion, matches: Sequence[Entry]) -> str:
    """Draw a time at which all places that fit are open and still take orders."""
    hours = [entry.get("영업 시간").split("-") for entry in matches]
    orders = [entry.get("마지막 주문 시간") for entry in matches]
    low = max(minutes_of(opens) for opens, _ in hours)
    ends = [minutes_of(last or closes) for last, (_, closes) in zip(orders, hours, strict=True)]
    high = min(_LATEST, *ends)
    return time_of(occasion.chance.number("time", low // _ROUND, high // _ROUND) * _ROUND)
