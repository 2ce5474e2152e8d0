"""Places of the knowledge base: real ones from a file, and virtual ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pipeline.core.errors import InputError
from pipeline.core.io import Batch, Quarantined, guess_source, read_batches
from pipeline.tasks.dst.knowledge.material import Material
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
RULE: Final = "dst.place@1"
_NEEDED: Final = (NAME, TYPE, AREA)
_LOST: Final = "not among the stations that the metro file serves"
#: So many reasons are told of a list without a place.
_TOLD: Final = 3


class Fault(NamedTuple):
    """A row that is no place: where, the rule it breaks, and why, without its text."""

    file: str
    line: int
    rule: str
    reason: str


def read_places(
    path: Path, schema: Schema, metro: Metro
) -> tuple[list[dict[str, str]], list[Fault]]:
    """Return the slots of each place, by id and in the order of the file, and the faulty rows.

    A place has values that the schema allows, a name that no place before it has, and a station, if
    any, that the metro serves. Raises InputError for a file that cannot be read as a whole, and for
    one without any place, with the reasons.
    """
    places: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    faults: list[Fault] = []
    for line, slots in _rows(path, schema, faults):
        if reason := _fault(slots, lines, schema, metro):
            faults.append(Fault(path.name, line, RULE, reason))
        else:
            name = slots[f"{ATTRACTION}-{NAME}"]
            places[name], lines[name] = slots, line
    faults.sort(key=lambda fault: fault.line)
    if not places:
        raise InputError(_unusable(path, faults))
    return list(places.values()), faults


def _rows(path: Path, schema: Schema, faults: list[Fault]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line and slots of each row; rows that cannot be read are added to the faults."""

    def unread(row: Quarantined) -> None:
        faults.append(Fault(path.name, row.line, row.rule, row.reason))

    columns = [word_of(slot.id) for slot in schema.of_domain(ATTRACTION)]
    try:
        source = guess_source(path, text=NAME)
        for batch in read_batches(source, quarantine=unread, columns=columns):
            yield from _of_batch(batch)
    except InputError as error:
        raise InputError(
            f"{error}\n  a list of places is a CSV or JSONL file with {', '.join(_NEEDED)} for each"
            " place; see data/dialogue/README.md"
        ) from None


def _of_batch(batch: Batch) -> Iterator[tuple[int, dict[str, str]]]:
    columns = {NAME: batch.texts, **batch.columns}
    values = {word: column.to_pylist() for word, column in columns.items()}
    for place, line in enumerate(batch.lines.to_pylist()):
        given = {word: (column[place] or "").strip() for word, column in values.items()}
        yield line, {f"{ATTRACTION}-{word}": value for word, value in given.items() if value}


def _fault(slots: Mapping[str, str], lines: Mapping[str, int], schema: Schema, metro: Metro) -> str:
    missing = [word for word in _NEEDED if not slots.get(f"{ATTRACTION}-{word}")]
    if missing:
        return f"without {', '.join(missing)}; every place needs {', '.join(_NEEDED)}"
    first = lines.get(slots[f"{ATTRACTION}-{NAME}"])
    if first is not None:
        return f"the place of line {first} has the same name; keep one of them"
    broken = [slot for slot, value in slots.items() if len(value.splitlines()) > 1]
    if broken:
        return f"{broken[0]}: holds a line break; write it on one line"
    station = slots.get(f"{ATTRACTION}-{STATION}", metro.stations[0])
    lost = [] if station in metro.stations else [f"{ATTRACTION}-{STATION}: {_LOST}"]
    return "; ".join([*lost, *schema.faults(slots)])


def _unusable(path: Path, faults: Sequence[Fault]) -> str:
    if not faults:
        return f"{path}: holds no place; give rows with the columns {', '.join(_NEEDED)}"
    reasons = Counter(fault.reason for fault in faults)
    first = {fault.reason: fault.line for fault in reversed(faults)}
    told = [
        f"  line {first[reason]}{f' and {count - 1} more' if count > 1 else ''}: {reason}"
        for reason, count in reasons.most_common(_TOLD)
    ]
    return "\n".join([f"{path}: none of its {len(faults)} rows is a place:", *told])


if TYPE_CHECKING:
    from faker import Faker


class Virtual:
    """Makes up places of one seed."""

    def __init__(self, seed: int, material: Material, metro: Metro) -> None:
        """Take what places are made of; Faker is loaded here, once."""
        self.seed = seed
        self.material = material
        self.metro = metro
        self._faker = _faker()

    def places(self, domain: str, size: int) -> Iterator[dict[str, str]]:
        """Yield the slots of so many virtual hotels or restaurants, no two of the same name."""
        names = self._names(domain)
        for number in range(size):
            chance = Chance(self.seed, "place", f"{domain}/{number}")
            yield self._place(domain, chance, next(names))

    def completed(self, domain: str, name: str, given: dict[str, str]) -> dict[str, str]:
        """Return the slots of a place with those that it lacks and that somebody may ask for."""
        chance = Chance(self.seed, "place", f"{domain}/{name}")
        walkable = given.get(f"{domain}-도보 가능", "yes")
        low, high = self.material.walks["yes" if walkable == "yes" else "no"]
        venue = self.material.domains[domain]
        area = given[f"{domain}-지역"]
        opens, closes = chance.pick("opens", venue.opens), chance.pick("closes", venue.closes)
        found = {
            "평점": chance.pick("rating", self.material.ratings),
            "인근 역": chance.pick("station", self.metro.served.get(area) or self.metro.stations),
            "역에서 도보 시간": f"{chance.number('walk', low, high)}분",
            "영업 시간": f"{opens:02}:00-{closes:02}:00",
            **self._personal(domain, name, area, chance),
        }
        if domain == RESTAURANT:
            found["마지막 주문 시간"] = f"{closes - 1:02}:30"
            found["대표 메뉴"] = chance.pick("dish", venue.dishes[given[f"{domain}-종류"]])
        if venue.fees:
            found["입장료"] = chance.pick("fee", venue.fees)
        return {f"{domain}-{word}": value for word, value in found.items()} | given

    def phone(self, name: str) -> str:
        """Return a phone number that nobody has."""
        return str(self._seeded(name).numerify("02-0##-####"))

    def _place(self, domain: str, chance: Chance, words: str) -> dict[str, str]:
        venue = self.material.domains[domain]
        kind = chance.weighted("type", venue.types)
        ending = chance.pick("ending", venue.endings[kind])
        slots = {
            "이름": f"{words} {ending}",
            "종류": kind,
            "지역": chance.pick("area", list(self.metro.served)),
            "가격대": chance.weighted("price", venue.prices),
            **{
                word: "yes" if chance.happens(word, percent / 100) else "no"
                for word, percent in venue.features.items()
            },
        }
        given = {f"{domain}-{word}": value for word, value in slots.items()}
        return self.completed(domain, slots["이름"], given)

    def _names(self, domain: str) -> Iterator[str]:
        nouns = self.material.domains[domain].nouns
        words = [f"{a} {b}" for a, b in product(self.material.modifiers, nouns)]
        return iter(Chance(self.seed, "place", domain).some("names", words, len(words)))

    def _personal(self, domain: str, name: str, area: str, chance: Chance) -> dict[str, str]:
        district = chance.pick("district", self.material.districts[area])
        number = self._seeded(f"{domain}/{name}/address").numerify("%####")
        return {
            "주소": f"서울 {district} {number}",
            "전화 번호": self.phone(f"{domain}/{name}/phone"),
        }

    def _seeded(self, name: str) -> Faker:
        digest = blake2b(f"{self.seed}\x1f{name}".encode(), digest_size=8).digest()
        self._faker.seed_instance(int.from_bytes(digest, "big"))
        return self._faker


def room(material: Material, domain: str) -> int:
    """Return how many names there are for virtual places of a domain."""
    return len(material.modifiers) * len(material.domains[domain].nouns)


def _faker() -> Faker:
    from faker import Faker

    make: Callable[[str], Faker] = Faker
    return make("ko_KR")


#: The domains of virtual places.
VIRTUAL = (HOTEL, RESTAURANT)
