"""What a booking is for: day, time, people and length of stay, often as in a booking before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pipeline.tasks.dst.goals.goal import Want
from pipeline.tasks.dst.goals.setting import Occasion
from pipeline.tasks.dst.ground.names import ANY, DAY, PEOPLE, word_of
from pipeline.tasks.dst.ground.times import minutes_of, time_of
from pipeline.tasks.dst.knowledge.entry import Entry

#: Numbers up to here are common: 1 to 5 people or days.
_COMMON: Final = 5
#: Bookings are at whole five minutes, and at 21:30 at the latest.
_ROUND: Final = 5
_LATEST: Final = 21 * 60 + 30


def booking(occasion: Occasion, matches: Sequence[Entry]) -> list[Want]:
    """Draw the slots of a booking that all matching places can take."""
    return [_want(occasion, slot.id, matches) for slot in occasion.schema.booking(occasion.domain)]


def _want(occasion: Occasion, slot: str, matches: Sequence[Entry]) -> Want:
    word = word_of(slot)
    shares = {DAY: occasion.rates.same_day, PEOPLE: occasion.rates.same_people}
    earlier = occasion.earlier(word)
    if slot in occasion.mine:
        return Want(slot, (occasion.mine[slot],))
    if occasion.is_free(f"any/{slot}", slot):
        return Want(slot, (ANY,))
    if earlier and occasion.chance.happens(f"same/{slot}", shares.get(word, 0)):
        return Want(slot, earlier[-1].values, same_as=earlier[-1].slot)
    if not occasion.schema.values(slot):
        return Want(slot, (_open_time(occasion, matches),))
    return Want(slot, (_value(occasion, slot, earlier),))


def _value(occasion: Occasion, slot: str, earlier: Sequence[Want]) -> str:
    """Draw a day, or a number: most are small, and a large party before is one still."""
    values = occasion.schema.values(slot)
    if word_of(slot) == DAY or len(values) <= _COMMON:
        return occasion.chance.pick(slot, values)
    large = occasion.chance.happens(f"large/{slot}", occasion.rates.large)
    if earlier:
        large = earlier[-1].value in values[_COMMON:]
    return occasion.chance.pick(slot, values[_COMMON:] if large else values[:_COMMON])


def _open_time(occasion: Occasion, matches: Sequence[Entry]) -> str:
    """Draw a time at which all places that fit are open and still take orders."""
    low = max(minutes_of(entry.get("영업 시간").split("-")[0]) for entry in matches)
    last = (
        entry.get("마지막 주문 시간") or entry.get("영업 시간").split("-")[1] for entry in matches
    )
    high = min(_LATEST, *(minutes_of(time) for time in last))
    return time_of(occasion.chance.number("time", low // _ROUND, high // _ROUND) * _ROUND)
