"""What a goal wants of a taxi or the metro: from place to place of the goal, or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from pipeline.tasks.dst.goals.goal import Occasion, Part, Want
from pipeline.tasks.dst.schema import (
    ANY,
    ARRIVE,
    FROM,
    LEAVE,
    METRO,
    NAME,
    RESTAURANT,
    STATION,
    TAXI,
    TIME,
    TO,
    TYPE,
    Chance,
    after,
    time_of,
)

#: Minutes from a booking to the journey after it, and how early one leaves for a booking.
_MEAL: Final = (60, 120)
_EARLY: Final = (15, 40)
_STEP: Final = 5
_DAY: Final = (7 * 60, 22 * 60)


class End(NamedTuple):
    """An end of a journey: its values, and the slot of a place before that it refers to."""

    values: tuple[str, ...]
    place: Part | None

    @property
    def same_as(self) -> str:
        """Return the slot that names the place, or ''."""
        return f"{self.place.domain}-{NAME}" if self.place else ""


def taxi(occasion: Occasion) -> Part | None:
    """Draw what is wanted of a taxi: ends, times and type; None if there is nowhere to go."""
    ends = _ends(occasion, [End(_names(part), part) for part in _places(occasion)])
    if ends is None:
        return None
    start, end = ends
    low, high = occasion.setting.knowledge.virtual.material.taxi.minutes
    minutes = occasion.chance.number("minutes", low // _STEP, high // _STEP) * _STEP
    wants = [
        *_between(TAXI, start, end),
        *_taxi_times(occasion, start, end, minutes),
        _kind(occasion),
    ]
    return Part(TAXI, tuple(wants), _asked(occasion), taxi_minutes=minutes)


def metro(occasion: Occasion) -> Part | None:
    """Draw what is wanted of the metro: stations near places before or any others, and a time.

    None if there is nowhere to go.
    """
    ends = _ends(occasion, [End(_stations(part), part) for part in _places(occasion)])
    if ends is None:
        return None
    wants = _between(METRO, *ends)
    if occasion.chance.happens("leaves", occasion.rates.metro_leave):
        slot = f"{METRO}-{LEAVE}"
        free = occasion.is_free("any", slot)
        wants.append(Want(slot, (ANY if free else _any_time(occasion.chance),)))
    return Part(METRO, tuple(wants), _asked(occasion))


def _places(occasion: Occasion) -> list[Part]:
    return [part for part in occasion.before if part.matches]


def _between(domain: str, start: End, end: End) -> list[Want]:
    return [
        Want(f"{domain}-{word}", one.values, same_as=one.same_as)
        for word, one in ((FROM, start), (TO, end))
    ]


def _ends(occasion: Occasion, places: Sequence[End]) -> tuple[End, End] | None:
    """Draw both ends; two places that could be one and the same are not a journey.

    None where the places before are near all stations, so that none is left for the other end.
    """
    chance = occasion.chance
    pairs = [
        (a, b) for a, b in product(places, repeat=2) if a is not b and not {*a.values} & {*b.values}
    ]
    kind = _kind_of_ends(occasion, pairs=bool(pairs), places=bool(places))
    if kind == "both":
        return chance.pick("pair", pairs)
    near = chance.pick("place", places) if kind in ("from", "to") else None
    taken = {*near.values, *_near(near)} if near else set()
    stations = [s for s in occasion.setting.knowledge.virtual.metro.stations if s not in taken]
    others = [End((name,), None) for name in chance.some("station", stations, 2)]
    both = [near, *others] if near else others
    if len(both) < 2:
        return None
    return (both[1], both[0]) if kind == "to" else (both[0], both[1])


def _kind_of_ends(occasion: Occasion, *, pairs: bool, places: bool) -> str:
    """Draw which ends are places before: both, from, to or none, of what is possible."""
    possible = {"both": pairs, "from": places, "to": places, "none": True}
    rates = occasion.rates.ends
    weights = {kind: rates.get(kind, 0) for kind, there in possible.items() if there}  # type: ignore[call-overload]
    return str(occasion.chance.weighted("ends", weights if sum(weights.values()) else {"none": 1}))


def _near(end: End) -> tuple[str, ...]:
    """Return the stations near the places that an end may be."""
    return _stations(end.place) if end.place else ()


def _names(part: Part) -> tuple[str, ...]:
    return tuple(entry.name for entry in part.matches)


def _stations(part: Part) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.get(STATION) for entry in part.matches))


def _taxi_times(occasion: Occasion, start: End, end: End, minutes: int) -> list[Want]:
    """Return when to leave and to arrive: in time for a booking, or after the meal."""
    chance, rates = occasion.chance, occasion.rates
    slot = f"{TAXI}-{LEAVE}"
    leave, booked = _leaving(chance, start, end, minutes)
    found = [Want(slot, (ANY if occasion.is_free("any", slot) else leave,))]
    if booked and chance.happens("in time", rates.arrive_booked):
        return [*found, Want(f"{TAXI}-{ARRIVE}", (booked,), same_as=f"{RESTAURANT}-{TIME}")]
    if not booked and chance.happens("arrives", rates.arrive):
        spare = chance.number("spare", 1, 4) * _STEP
        arrive = after(leave, minutes + spare)
        if arrive > leave:  # a journey past midnight has no such wish
            return [*found, Want(f"{TAXI}-{ARRIVE}", (arrive,))]
    return found


def _leaving(chance: Chance, start: End, end: End, minutes: int) -> tuple[str, str]:
    """Return a time to leave, and the booked time to be there, if there is one."""
    booked, eaten = _booked(end), _booked(start)
    if booked:
        early = chance.number("early", _EARLY[0] // _STEP, _EARLY[1] // _STEP) * _STEP
        return after(booked, -minutes - early), booked
    if eaten:
        meal = chance.number("meal", _MEAL[0] // _STEP, _MEAL[1] // _STEP) * _STEP
        return after(eaten, meal), ""
    return _any_time(chance), ""


def _booked(end: End) -> str:
    want = end.place.want(TIME) if end.place and end.place.domain == RESTAURANT else None
    return want.value if want and want.value != ANY else ""


def _any_time(chance: Chance) -> str:
    low, high = (bound // _STEP for bound in _DAY)
    return time_of(chance.number("leave", low, high) * _STEP)


def _kind(occasion: Occasion) -> Want:
    slot = f"{TAXI}-{TYPE}"
    if occasion.is_free("kind", slot):
        return Want(slot, (ANY,))
    return Want(slot, (occasion.chance.pick("which", occasion.schema.values(slot)),))


def _asked(occasion: Occasion) -> tuple[str, ...]:
    slots = [slot.id for slot in occasion.schema.requestable(occasion.domain)]
    size = occasion.chance.number("asks", 1, occasion.setting.sampling.asked)
    chosen = set(occasion.chance.some("ask", slots, size))
    return tuple(slot for slot in slots if slot in chosen)
