"""Places of the knowledge base: real ones from a file, and virtual ones of a data file's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field

from pipeline.contracts.sampling import Share
from pipeline.core.errors import InputError, SpecError
from pipeline.core.io import Quarantined, guess_source, read_batches
from pipeline.core.specs import Many, Spec, Text, load
from pipeline.core.wording import count
from pipeline.tasks.dst.knowledge.metro import Metro
from pipeline.tasks.dst.schema import (
    AREA,
    ATTRACTION,
    DATA,
    HOTEL,
    NAME,
    RESTAURANT,
    STATION,
    TYPE,
    Chance,
    Schema,
    word_of,
)

#: The places that come with the project.
PLACES: Final = DATA / "places.csv"
#: The domains of virtual places.
VIRTUAL: Final = (HOTEL, RESTAURANT)
RULE: Final = "dst.place@1"
_NEEDED: Final = (NAME, TYPE, AREA)


if TYPE_CHECKING:
    from faker import Faker


def read_places(
    path: Path, schema: Schema, metro: Metro
) -> tuple[list[dict[str, str]], list[Quarantined]]:
    """Return the slots of each place, by id and in the order of the file, and the faulty rows.

    A place has values that the schema allows, a name that no place before it has, and a station, if
    any, that the metro serves. Raises InputError for a file that cannot be read as a whole, and for
    one without any place, with the reasons.
    """
    places: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    faults: list[Quarantined] = []
    for row, line, slots in _rows(path, schema, faults):
        if reason := _fault(slots, lines, schema, metro):
            faults.append(Quarantined(row, line, RULE, reason))
        else:
            name = slots[f"{ATTRACTION}-{NAME}"]
            places[name], lines[name] = slots, line
    faults.sort(key=lambda fault: fault.line)
    if not places:
        raise InputError(_unusable(path, faults))
    return list(places.values()), faults


def _rows(
    path: Path, schema: Schema, faults: list[Quarantined]
) -> Iterator[tuple[int, int, dict[str, str]]]:
    """Yield the number, the line and the slots of each row that can be read."""
    words = [word_of(slot.id) for slot in schema.of_domain(ATTRACTION)]
    try:
        source = guess_source(path, text=NAME, advice=f"call the column of names {NAME}")
        for batch in read_batches(source, quarantine=faults.append, columns=words):
            slots = [f"{ATTRACTION}-{word}" for word in (NAME, *batch.columns)]
            columns = (batch.rows, batch.lines, batch.texts, *batch.columns.values())
            for row, line, *texts in zip(*(column.to_pylist() for column in columns), strict=True):
                values = zip(slots, [(text or "").strip() for text in texts], strict=True)
                yield row, line, {slot: value for slot, value in values if value}
    except InputError as error:
        raise InputError(
            f"{error}\n  a list of places is a CSV or JSONL file with {', '.join(_NEEDED)} for each"
            " place; see data/dialogue/README.md"
        ) from None


def _fault(slots: Mapping[str, str], lines: Mapping[str, int], schema: Schema, metro: Metro) -> str:
    if missing := [word for word in _NEEDED if not slots.get(f"{ATTRACTION}-{word}")]:
        return f"without {', '.join(missing)}; every place needs {', '.join(_NEEDED)}"
    first = lines.get(slots[f"{ATTRACTION}-{NAME}"])
    if first is not None:
        return f"the place of line {first} has the same name; keep one of them"
    if broken := [slot for slot, value in slots.items() if len(value.splitlines()) > 1]:
        return f"{broken[0]}: holds a line break; write it on one line"
    reasons = schema.faults(slots)
    if slots.get(f"{ATTRACTION}-{STATION}", metro.stations[0]) not in metro.stations:
        reasons.insert(
            0, f"{ATTRACTION}-{STATION}: not among the stations that the metro file serves"
        )
    return "; ".join(reasons)


def _unusable(path: Path, faults: Sequence[Quarantined]) -> str:
    if not faults:
        return f"{path}: holds no place; give rows with the columns {', '.join(_NEEDED)}"
    reasons = Counter(fault.reason for fault in faults)
    first = {fault.reason: fault.line for fault in reversed(faults)}
    lines = [
        f"  line {first[reason]}{f' and {count - 1} more' if count > 1 else ''}: {reason}"
        for reason, count in reasons.most_common(3)
    ]
    return "\n".join([f"{path}: none of {count(len(faults), 'row')} is a place:", *lines])


Hours = Annotated[list[Annotated[int, Field(ge=0, le=24)]], Field(min_length=1)]


class Venue(Spec):
    """A domain of virtual places, or, without names and types, what is added to real ones."""

    nouns: Many[Text] = ()
    endings: dict[str, Many[Text]] = Field(default_factory=dict)
    types: dict[str, Share] = Field(default_factory=dict)
    prices: dict[str, Share] = Field(default_factory=dict)
    features: dict[str, Annotated[int, Field(ge=0, le=100)]] = Field(default_factory=dict)
    opens: Hours
    closes: Hours
    dishes: dict[str, Many[Text]] = Field(default_factory=dict)
    fees: Many[Text] = ()


class Rate(Spec):
    """Won to begin with, and for each minute."""

    base: int
    minute: int


class Taxis(Spec):
    """The least and the most minutes of a journey, and the rates of each type."""

    minutes: Annotated[list[int], Field(min_length=2, max_length=2)]
    types: dict[str, Rate]


class Material(Spec):
    """`data/dialogue/venues.yaml`."""

    modifiers: Many[Text]
    domains: dict[str, Venue]
    ratings: Many[Text]
    walks: dict[Literal["yes", "no"], list[int]]
    districts: dict[str, Many[Text]]
    taxi: Taxis


@cache
def material(folder: Path = DATA) -> Material:
    """Return what virtual places are made of."""
    return load(folder / "venues.yaml", Material)


class Virtual:
    """Makes up places of one seed."""

    def __init__(self, seed: int, material: Material, metro: Metro) -> None:
        self.seed, self.material, self.metro = seed, material, metro

    def places(self, domain: str, size: int) -> list[dict[str, str]]:
        """Return the slots of so many virtual hotels or restaurants, no two of the same name.

        Raises SpecError when there are fewer names.
        """
        nouns = self.material.domains[domain].nouns
        words = [f"{a} {b}" for a, b in product(self.material.modifiers, nouns)]
        if size > len(words):
            raise SpecError(
                f"sampling.instances.{domain}: {size} are wanted, but data/dialogue/venues.yaml has"
                f" names for {len(words)}; give {len(words)} or fewer"
            )
        names = Chance(self.seed, "place", domain).some("names", words, size)
        return [
            self._place(domain, Chance(self.seed, "place", f"{domain}/{number}"), name)
            for number, name in enumerate(names)
        ]

    def complete(self, domain: str, name: str, given: dict[str, str]) -> dict[str, str]:
        """Return the slots of a place with those that it lacks and that somebody may ask for."""
        chance = Chance(self.seed, "place", f"{domain}/{name}")
        walkable = given.get(f"{domain}-도보 가능", "yes")
        low, high = self.material.walks["yes" if walkable == "yes" else "no"]
        venue = self.material.domains[domain]
        area = given[f"{domain}-지역"]
        opens, closes = chance.pick("opens", venue.opens), chance.pick("closes", venue.closes)
        district = chance.pick("district", self.material.districts[area])
        number = self._seeded_faker(f"{domain}/{name}/address").numerify("%####")
        slots = {
            "평점": chance.pick("rating", self.material.ratings),
            "인근 역": chance.pick("station", self.metro.served.get(area) or self.metro.stations),
            "역에서 도보 시간": f"{chance.number('walk', low, high)}분",
            "영업 시간": f"{opens:02}:00-{closes:02}:00",
            "주소": f"서울 {district} {number}",
            "전화 번호": self.phone(f"{domain}/{name}/phone"),
        }
        if domain == RESTAURANT:
            slots["마지막 주문 시간"] = f"{closes - 1:02}:30"
            slots["대표 메뉴"] = chance.pick("dish", venue.dishes[given[f"{domain}-종류"]])
        if venue.fees:
            slots["입장료"] = chance.pick("fee", venue.fees)
        return {f"{domain}-{word}": value for word, value in slots.items()} | given

    def phone(self, name: str) -> str:
        """Return a phone number that nobody has."""
        return str(self._seeded_faker(name).numerify("02-0##-####"))

    def _place(self, domain: str, chance: Chance, words: str) -> dict[str, str]:
        venue = self.material.domains[domain]
        kind = chance.draw_weighted("type", venue.types)
        ending = chance.pick("ending", venue.endings[kind])
        slots = {
            "이름": f"{words} {ending}",
            "종류": kind,
            "지역": chance.pick("area", list(self.metro.served)),
            "가격대": chance.draw_weighted("price", venue.prices),
            **{
                word: "yes" if chance.happens(word, percent / 100) else "no"
                for word, percent in venue.features.items()
            },
        }
        given = {f"{domain}-{word}": value for word, value in slots.items()}
        return self.complete(domain, slots["이름"], given)

    @cached_property
    def _faker(self) -> Faker:
        from faker import Faker

        return Faker("ko_KR")

    def _seeded_faker(self, name: str) -> Faker:
        digest = blake2b(f"{self.seed}\x1f{name}".encode(), digest_size=8).digest()
        self._faker.seed_instance(int.from_bytes(digest, "big"))
        return self._faker
