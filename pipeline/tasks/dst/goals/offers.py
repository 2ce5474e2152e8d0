"""What the knowledge base offers for a goal: venues that fit, and searches for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.tasks.dst.goals.goal import Goal, Occasion, Part, Setting, Want, booking
from pipeline.tasks.dst.knowledge.base import Entry
from pipeline.tasks.dst.schema import (
    ANY,
    AREA,
    ARRIVE,
    FROM,
    LEAVE,
    METRO,
    NAME,
    STATION,
    TAXI,
    TO,
    VENUES,
    Chance,
    after,
    domain_of,
    word_of,
)


def venue(occasion: Occasion) -> Part | None:
    """Draw what is wanted of a place; None when no place has the fixed values."""
    target, near = _target(occasion)
    if target is None:
        return None
    named = not (occasion.searched or near) and _happens(occasion, "named", occasion.rates.named)
    wants, matches = ([], (target,)) if named else _searched(occasion, target, near)
    wants.append(Want(f"{occasion.domain}-{NAME}", tuple(entry.name for entry in matches)))
    booked = _is_booked(occasion)
    if booked:
        wants += booking(occasion, matches)
    return Part(
        occasion.domain,
        tuple(wants),
        _asks(occasion, booked=booked),
        matches,
        named=named,
        booked=booked,
    )


def _target(occasion: Occasion) -> tuple[Entry | None, Want | None]:
    """Draw a place, and the area before that the user wants it near, if so."""
    entries = _pooled(occasion, occasion.matching(occasion.searched))
    areas, near = occasion.earlier(AREA), None
    if areas and f"{occasion.domain}-{AREA}" not in occasion.searched:
        area = occasion.chance.pick("area", areas)
        there = [entry for entry in entries if entry.get(AREA) == area.value]
        if there and _happens(occasion, "near", occasion.rates.near):
            entries, near = there, area
    return (occasion.chance.pick("target", entries) if entries else None), near


def _pooled(occasion: Occasion, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the unseen ones for a goal of dev and test, or the others; all if there are none."""
    if occasion.pool == "train":
        return entries
    unseen = _happens(occasion, "unseen", occasion.setting.sampling.unseen_targets)
    return [entry for entry in entries if (entry.pool == "held_out") == unseen] or entries


def _searched(
    occasion: Occasion, target: Entry, near: Want | None
) -> tuple[list[Want], tuple[Entry, ...]]:
    """Return what is searched for, and the places that the search shows, the target first."""
    wants = searching(occasion, target, near)
    fitting = occasion.matching({want.slot: want.value for want in wants})
    others = [entry for entry in occasion.chance.turned("matches", fitting) if entry is not target]
    matches = (target, *others[: occasion.setting.sampling.fitting - 1])
    if not occasion.fixed and _happens(occasion, "otherwise", occasion.rates.otherwise):
        wants = otherwise(occasion, wants)
    return wants, matches


def _is_booked(occasion: Occasion) -> bool:
    if not occasion.bookable:
        return False
    fixed = bool(occasion.mine.keys() & occasion.bookable)
    return fixed or _happens(occasion, "b", occasion.rates.booked)


def _asks(occasion: Occasion, *, booked: bool) -> tuple[str, ...]:
    """Draw what to ask for: most often the reference number of a booking, and a few others."""
    slots = occasion.schema.requestable(occasion.domain)
    after = [slot.id for slot in slots if slot.after_booking and booked]
    other = [slot.id for slot in slots if not slot.after_booking]
    size = occasion.chance.number("asks", 1, occasion.setting.sampling.asked)
    first = after if after and _happens(occasion, "reference", 0.5) else []
    chosen = set(occasion.chance.some("ask", other, size - len(first)))
    return (*(slot for slot in other if slot in chosen), *first)


def _happens(occasion: Occasion, what: str, share: float) -> bool:
    return occasion.chance.happens(what, share)


def searching(occasion: Occasion, target: Entry, near: Want | None) -> list[Want]:
    """Draw what is wanted of a place so that the target fits; `near` is the area of one before."""
    found = []
    for slot in occasion.schema.searched(occasion.domain):
        if near and word_of(slot.id) == AREA:
            found.append(Want(slot.id, near.values, same_as=near.slot))
        else:
            free = occasion.is_free(slot.id, slot.id)
            found.append(Want(slot.id, (ANY if free else target.slots[slot.id],)))
    return found + _features(occasion, target)


def _features(occasion: Occasion, target: Entry) -> list[Want]:
    """Return the fixed features, and so many others as are drawn."""
    chance, fixed = occasion.chance, occasion.mine
    slots = {slot.id: target.slots.get(slot.id) for slot in occasion.schema.features(target.domain)}
    weights = {
        slot: 1.0 if value == "yes" else occasion.rates.no
        for slot, value in slots.items()
        if value and slot not in fixed
    }
    size = chance.weighted("features", dict(enumerate(occasion.rates.features)))
    drawn = chance.order("feature", weights)[: max(size - len(fixed.keys() & slots.keys()), 0)]
    found = [Want(slot, (fixed[slot],)) for slot in slots if slot in fixed]
    for slot in drawn:
        free = chance.happens(f"any/{slot}", occasion.rates.any)
        found.append(Want(slot, (ANY if free else target.slots[slot],)))
    return found


def otherwise(occasion: Occasion, wants: list[Want]) -> list[Want]:
    """Let one want begin with a value that finds nothing, if there is any such value."""
    required = [want for want in wants if occasion.schema.slots[want.slot].required]
    closed = [want for want in required if want.value != ANY and not want.same_as]
    for want in occasion.chance.some("which", closed, len(closed)):
        if values := _nowhere(occasion, want, wants):
            changed = Want(want.slot, want.values, first=occasion.chance.pick("first", values))
            return [changed if w is want else w for w in wants]
    return wants


def _nowhere(occasion: Occasion, want: Want, wants: Sequence[Want]) -> list[str]:
    """Return the values of a slot that some places have, but none that fits all other wants."""
    rest = {w.slot: w.value for w in wants if w.slot != want.slot}
    there = {entry.slots[want.slot] for entry in occasion.matching(rest)}
    known = {entry.slots[want.slot] for entry in occasion.matching({})}
    return [v for v in occasion.schema.values(want.slot) if v in known - there]


#: Other times that are offered beside the one of the goal, in minutes from it.
_BESIDE: Final = (-60, -30, 30, 60)
#: Times that are offered where neither the goal nor an entry has one.
_TIMES: Final = ("10:00", "14:00", "18:00")
#: Stations that are offered beside those near the shown places.
_STATIONS: Final = 4
_NEAR: Final = f"-{STATION}"


def knowledge_of(setting: Setting, goal: Goal, seed: int) -> list[dict[str, str]]:
    """Return entries of each domain of a goal: those that fit, and some that just do not.

    `shown` places a domain; a taxi of each type, and all journeys that the goal may come to.
    """
    found: list[dict[str, str]] = []
    for part in goal.parts:
        chance = Chance(seed, "shown", f"{goal.name}/{part.domain}")
        if part.domain == TAXI:
            entries = _taxis(setting, goal, part)
        elif part.domain == METRO:
            entries = _journeys(setting, part)
        else:
            entries = _places(setting, goal, part, chance)
        found += [entry.shown for entry in entries]
    return found


def candidates_of(
    setting: Setting, goal: Goal, knowledge: Sequence[Mapping[str, str]], seed: int
) -> dict[str, list[str]]:
    """Return the values of each informable slot of a goal's domains, `dontcare` the last.

    Closed slots have all their values; names, stations and times those of the goal and of the shown
    entries, and some more stations, sorted, so that no list gives the goal away.
    """
    near = _stations(setting, goal, knowledge, seed)
    found: dict[str, list[str]] = {}
    for slot in (s for domain in goal.domains for s in setting.schema.of_domain(domain)):
        if slot.informable:
            values = setting.schema.values(slot.id)
            open_ = () if values else sorted(_open_values(goal, slot.id, knowledge, near))
            found[slot.id] = [*values, *open_, ANY]
    return found


def _stations(
    setting: Setting, goal: Goal, knowledge: Sequence[Mapping[str, str]], seed: int
) -> set[str]:
    """Return the stations near what is shown, and some more."""
    stations = setting.knowledge.virtual.metro.stations
    more = Chance(seed, "offered", goal.name).turned("stations", stations)[:_STATIONS]
    near = {value for row in knowledge for slot, value in row.items() if slot.endswith(_NEAR)}
    return near | set(more)


def _places(setting: Setting, goal: Goal, part: Part, chance: Chance) -> list[Entry]:
    fitting = {entry.instance for entry in part.matches}
    others = [
        entry
        for entry in setting.knowledge.open_to(part.domain, goal.pool)
        if entry.instance not in fitting
    ]
    wants = [w for w in part.wants if w.value != ANY and word_of(w.slot) != NAME]
    near = sorted(chance.turned("other", others), key=lambda entry: _missed(entry, wants))
    entries = [*part.matches, *near[: setting.sampling.shown - len(part.matches)]]
    return sorted(entries, key=lambda entry: entry.name)


def _missed(entry: Entry, wants: Sequence[Want]) -> int:
    """Return how many wants an entry misses; one less if it has what is asked for first."""
    missed = 0
    for want in wants:
        value = entry.slots.get(want.slot)  # none of a booking
        missed += value is not None and value not in want.values
        missed -= bool(want.first) and value == want.first
    return missed


def _taxis(setting: Setting, goal: Goal, part: Part) -> list[Entry]:
    known = {
        want.slot: want.value
        for want in part.wants
        if want.value not in ("", ANY) and word_of(want.slot) in (LEAVE, FROM, TO)
    }
    leave = known.get(f"{TAXI}-{LEAVE}")
    if leave:
        known[f"{TAXI}-{ARRIVE}"] = after(leave, part.taxi_minutes)
    return setting.knowledge.taxis(goal.name, part.taxi_minutes, known)


def _journeys(setting: Setting, part: Part) -> list[Entry]:
    starts, ends, leave = (part.want(word) for word in (FROM, TO, LEAVE))
    if starts is None or ends is None:
        return []
    time = leave.value if leave and leave.value != ANY else ""
    return [setting.knowledge.journey(a, b, time) for a in starts.values for b in ends.values]


def _open_values(
    goal: Goal, slot: str, knowledge: Sequence[Mapping[str, str]], stations: set[str]
) -> set[str]:
    """Return the values of an open slot: names of its domain, ends of a journey, or times."""
    domain, word = domain_of(slot), word_of(slot)
    wanted = {value for value in goal.expected.get(slot, []) if value != ANY}
    if word == NAME:
        return wanted | {row["name"] for row in knowledge if row["domain"] == domain}
    if word.endswith("시간"):
        told = sorted(row[slot] for row in knowledge if slot in row)
        base = wanted or set(told[:1] or _TIMES)
        return base | {after(time, minutes) for time in base for minutes in _BESIDE}
    names = {row["name"] for row in knowledge if row["domain"] in VENUES}
    return wanted | stations | (names if domain == TAXI else set())
