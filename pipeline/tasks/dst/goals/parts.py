"""What a goal wants of one domain: of a place, a taxi or the metro.

Journeys lead from place to place of the goal, or elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from pipeline.tasks.dst.goals.goal import Occasion, Part, Want, want_of_booking
from pipeline.tasks.dst.knowledge import Entry
from pipeline.tasks.dst.schema import (
    ANY,
    AREA,
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
    word_of,
)

#: Minutes from a booking to the journey after it, and how early one leaves for a booking.
_MEAL: Final = (60, 120)
_EARLY: Final = (15, 40)
_STEP: Final = 5
_DAY: Final = (7 * 60, 22 * 60)


def venue(occasion: Occasion) -> Part | None:
    """Draw what is wanted of a place; None when no place has the fixed values."""
    domain, chance, rates = occasion.domain, occasion.chance, occasion.rates
    bookable = [slot.id for slot in occasion.setting.schema.of_domain(domain) if slot.booking]
    searched = {slot: value for slot, value in occasion.own.items() if slot not in bookable}
    target, near = _target(occasion, searched)
    if target is None:
        return None
    named = not (searched or near) and chance.happens("named", rates.named)
    wants, matches = ([], (target,)) if named else _search(occasion, target, near)
    wants.append(Want(f"{domain}-{NAME}", tuple(entry.name for entry in matches)))
    must = not occasion.own.keys().isdisjoint(bookable)
    booked = bool(bookable) and (must or chance.happens("b", rates.booked))
    if booked:
        wants += [want_of_booking(occasion, slot, matches) for slot in bookable]
    asks = _asks(occasion, booked=booked)
    return Part(domain, tuple(wants), asks, matches, named=named, booked=booked)


def _target(occasion: Occasion, searched: Mapping[str, str]) -> tuple[Entry | None, Want | None]:
    """Draw a place, and the area before that the user wants it near, if so.

    For goals of dev and test an unseen one, or another one, as far as there are any.
    """
    entries: Sequence[Entry] = occasion.matching(searched)
    if occasion.pool != "train":
        unseen = occasion.chance.happens("unseen", occasion.setting.sampling.unseen_targets)
        entries = [e for e in entries if (e.pool == "held_out") == unseen] or entries
    areas, near = occasion.earlier(AREA), None
    if areas and f"{occasion.domain}-{AREA}" not in searched:
        area = occasion.chance.pick("area", areas)
        there = [entry for entry in entries if entry.get(AREA) == area.value]
        if there and occasion.chance.happens("near", occasion.rates.near):
            entries, near = there, area
    return (occasion.chance.pick("target", entries) if entries else None), near


def _search(
    occasion: Occasion, target: Entry, near: Want | None
) -> tuple[list[Want], tuple[Entry, ...]]:
    """Return what is searched for, and the places that the search shows, the target first."""
    wants = _searched_slots(occasion, target, near) + _features(occasion, target)
    fitting = occasion.matching({want.slot: want.value for want in wants})
    others = [entry for entry in occasion.chance.rotate("matches", fitting) if entry is not target]
    matches = (target, *others[: occasion.setting.sampling.fitting - 1])
    if not occasion.fixed and occasion.chance.happens("otherwise", occasion.rates.otherwise):
        wants = _begin_otherwise(occasion, wants)
    return wants, matches


def _asks(occasion: Occasion, *, booked: bool = False) -> tuple[str, ...]:
    """Draw what to ask for: most often the reference number of a booking, and a few others."""
    slots = [s for s in occasion.setting.schema.of_domain(occasion.domain) if not s.informable]
    later = [slot.id for slot in slots if slot.after_booking and booked]
    other = [slot.id for slot in slots if not slot.after_booking]
    size = occasion.chance.number("asks", 1, occasion.setting.sampling.asked)
    first = later if later and occasion.chance.happens("reference", 0.5) else []
    chosen = set(occasion.chance.some("ask", other, size - len(first)))
    return (*(slot for slot in other if slot in chosen), *first)


def _searched_slots(occasion: Occasion, target: Entry, near: Want | None) -> list[Want]:
    """Draw what is wanted of a place so that the target fits: of type, area, price range.

    `near` is the area of a place before.
    """
    schema = occasion.setting.schema
    slots = [slot.id for slot in schema.of_domain(occasion.domain) if slot.required]
    return [
        Want(slot, near.values, same_as=near.slot)
        if near and word_of(slot) == AREA
        else occasion.want(slot, slot, target.slots[slot])
        for slot in slots
        if schema.values(slot)
    ]


def _features(occasion: Occasion, target: Entry) -> list[Want]:
    chance, fixed = occasion.chance, occasion.own
    slots = {
        slot.id: target.slots.get(slot.id)
        for slot in occasion.setting.schema.of_domain(target.domain)
        if slot.boolean
    }
    weights = {
        slot: 1.0 if value == "yes" else occasion.rates.no
        for slot, value in slots.items()
        if value and slot not in fixed
    }
    size = chance.draw_weighted("features", dict(enumerate(occasion.rates.features)))
    drawn = chance.order("feature", weights)[: max(size - len(fixed.keys() & slots.keys()), 0)]
    values = {slot: fixed[slot] for slot in slots if slot in fixed}
    for slot in drawn:
        free = chance.happens(f"any/{slot}", occasion.rates.any)
        values[slot] = ANY if free else target.slots[slot]
    return [Want(slot, (value,)) for slot, value in values.items()]


def _begin_otherwise(occasion: Occasion, wants: list[Want]) -> list[Want]:
    """Let one want begin with a value that finds nothing, if there is any such value."""
    schema = occasion.setting.schema
    closed = [
        want
        for want in wants
        if schema.slots[want.slot].required and want.value != ANY and not want.same_as
    ]
    for want in occasion.chance.some("which", closed, len(closed)):
        rest = {w.slot: w.value for w in wants if w.slot != want.slot}
        there = {entry.slots[want.slot] for entry in occasion.matching(rest)}
        known = {entry.slots[want.slot] for entry in occasion.matching({})}
        if values := [v for v in schema.values(want.slot) if v in known - there]:
            changed = replace(want, first=occasion.chance.pick("first", values))
            return [changed if w is want else w for w in wants]
    return wants


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
    ends = _ends(occasion, lambda place: tuple(entry.name for entry in place.matches))
    if ends is None:
        return None
    material, slot = occasion.setting.knowledge.virtual.material, f"{TAXI}-{TYPE}"
    minutes = _minutes(occasion.chance, "minutes", material.taxi.minutes)
    kind = occasion.chance.pick("which", occasion.setting.schema.values(slot))
    wants = [
        *_between(TAXI, *ends),
        *_taxi_times(occasion, *ends, minutes),
        occasion.want("kind", slot, kind),
    ]
    return Part(TAXI, tuple(wants), _asks(occasion), taxi_minutes=minutes)


def metro(occasion: Occasion) -> Part | None:
    """Draw what is wanted of the metro: stations near places before or any others, and a time.

    None if there is nowhere to go.
    """
    ends = _ends(occasion, _stations)
    if ends is None:
        return None
    wants = _between(METRO, *ends)
    if occasion.chance.happens("leaves", occasion.rates.metro_leave):
        time = time_of(_minutes(occasion.chance, "leave", _DAY))
        wants.append(occasion.want("any", f"{METRO}-{LEAVE}", time))
    return Part(METRO, tuple(wants), _asks(occasion))


def _between(domain: str, start: End, end: End) -> list[Want]:
    ends = {FROM: start, TO: end}
    return [Want(f"{domain}-{word}", e.values, same_as=e.same_as) for word, e in ends.items()]


def _ends(occasion: Occasion, values: Callable[[Part], tuple[str, ...]]) -> tuple[End, End] | None:
    """Draw both ends; two places that could be one and the same are not a journey.

    `values` returns those of an end at a place before. None where the places before are near all
    stations, so that none is left for the other end.
    """
    chance = occasion.chance
    places = [End(values(part), part) for part in occasion.before if part.matches]
    pairs = [
        (a, b) for a, b in product(places, repeat=2) if a is not b and not {*a.values} & {*b.values}
    ]
    kind = _kind_of_ends(occasion, pairs=bool(pairs), places=bool(places))
    if kind == "both":
        return chance.pick("pair", pairs)
    near = chance.pick("place", places) if kind in ("from", "to") else None
    taken = {*near.values, *(_stations(near.place) if near.place else ())} if near else set()
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
    return str(
        occasion.chance.draw_weighted("ends", weights if sum(weights.values()) else {"none": 1})
    )


def _stations(part: Part) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.get(STATION) for entry in part.matches))


def _taxi_times(occasion: Occasion, start: End, end: End, minutes: int) -> list[Want]:
    """Return when to leave and to arrive: in time for a booking, or after the meal."""
    chance, rates = occasion.chance, occasion.rates
    leave, booked = _leaving(chance, start, end, minutes)
    wants = [occasion.want("any", f"{TAXI}-{LEAVE}", leave)]
    if booked and chance.happens("in time", rates.arrive_booked):
        wants.append(Want(f"{TAXI}-{ARRIVE}", (booked,), same_as=f"{RESTAURANT}-{TIME}"))
    if not booked and chance.happens("arrives", rates.arrive):
        arrive = after(leave, minutes + chance.number("spare", 1, 4) * _STEP)
        if arrive > leave:  # a journey past midnight has no such wish
            wants.append(Want(f"{TAXI}-{ARRIVE}", (arrive,)))
    return wants


def _leaving(chance: Chance, start: End, end: End, minutes: int) -> tuple[str, str]:
    """Return a time to leave, and the booked time to be there, if there is one."""
    booked, eaten = _booked_time(end), _booked_time(start)
    if booked:
        return after(booked, -minutes - _minutes(chance, "early", _EARLY)), booked
    if eaten:
        return after(eaten, _minutes(chance, "meal", _MEAL)), ""
    return time_of(_minutes(chance, "leave", _DAY)), ""


def _booked_time(end: End) -> str:
    want = end.place.want(TIME) if end.place and end.place.domain == RESTAURANT else None
    return want.value if want and want.value != ANY else ""


def _minutes(chance: Chance, what: str, bounds: Sequence[int]) -> int:
    return chance.number(what, *(bound // _STEP for bound in bounds)) * _STEP
