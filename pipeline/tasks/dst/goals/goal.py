"""A goal as a structure: what a user wants of each domain, before it is put in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline.tasks.dst.knowledge.entry import Entry, Pool

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
    def expected(self) -> dict[str, list[str]]:
        """Return the final state: the values that each slot may have in the end."""
        return {want.slot: list(want.values) for want in self.wants}

    @property
    def structure(self) -> list[dict[str, Any]]:
        """Return the parts as plain data."""
        return [_plain(part) for part in self.parts]


def _plain(part: Part) -> dict[str, Any]:
    wants = []
    for want in part.wants:
        told: dict[str, Any] = {"slot": want.slot}
        told |= {"value": want.value} if want.value else {"open": len(want.values)}
        told |= {"same_as": want.same_as} if want.same_as else {}
        told |= {"first": want.first} if want.first else {}
        wants.append(told)
    found = {"domain": part.domain, "wants": wants, "asks": list(part.asks)}
    return found | ({"named": True} if part.named else {})
