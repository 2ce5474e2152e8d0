"""The knowledge base (Table 25): hotels, restaurants, attractions, metro journeys, and taxis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pipeline.core.errors import InputError
from pipeline.core.ids import candidate_id, draw
from pipeline.sampling.dialogue.chance import Chance
from pipeline.sampling.dialogue.entry import ATTRACTION, METRO, TAXI, VENUES, Entry, Pool
from pipeline.sampling.dialogue.network import Journey, Metro
from pipeline.sampling.dialogue.schema import Schema
from pipeline.sampling.dialogue.times import after
from pipeline.sampling.dialogue.virtual import VIRTUAL, Virtual, room
from pipeline.tasks.sampling.dialogue import DialogueSampling

#: The first departures of the metro in the table: every ten minutes from noon to two.
_DEPARTURES: Final = [f"{12 + n // 6:02}:{n % 6 * 10:02}" for n in range(12)]


@dataclass(frozen=True)
class Knowledge:
    """All instances by domain; `journeys` are those of the metro by both stations."""

    seed: int
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
        times = {f"{METRO}-출발 시간": leave, f"{METRO}-도착 시간": after(leave, minutes)}
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


def build(
    seed: int,
    sampling: DialogueSampling,
    *,
    schema: Schema,
    virtual: Virtual,
    places: Sequence[dict[str, str]],
) -> Knowledge:
    """Make the knowledge base; attractions are drawn from `places`.

    Raises InputError when there is no place, and when more virtual places are wanted than there are
    names, or when the material makes an instance that the schema does not allow.
    """
    if not places:
        raise InputError("no attraction: the list of places holds no row that can be used")
    venues: dict[str, list[Entry]] = {}
    for domain in VIRTUAL:
        size, most = sampling.instances[domain], room(virtual.material, domain)
        if size > most:
            raise InputError(
                f"sampling.instances.{domain}: {size} are wanted, but the material has names for"
                f" {most}; give fewer, or add to data/dialogue/venues.yaml"
            )
        venues[domain] = _pooled(seed, sampling, domain, virtual.places(domain, size))
    chosen = _chosen(seed, places, sampling.instances[ATTRACTION])
    slots = (virtual.completed(ATTRACTION, p[f"{ATTRACTION}-이름"], p) for p in chosen)
    venues[ATTRACTION] = _pooled(seed, sampling, ATTRACTION, slots)
    found = Knowledge(seed, virtual, venues, _journeys(seed, virtual.metro))
    _checked(found, schema)
    return found


def _chosen(seed: int, places: Sequence[dict[str, str]], size: int) -> list[dict[str, str]]:
    name = f"{ATTRACTION}-이름"
    keyed = sorted(places, key=lambda place: (draw(seed, "dst.places", place[name]), place[name]))
    return keyed[:size]


def _pooled(
    seed: int, sampling: DialogueSampling, domain: str, made: Iterable[dict[str, str]]
) -> list[Entry]:
    """Return instances with their pool: so many of them, by keyed draw, are held out."""
    places = list(made)
    share = sampling.unseen.get(domain, 0) / sampling.instances[domain]
    names = [place[f"{domain}-이름"] for place in places]
    keyed = sorted(names, key=lambda name: (draw(seed, f"dst.unseen.{domain}", name), name))
    unseen = set(keyed[: round(share * len(places))])
    found = (
        Entry(
            domain,
            candidate_id("dst-kb", domain, name),
            name,
            "held_out" if name in unseen else "train",
            slots,
        )
        for name, slots in zip(names, places, strict=True)
    )
    return list(found)


def _journeys(seed: int, metro: Metro) -> dict[tuple[str, str], Entry]:
    return {(j.start, j.end): _journey(seed, metro, j) for j in metro.journeys()}


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


def _checked(knowledge: Knowledge, schema: Schema) -> None:
    for entry in knowledge.entries:
        if faults := schema.faults(entry.slots):
            raise InputError(
                f"data/dialogue/venues.yaml: makes a {entry.domain} that the spec does not allow:"
                f" {'; '.join(faults)}"
            )
