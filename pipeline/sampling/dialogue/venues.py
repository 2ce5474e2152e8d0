"""What a goal wants of a hotel, a restaurant or an attraction: around a place that is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.sampling.dialogue.chance import Chance
from pipeline.sampling.dialogue.entry import Entry, Pool
from pipeline.sampling.dialogue.goal import Part, Want
from pipeline.sampling.dialogue.knowledge import Knowledge
from pipeline.sampling.dialogue.schema import ANY, Schema, domain_of, word_of
from pipeline.sampling.dialogue.times import minutes_of, time_of
from pipeline.tasks.sampling.dialogue import DialogueSampling

AREA: Final = "지역"
NAME: Final = "이름"
DAY: Final = "예약 요일"
TIME: Final = "예약 시간"
PEOPLE: Final = "예약 명수"
_COMMON: Final = 5
_ROUND: Final = 5
_LATEST: Final = 21 * 60 + 30


@dataclass(frozen=True)
class Setting:
    """What all goals are drawn from."""

    sampling: DialogueSampling
    schema: Schema
    knowledge: Knowledge

    def matching(self, pool: Pool, domain: str, wanted: Mapping[str, str]) -> tuple[Entry, ...]:
        """Return the places of a pool that have the wanted values; `dontcare` fits all."""
        asked = [(slot, value) for slot, value in wanted.items() if value != ANY]
        return tuple(
            entry
            for entry in self.knowledge.open_to(domain, pool)
            if all(entry.slots.get(slot) == value for slot, value in asked)
        )


def venue(
    setting: Setting,
    chance: Chance,
    domain: str,
    *,
    pool: Pool,
    fixed: Mapping[str, str],
    before: Sequence[Part],
) -> Part | None:
    """Draw what is wanted of a place; None when no place has the `fixed` values.

    `fixed` are values that the goal must ask for, `before` the parts that it may refer to.
    """
    mine = {slot: value for slot, value in fixed.items() if domain_of(slot) == domain}
    bookings = {slot.id for slot in setting.schema.booking(domain)}
    searched = {slot: value for slot, value in mine.items() if slot not in bookings}
    target, near = _target(setting, chance, domain, pool, searched, before)
    if target is None:
        return None
    rates = setting.sampling.rates
    named = not searched and not near and chance.happens("named", rates.named)
    wants: list[Want] = []
    matches: tuple[Entry, ...] = (target,)
    if not named:
        wants = _searched(setting, chance, target, searched, near)
        wanted = {want.slot: want.value for want in wants}
        matches = _found(setting, chance, target, setting.matching(pool, domain, wanted))
        if not fixed and chance.happens("otherwise", rates.otherwise):
            wants = _otherwise(setting, chance, domain, pool, wants)
    wants.append(Want(f"{domain}-{NAME}", tuple(entry.name for entry in matches)))
    booked = bool(bookings) and (bool(mine.keys() & bookings) or chance.happens("b", rates.booked))
    if booked:
        wants += _booking(setting, chance, domain, matches, mine, before)
    asks = _asks(setting, chance, domain, booked=booked)
    return Part(domain, tuple(wants), asks, matches, named=named, booked=booked)


def _target(
    setting: Setting,
    chance: Chance,
    domain: str,
    pool: Pool,
    searched: Mapping[str, str],
    before: Sequence[Part],
) -> tuple[Entry | None, Want | None]:
    """Draw a place, and the area before that the user wants it near, if so."""
    entries: Sequence[Entry] = setting.matching(pool, domain, searched)
    if pool == "held_out":
        unseen = chance.happens("unseen", setting.sampling.unseen_targets)
        entries = [e for e in entries if (e.pool == "held_out") == unseen] or entries
    areas = [w for part in before if (w := part.want(AREA)) and w.value not in ("", ANY)]
    near = None
    if areas and f"{domain}-{AREA}" not in searched:
        area = chance.pick("area", areas)
        there = [entry for entry in entries if entry.get(AREA) == area.value]
        if there and chance.happens("near", setting.sampling.rates.near):
            entries, near = there, area
    return (chance.pick("target", entries) if entries else None), near


def _found(
    setting: Setting, chance: Chance, target: Entry, matches: tuple[Entry, ...]
) -> tuple[Entry, ...]:
    """Return the places that the search shows: the target, and so many others that fit."""
    others = [entry for entry in chance.turned("matches", matches) if entry is not target]
    return (target, *others[: setting.sampling.fitting - 1])


def _searched(
    setting: Setting,
    chance: Chance,
    target: Entry,
    fixed: Mapping[str, str],
    near: Want | None,
) -> list[Want]:
    """Return type, area and price range, and features."""
    found = []
    for slot in setting.schema.searched(target.domain):
        free = slot.id not in fixed and chance.happens(
            slot.id, setting.sampling.rates.dontcare.get(slot.id, 0)
        )
        if near and word_of(slot.id) == AREA:
            found.append(Want(slot.id, near.values, same_as=near.slot))
        elif free:
            found.append(Want(slot.id, (ANY,)))
        else:
            found.append(Want(slot.id, (target.slots[slot.id],)))
    return found + _features(setting, chance, target, fixed)


def _features(
    setting: Setting, chance: Chance, target: Entry, fixed: Mapping[str, str]
) -> list[Want]:
    rates = setting.sampling.rates
    slots = {slot.id: target.slots.get(slot.id) for slot in setting.schema.features(target.domain)}
    weights = {
        slot: 1.0 if value == "yes" else rates.no
        for slot, value in slots.items()
        if value and slot not in fixed
    }
    size = chance.weighted("features", dict(enumerate(rates.features)))
    drawn = chance.order("feature", weights)[: max(size - len(fixed.keys() & slots.keys()), 0)]
    found = [Want(slot, (fixed[slot],)) for slot in slots if slot in fixed]
    for slot in drawn:
        free = chance.happens(f"any/{slot}", rates.any)
        found.append(Want(slot, (ANY if free else target.slots[slot],)))
    return found


def _otherwise(
    setting: Setting, chance: Chance, domain: str, pool: Pool, wants: list[Want]
) -> list[Want]:
    """Let one want begin with a value that finds nothing, if there is any such value."""
    open_ = [
        want
        for want in wants
        if setting.schema.slots[want.slot].required and want.value != ANY and not want.same_as
    ]
    for want in chance.some("which", open_, len(open_)):
        rest = {w.slot: w.value for w in wants if w.slot != want.slot}
        there = {e.slots[want.slot] for e in setting.matching(pool, domain, rest)}
        known = {e.slots[want.slot] for e in setting.knowledge.open_to(domain, pool)}
        values = [v for v in setting.schema.values(want.slot) if v in known - there]
        if values:
            first = chance.pick("first", values)
            changed = Want(want.slot, want.values, first=first)
            return [changed if w is want else w for w in wants]
    return wants


def _booking(
    setting: Setting,
    chance: Chance,
    domain: str,
    matches: Sequence[Entry],
    fixed: Mapping[str, str],
    before: Sequence[Part],
) -> list[Want]:
    rates = setting.sampling.rates
    shares = {DAY: rates.same_day, PEOPLE: rates.same_people}
    found = []
    for slot in setting.schema.booking(domain):
        word = word_of(slot.id)
        earlier = [w for part in before if (w := part.want(word)) and w.value not in ("", ANY)]
        free = chance.happens(f"any/{slot.id}", rates.dontcare.get(slot.id, 0))
        if slot.id in fixed:
            found.append(Want(slot.id, (fixed[slot.id],)))
        elif free:
            found.append(Want(slot.id, (ANY,)))
        elif earlier and chance.happens(f"same/{slot.id}", shares.get(word, 0)):
            found.append(Want(slot.id, earlier[-1].values, same_as=earlier[-1].slot))
        elif not setting.schema.values(slot.id):
            found.append(Want(slot.id, (_open_time(chance, matches),)))
        else:
            found.append(Want(slot.id, (_value(setting, chance, slot.id),)))
    return found


def _value(setting: Setting, chance: Chance, slot: str) -> str:
    """Draw a day, or a number: most are small."""
    values = setting.schema.values(slot)
    if word_of(slot) == DAY or len(values) <= _COMMON:
        return chance.pick(slot, values)
    large = chance.happens(f"large/{slot}", setting.sampling.rates.large)
    return chance.pick(slot, values[_COMMON:] if large else values[:_COMMON])


def _open_time(chance: Chance, matches: Sequence[Entry]) -> str:
    """Draw a time at which all places that fit are open and still take orders."""
    low = max(minutes_of(entry.get("영업 시간").split("-")[0]) for entry in matches)
    last = (
        entry.get("마지막 주문 시간") or entry.get("영업 시간").split("-")[1] for entry in matches
    )
    high = min(_LATEST, *(minutes_of(time) for time in last))
    return time_of(chance.number("time", low // _ROUND, high // _ROUND) * _ROUND)


def _asks(setting: Setting, chance: Chance, domain: str, *, booked: bool) -> tuple[str, ...]:
    """Draw what to ask for: most often the reference number of a booking, and a few others."""
    slots = setting.schema.requestable(domain)
    after = [slot.id for slot in slots if slot.after_booking and booked]
    other = [slot.id for slot in slots if not slot.after_booking]
    size = chance.number("asks", 1, setting.sampling.asked)
    first = after if after and chance.happens("reference", 0.5) else []
    chosen = set(chance.some("ask", other, size - len(first)))
    return (*(slot for slot in other if slot in chosen), *first)
