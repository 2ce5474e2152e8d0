"""From made places, listed places and lines to the knowledge base, checked against the schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pipeline.core.errors import SpecError
from pipeline.core.ids import candidate_id, draw
from pipeline.tasks.dst.knowledge.base import Entry, Knowledge
from pipeline.tasks.dst.knowledge.metro import Journey, Metro
from pipeline.tasks.dst.knowledge.places import VIRTUAL, Virtual, room
from pipeline.tasks.dst.schema import AREA, ATTRACTION, METRO, NAME, Chance, Schema, after
from pipeline.tasks.dst.spec import DialogueSampling

#: The first departures of the metro in the table: every ten minutes from noon to two.
_DEPARTURES: Final = [f"{12 + n // 6:02}:{n % 6 * 10:02}" for n in range(12)]


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
    _check_areas(virtual, schema)
    made = {domain: _virtual(virtual, domain, sampling.instances[domain]) for domain in VIRTUAL}
    chosen = _chosen(seed, places, sampling.instances[ATTRACTION])
    made[ATTRACTION] = [
        virtual.completed(ATTRACTION, place[f"{ATTRACTION}-{NAME}"], place) for place in chosen
    ]
    venues = {domain: _pooled(seed, sampling, domain, found) for domain, found in made.items()}
    found = Knowledge(virtual, venues, _journeys(seed, virtual.metro))
    _check(found, schema)
    return found


def _virtual(virtual: Virtual, domain: str, size: int) -> list[dict[str, str]]:
    most = room(virtual.material, domain)
    if size > most:
        raise SpecError(
            f"sampling.instances.{domain}: {size} are wanted, but data/dialogue/venues.yaml has"
            f" names for {most}; give {most} or fewer"
        )
    return list(virtual.places(domain, size))


def _chosen(seed: int, places: Sequence[dict[str, str]], size: int) -> list[dict[str, str]]:
    name = f"{ATTRACTION}-{NAME}"
    keyed = sorted(places, key=lambda place: (draw(seed, "dst.places", place[name]), place[name]))
    return keyed[:size]


def _pooled(
    seed: int, sampling: DialogueSampling, domain: str, places: Sequence[dict[str, str]]
) -> list[Entry]:
    """Return instances with their pool: so many of them, by keyed draw, are held out."""
    size = sampling.unseen.get(domain, 0) * len(places) // sampling.instances[domain]
    names = [place[f"{domain}-{NAME}"] for place in places]
    keyed = sorted(names, key=lambda name: (draw(seed, f"dst.unseen.{domain}", name), name))
    unseen = set(keyed[:size])
    return [
        Entry(
            domain,
            candidate_id("dst-kb", domain, name),
            name,
            "held_out" if name in unseen else "train",
            slots,
        )
        for name, slots in zip(names, places, strict=True)
    ]


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


def _check_areas(virtual: Virtual, schema: Schema) -> None:
    areas = schema.values(f"{ATTRACTION}-{AREA}")
    strange = [area for area in areas if area not in virtual.material.districts]
    if strange:
        raise SpecError(
            f"data/dialogue/venues.yaml: districts: {', '.join(strange)}: an area of the spec that"
            " has no district here; add one"
        )


def _check(knowledge: Knowledge, schema: Schema) -> None:
    for entry in knowledge.entries:
        if faults := schema.faults(entry.slots):
            raise SpecError(
                f"data/dialogue/venues.yaml: makes a {entry.domain} that the spec does not allow:"
                f" {'; '.join(faults)}"
            )
