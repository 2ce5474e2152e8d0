"""What the wizard has before them: values to choose from, and entries of the knowledge base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.tasks.dst.goals.goal import Goal, Part, Want
from pipeline.tasks.dst.goals.setting import Setting
from pipeline.tasks.dst.ground.chance import Chance
from pipeline.tasks.dst.ground.names import (
    ANY,
    ARRIVE,
    FROM,
    LEAVE,
    METRO,
    NAME,
    STATION,
    TAXI,
    TO,
    VENUES,
    domain_of,
    word_of,
)
from pipeline.tasks.dst.ground.times import after
from pipeline.tasks.dst.knowledge.entry import Entry

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
