"""Virtual hotels and restaurants, and what is made up about real places: all by keyed draws.

Names are of three words that no real place bears; phone numbers have an exchange that begins with
0, as none of Seoul's does; addresses end in a number of five figures, as no address does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import product
from typing import TYPE_CHECKING

from pipeline.tasks.dst.ground.chance import Chance
from pipeline.tasks.dst.ground.names import HOTEL, RESTAURANT
from pipeline.tasks.dst.knowledge.material import Material
from pipeline.tasks.dst.knowledge.network import Metro

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
