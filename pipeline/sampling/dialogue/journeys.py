"""What a goal wants of a taxi or the metro: from place to place of the goal, or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from pipeline.sampling.dialogue.chance import Chance
from pipeline.sampling.dialogue.entry import METRO, RESTAURANT, TAXI
from pipeline.sampling.dialogue.goal import Part, Want
from pipeline.sampling.dialogue.schema import ANY
from pipeline.sampling.dialogue.times import after, time_of
from pipeline.sampling.dialogue.venues import NAME, TIME, Setting

_LEAVE: Final = "출발 시간"
_ARRIVE: Final = "도착 시간"
_FROM: Final = "출발지"
_TO: Final = "도착지"
_STATION: Final = "인근 역"
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


def taxi(setting: Setting, chance: Chance, before: Sequence[Part]) -> Part:
    """Draw what is wanted of a taxi: ends, times and type."""
    venues = [part for part in before if part.matches]
    start, end = _ends(setting, chance, [End(_names(part), part) for part in venues])
    low, high = setting.knowledge.virtual.material.taxi.minutes
    minutes = chance.number("minutes", low // _STEP, high // _STEP) * _STEP
    wants = [
        Want(f"{TAXI}-{_FROM}", start.values, same_as=start.same_as),
        Want(f"{TAXI}-{_TO}", end.values, same_as=end.same_as),
        *_taxi_times(setting, chance, start, end, minutes),
        _kind(setting, chance),
    ]
    asks = _asked(setting, chance, TAXI)
    return Part(TAXI, tuple(wants), asks, taxi_minutes=minutes)


def metro(setting: Setting, chance: Chance, before: Sequence[Part]) -> Part:
    """Draw what is wanted of the metro: stations near places before or any others, and a time."""
    venues = [part for part in before if part.matches]
    start, end = _ends(setting, chance, [End(_stations(part), part) for part in venues])
    wants = [
        Want(f"{METRO}-{_FROM}", start.values, same_as=start.same_as),
        Want(f"{METRO}-{_TO}", end.values, same_as=end.same_as),
    ]
    rates = setting.sampling.rates
    if chance.happens("leaves", rates.metro_leave):
        free = chance.happens("any", rates.dontcare.get(f"{METRO}-{_LEAVE}", 0))
        wants.append(Want(f"{METRO}-{_LEAVE}", (ANY if free else _any_time(chance),)))
    return Part(METRO, tuple(wants), _asked(setting, chance, METRO))


def _ends(setting: Setting, chance: Chance, places: Sequence[End]) -> tuple[End, End]:
    """Draw both ends; two places that could be one and the same are not a journey."""
    rates = setting.sampling.rates.ends
    pairs = [
        (a, b) for a, b in product(places, repeat=2) if a is not b and not {*a.values} & {*b.values}
    ]
    weights = {
        "both": rates.get("both", 0) if pairs else 0,
        "from": rates.get("from", 0) if places else 0,
        "to": rates.get("to", 0) if places else 0,
        "none": rates.get("none", 0) if places else 1,
    }
    kind = chance.weighted("ends", weights if sum(weights.values()) else {"none": 1})
    if kind == "both":
        return chance.pick("pair", pairs)
    near = chance.pick("place", places) if kind in ("from", "to") else None
    taken = {*(near.values if near else ()), *_near(near)}
    stations = [s for s in setting.knowledge.virtual.metro.stations if s not in taken]
    one, two = (End((name,), None) for name in chance.some("station", stations, 2))
    if near is None:
        return one, two
    return (near, one) if kind == "from" else (one, near)


def _near(end: End | None) -> set[str]:
    """Return the stations near the places that an end may be."""
    return set(_stations(end.place)) if end and end.place else set()


def _names(part: Part) -> tuple[str, ...]:
    return tuple(entry.name for entry in part.matches)


def _stations(part: Part) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.get(_STATION) for entry in part.matches))


def _taxi_times(setting: Setting, chance: Chance, start: End, end: End, minutes: int) -> list[Want]:
    """Return when to leave and to arrive: in time for a booking, or after the meal."""
    rates = setting.sampling.rates
    leave, booked = _leaving(chance, start, end, minutes)
    if chance.happens("any", rates.dontcare.get(f"{TAXI}-{_LEAVE}", 0)):
        found = [Want(f"{TAXI}-{_LEAVE}", (ANY,))]
    else:
        found = [Want(f"{TAXI}-{_LEAVE}", (leave,))]
    if booked and chance.happens("in time", rates.arrive_booked):
        slot = f"{RESTAURANT}-{TIME}"
        return [*found, Want(f"{TAXI}-{_ARRIVE}", (booked,), same_as=slot)]
    if not booked and chance.happens("arrives", rates.arrive):
        spare = chance.number("spare", 1, 4) * _STEP
        arrive = after(leave, minutes + spare)
        if arrive > leave:  # a journey past midnight has no such wish
            return [*found, Want(f"{TAXI}-{_ARRIVE}", (arrive,))]
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


def _kind(setting: Setting, chance: Chance) -> Want:
    slot = f"{TAXI}-종류"
    if chance.happens("kind", setting.sampling.rates.dontcare.get(slot, 0)):
        return Want(slot, (ANY,))
    return Want(slot, (chance.pick("which", setting.schema.values(slot)),))


def _asked(setting: Setting, chance: Chance, domain: str) -> tuple[str, ...]:
    slots = [slot.id for slot in setting.schema.requestable(domain)]
    size = chance.number("asks", 1, setting.sampling.asked)
    chosen = set(chance.some("ask", slots, size))
    return tuple(slot for slot in slots if slot in chosen)
