"""The knowledge base (Table 25): its entries, the material it is made of, and look-ups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pipeline.core.ids import candidate_id
from pipeline.core.jsontext import canonical
from pipeline.tasks.dst.knowledge.places import Virtual
from pipeline.tasks.dst.schema import ARRIVE, LEAVE, METRO, NAME, TAXI, VENUES, after

Pool = Literal["train", "held_out"]


@dataclass(frozen=True)
class Entry:
    """One instance: its slots by id, the name among them; train goals use the pool train alone."""

    domain: str
    instance: str
    name: str
    pool: Pool
    slots: Mapping[str, str]

    def get(self, word: str) -> str:
        """Return the value of a slot of its domain, or ''."""
        return self.slots.get(f"{self.domain}-{word}", "")

    @property
    def row(self) -> dict[str, object]:
        """Return the row of the table `knowledge`."""
        return {
            "domain": self.domain,
            "instance": self.instance,
            "name": self.name,
            "pool": self.pool,
            "slots": canonical(dict(self.slots)),
        }

    @property
    def shown(self) -> dict[str, str]:
        """Return what the wizard sees."""
        name = f"{self.domain}-{NAME}"
        rest = {slot: value for slot, value in self.slots.items() if slot != name}
        return {
            "domain": self.domain,
            **({"name": self.name} if name in self.slots else {}),
            **rest,
        }


@dataclass(frozen=True)
class Knowledge:
    """All instances by domain; `journeys` are those of the metro by both stations."""

    virtual: Virtual
    venues: Mapping[str, Sequence[Entry]]
    journeys: Mapping[tuple[str, str], Entry]

    @property
    def entries(self) -> Iterable[Entry]:
        """Yield all instances, by domain."""
        for domain in VENUES:
            yield from self.venues[domain]
        yield from self.journeys.values()

    def open_to(self, domain: str, pool: Pool) -> Sequence[Entry]:
        """Return the places that goals of a pool may find: train goals those of train alone."""
        return (self._train if pool == "train" else self.venues)[domain]

    @cached_property
    def _train(self) -> dict[str, list[Entry]]:
        return {
            domain: [e for e in all_ if e.pool == "train"] for domain, all_ in self.venues.items()
        }

    def journey(self, start: str, end: str, leave: str) -> Entry:
        """Return a journey of the metro, at the time of leaving if there is one."""
        found = self.journeys[start, end]
        if not leave:
            return found
        minutes = int(found.get("소요 시간").removesuffix("분"))
        times = {f"{METRO}-{LEAVE}": leave, f"{METRO}-{ARRIVE}": after(leave, minutes)}
        return Entry(METRO, found.instance, found.name, found.pool, {**found.slots, **times})

    def taxis(self, name: str, minutes: int, known: Mapping[str, str]) -> list[Entry]:
        """Return a taxi of each type for one journey, made up for it; `known` are slots of it."""
        found = []
        for kind, rate in self.virtual.material.taxi.types.items():
            slots = {
                f"{TAXI}-종류": kind,
                **known,
                f"{TAXI}-전화 번호": self.virtual.phone(f"{TAXI}/{name}/{kind}"),
                f"{TAXI}-비용": f"{rate.base + rate.minute * minutes}원",
                f"{TAXI}-소요 시간": f"{minutes}분",
            }
            found.append(Entry(TAXI, candidate_id("dst-taxi", name, kind), kind, "train", slots))
        return found
