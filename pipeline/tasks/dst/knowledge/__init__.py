"""The knowledge base (Table 25): virtual and real places and journeys of the metro, and look-ups.

`build` makes it and checks it against the schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Final, Literal

from pipeline.core.errors import SpecError
from pipeline.core.ids import candidate_id, draw
from pipeline.tasks.dst.knowledge.metro import Journey, Metro
from pipeline.tasks.dst.knowledge.places import VIRTUAL, Virtual
from pipeline.tasks.dst.schema import (
    AREA,
    ARRIVE,
    ATTRACTION,
    LEAVE,
    METRO,
    NAME,
    TAXI,
    Chance,
    Schema,
    after,
)
from pipeline.tasks.dst.spec import DialogueSampling

Pool = Literal["train", "held_out"]


#: The first departures of the metro in the table: every ten minutes from noon to two.
_DEPARTURES: Final = [f"{12 + n // 6:02}:{n % 6 * 10:02}" for n in range(12)]


@dataclass(frozen=True)
class Entry:
    """One instance: its slots by id, the name among them; train goals use the pool train alone.

    Its fields are the columns of the table `knowledge`.
    """

    domain: str
    instance: str
    name: str
    pool: Pool
    slots: Mapping[str, str]

    def get(self, word: str) -> str:
        """Return the value of a slot of its domain, or ''."""
        return self.slots.get(f"{self.domain}-{word}", "")

    @property
    def wizard_view(self) -> dict[str, str]:
        """Return what the wizard sees."""
        rest = dict(self.slots)
        named = rest.pop(f"{self.domain}-{NAME}", None) is not None
        return {"domain": self.domain, **({"name": self.name} if named else {}), **rest}


@dataclass(frozen=True)
class Knowledge:
    """All instances by domain; `journeys` are those of the metro by both stations."""

    virtual: Virtual
    venues: Mapping[str, Sequence[Entry]]
    journeys: Mapping[tuple[str, str], Entry]

    @property
    def entries(self) -> Iterable[Entry]:
        """Return all instances, by domain."""
        return chain(*self.venues.values(), self.journeys.values())

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
        journey = self.journeys[start, end]
        if not leave:
            return journey
        minutes = int(journey.get("소요 시간").removesuffix("분"))
        times = {f"{METRO}-{LEAVE}": leave, f"{METRO}-{ARRIVE}": after(leave, minutes)}
        return replace(journey, slots={**journey.slots, **times})

    def taxis(self, name: str, minutes: int, known: Mapping[str, str]) -> list[Entry]:
        """Return a taxi of each type for one journey, made up for it; `known` are slots of it."""
        slots = {
            kind: {
                f"{TAXI}-종류": kind,
                **known,
                f"{TAXI}-전화 번호": self.virtual.phone(f"{TAXI}/{name}/{kind}"),
                f"{TAXI}-비용": f"{rate.base + rate.minute * minutes}원",
                f"{TAXI}-소요 시간": f"{minutes}분",
            }
            for kind, rate in self.virtual.material.taxi.types.items()
        }
        return [
            Entry(TAXI, candidate_id("dst-taxi", name, kind), kind, "train", slots_of_kind)
            for kind, slots_of_kind in slots.items()
        ]


def build(
    seed: int,
    sampling: DialogueSampling,
    *,
    schema: Schema,
    virtual: Virtual,
    places: Sequence[dict[str, str]],
) -> Knowledge:
    """Make the knowledge base; attractions are drawn from `places`.

    Raises SpecError when more virtual places are wanted than there are names, and when the spec has
    areas or values that the material does not fit.
    """
    areas = schema.values(f"{ATTRACTION}-{AREA}")
    if lacking := [area for area in areas if area not in virtual.material.districts]:
        raise SpecError(
            f"data/dialogue/venues.yaml: districts: {', '.join(lacking)}: an area of the spec that"
            " has no district here; add one"
        )
    slots = {domain: virtual.places(domain, sampling.instances[domain]) for domain in VIRTUAL}
    named = {place[f"{ATTRACTION}-{NAME}"]: place for place in places}
    slots[ATTRACTION] = [
        virtual.complete(ATTRACTION, name, named[name])
        for name in _shuffle(seed, "dst.places", named)[: sampling.instances[ATTRACTION]]
    ]
    venues = {domain: _entries(seed, sampling, domain, places) for domain, places in slots.items()}
    journeys = {
        (j.start, j.end): _journey(seed, virtual.metro, j) for j in virtual.metro.journeys()
    }
    knowledge = Knowledge(virtual, venues, journeys)
    for entry in knowledge.entries:
        if faults := schema.faults(entry.slots):
            raise SpecError(
                f"data/dialogue/venues.yaml: makes a {entry.domain} that the spec does not allow:"
                f" {'; '.join(faults)}"
            )
    return knowledge


def _shuffle(seed: int, purpose: str, names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (draw(seed, purpose, name), name))


def _entries(
    seed: int, sampling: DialogueSampling, domain: str, places: Sequence[dict[str, str]]
) -> list[Entry]:
    """Return instances with their pool: so many of them, by keyed draw, are held out."""
    size = sampling.unseen.get(domain, 0) * len(places) // sampling.instances[domain]
    by_name = {place[f"{domain}-{NAME}"]: place for place in places}
    unseen = set(_shuffle(seed, f"dst.unseen.{domain}", by_name)[:size])
    return [
        Entry(
            domain,
            candidate_id("dst-kb", domain, name),
            name,
            "held_out" if name in unseen else "train",
            slots,
        )
        for name, slots in by_name.items()
    ]


def _journey(seed: int, metro: Metro, journey: Journey) -> Entry:
    leave = Chance(seed, "metro", f"{journey.start}/{journey.end}").pick("leave", _DEPARTURES)
    slots = {
        "출발 시간": leave,
        "출발지": journey.start,
        "도착지": journey.end,
        "출발 호선": journey.first_line,
        "도착 호선": journey.last_line,
        "도착 시간": after(leave, journey.minutes),
        "비용": f"{metro.price(journey.stops)}원",
        "소요 시간": f"{journey.minutes}분",
        "환승": f"{journey.changes}회",
        "최적 경로": journey.path,
    }
    name = f"{journey.start} → {journey.end}"
    full = {f"{METRO}-{word}": value for word, value in slots.items()}
    return Entry(METRO, candidate_id("dst-kb", METRO, name), name, "train", full)
