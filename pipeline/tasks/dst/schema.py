"""Slots by domain, their names, times of the day, keyed chance, checks of the spec section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pipeline.contracts.spec import Slot
from pipeline.core import resources
from pipeline.core.errors import SpecError
from pipeline.core.ids import draw
from pipeline.tasks.dst.spec import DialogueSampling

#: The folder of all data files of this package; its digest must enter the fingerprint of a call.
DATA: Final = resources.DATA / "dialogue"

HOTEL: Final = "숙소"
RESTAURANT: Final = "식당"
ATTRACTION: Final = "관광"
TAXI: Final = "택시"
METRO: Final = "지하철"
#: The domains of places, in the order of Table 23.
VENUES: Final = (HOTEL, RESTAURANT, ATTRACTION)
DOMAINS: Final = (*VENUES, TAXI, METRO)

NAME: Final = "이름"
TYPE: Final = "종류"
AREA: Final = "지역"
PRICE: Final = "가격대"
STATION: Final = "인근 역"
DAY: Final = "예약 요일"
TIME: Final = "예약 시간"
STAY: Final = "예약 기간"
PEOPLE: Final = "예약 명수"
LEAVE: Final = "출발 시간"
ARRIVE: Final = "도착 시간"
FROM: Final = "출발지"
TO: Final = "도착지"

#: The value that says that any will do, and those of a boolean slot.
ANY: Final = "dontcare"
YES_NO: Final = ("yes", "no")


def domain_of(slot: str) -> str:
    """Return the domain of a slot id."""
    return slot.split("-", 1)[0]


def word_of(slot: str) -> str:
    """Return the name of a slot without its domain."""
    return slot.split("-", 1)[1]


def minutes_of(time: str) -> int:
    """Return the minutes from midnight to HH:MM."""
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)


def time_of(minutes: int) -> str:
    """Return HH:MM of minutes from midnight, modulo a day."""
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def after(time: str, minutes: int) -> str:
    """Return the time so many minutes later, or earlier where they are negative."""
    return time_of(minutes_of(time) + minutes)


def in_words(time: str) -> list[str]:
    """Return the ways to write a time: 18:30, 18시 30분, 오후 6시 30분."""
    hours, minutes = divmod(minutes_of(time), 60)
    rest = f" {minutes}분" if minutes else ""
    half = "오전" if hours < 12 else "오후"
    return [time, f"{hours}시{rest}", f"{half} {(hours - 1) % 12 + 1}시{rest}"]


@dataclass(frozen=True)
class Schema:
    """All slots by id, in the order of the spec."""

    slots: Mapping[str, Slot]

    @classmethod
    def of(cls, dumped: Iterable[Mapping[str, Any]]) -> Schema:
        """Make the schema of the slots of a spec, dumped as plain data."""
        slots = [Slot.model_validate({**slot, "values": tuple(slot["values"])}) for slot in dumped]
        return cls({slot.id: slot for slot in slots})

    def of_domain(self, domain: str) -> list[Slot]:
        """Return the slots of a domain."""
        return [slot for slot in self.slots.values() if domain_of(slot.id) == domain]

    def values(self, slot: str) -> Sequence[str]:
        """Return the values of a closed slot without `dontcare`; none for an open one."""
        if self.slots[slot].boolean:
            return YES_NO
        return tuple(value for value in self.slots[slot].values if value != ANY)

    def faults(self, slots: Mapping[str, str]) -> list[str]:
        """Return what is wrong with the slots of an instance: unknown ones, values not allowed.

        The names of slots are told and the allowed values, never a value that is given.
        """
        unknown = [f"no slot {name!r}" for name in slots if name not in self.slots]
        wrong = [
            f"{name}: allowed are {', '.join(self.values(name))}"
            for name, value in slots.items()
            if name in self.slots and self.values(name) and value not in self.values(name)
        ]
        blank = [f"{name}: blank" for name, value in slots.items() if not value.strip()]
        return unknown + wrong + blank


def check_section(sampling: DialogueSampling, schema: Schema) -> None:
    """Raise SpecError for unknown domains or slots, and for a missing size of a table."""
    tracked = {slot.id for slot in schema.slots.values() if slot.informable}
    faults = [
        f"plans.{place}.domains: {domain!r} is no domain; allowed are {', '.join(DOMAINS)}"
        for place, plan in enumerate(sampling.plans)
        for domain in plan.domains
        if domain not in DOMAINS
    ]
    faults += [
        f"instances.{domain}: missing; say how many the knowledge base has"
        for domain in VENUES
        if domain not in sampling.instances
    ]
    faults += [
        f"instances.{domain}: no table of that name; drop it"
        for domain in sampling.instances
        if domain not in (*VENUES, METRO)
    ]
    faults += [
        f"rates.dontcare.{slot}: no slot of the spec that a state tracks; drop it"
        for slot in sampling.rates.dontcare
        if slot not in tracked
    ]
    if faults:
        raise SpecError("\n".join(f"sampling.{fault}" for fault in faults))


T = TypeVar("T")


@dataclass(frozen=True)
class Chance:
    """The chance of one thing; `name` tells it from others, and `what` its questions apart."""

    seed: int
    purpose: str
    name: str

    def happens(self, what: str, share: float) -> bool:
        """Tell whether something happens that does so in that share of cases."""
        return self._draw(what) < share

    def number(self, what: str, low: int, high: int) -> int:
        """Return a whole number between two, both included."""
        return low + int(self._draw(what) * (high - low + 1))

    def pick(self, what: str, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[int(self._draw(what) * len(options))]

    def draw_weighted(self, what: str, weights: Mapping[Any, float]) -> Any:
        """Return a key, each as often as its weight says; the order of the keys matters."""
        place = self._draw(what) * sum(weights.values())
        for key, weight in weights.items():
            place -= weight
            if place < 0:
                return key
        return next(reversed(weights))

    def order(self, what: str, options: Mapping[T, float]) -> list[T]:
        """Return all keys in the order of a draw without replacement by their weights."""
        # Efraimidis and Spirakis (2006): the largest u ** (1 / weight) comes first.
        keyed = [
            (-(self._draw(f"{what}/{option}") ** (1 / weight)), place, option)
            for place, (option, weight) in enumerate(options.items())
        ]
        return [option for _, _, option in sorted(keyed, key=lambda entry: entry[:2])]

    def some(self, what: str, options: Sequence[T], size: int) -> list[T]:
        """Return so many of the options, in a drawn order."""
        places = self.order(what, dict.fromkeys(range(len(options)), 1.0))
        return [options[place] for place in places[:size]]

    def rotate(self, what: str, options: Sequence[T]) -> list[T]:
        """Return all options, as a ring that begins at a drawn one: a cheap order, by one draw."""
        start = self.number(what, 0, max(len(options) - 1, 0))
        return [*options[start:], *options[:start]]

    def _draw(self, what: str) -> float:
        return draw(self.seed, f"dst.{self.purpose}", f"{self.name}/{what}")
