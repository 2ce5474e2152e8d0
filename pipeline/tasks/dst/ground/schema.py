"""The task schema (Table 23) as the sampling of dialogues uses it: slots by domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline.contracts.spec import Slot
from pipeline.tasks.dst.ground.names import ANY, YES_NO, domain_of


@dataclass(frozen=True)
class Schema:
    """All slots by id, in the order of the spec."""

    slots: Mapping[str, Slot]

    @classmethod
    def of(cls, dumped: Iterable[Mapping[str, Any]]) -> Schema:
        """Make the schema of the slots of a spec, dumped as plain data."""
        found = [Slot.model_validate({**slot, "values": tuple(slot["values"])}) for slot in dumped]
        return cls({slot.id: slot for slot in found})

    def of_domain(self, domain: str) -> list[Slot]:
        """Return the slots of a domain."""
        return self._by_domain.get(domain, [])

    @cached_property
    def _by_domain(self) -> dict[str, list[Slot]]:
        found: dict[str, list[Slot]] = {}
        for slot in self.slots.values():
            found.setdefault(domain_of(slot.id), []).append(slot)
        return found

    def searched(self, domain: str) -> list[Slot]:
        """Return the closed slots by which a domain must be searched: type, area, price range."""
        return [s for s in self.of_domain(domain) if s.required and self.values(s.id)]

    def features(self, domain: str) -> list[Slot]:
        """Return the slots of a domain that say yes or no."""
        return [slot for slot in self.of_domain(domain) if slot.boolean]

    def booking(self, domain: str) -> list[Slot]:
        """Return the slots that a booking needs."""
        return [slot for slot in self.of_domain(domain) if slot.booking]

    def requestable(self, domain: str) -> list[Slot]:
        """Return the slots of a domain that are asked for and never tracked."""
        return [slot for slot in self.of_domain(domain) if not slot.informable]

    def values(self, slot: str) -> Sequence[str]:
        """Return the values of a closed slot without `dontcare`; none for an open one."""
        found = self.slots[slot]
        return YES_NO if found.boolean else tuple(v for v in found.values if v != ANY)

    def faults(self, slots: Mapping[str, str]) -> list[str]:
        """Return what is wrong with the slots of an instance: unknown ones, values not allowed.

        The names of slots are told and the allowed values, never a value that is given.
        """
        unknown = [f"no slot {name!r}" for name in slots if name not in self.slots]
        wrong = [
            f"{name}: allowed are {', '.join(self.values(name))}"
            for name, value in slots.items()
            if name in self.slots and self.values(name) and value not in self.values(name)
        ]
        blank = [f"{name}: blank" for name, value in slots.items() if not value.strip()]
        return unknown + wrong + blank
