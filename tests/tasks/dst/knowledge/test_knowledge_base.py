"""The knowledge base: sizes of Table 25, its own schema, invented persons' data, and pools."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from pipeline.core.errors import SpecError
from pipeline.tasks.dst.candidates import setting_of
from pipeline.tasks.dst.goals.goal import Setting
from pipeline.tasks.dst.schema import domain_of


def test_sizes_are_those_of_table_25(setting: Setting) -> None:
    sizes = Counter(entry.domain for entry in setting.knowledge.entries)
    assert sizes == {"숙소": 101, "식당": 56, "관광": 100, "지하철": 3_306}


def test_every_instance_passes_the_schema_of_the_spec(setting: Setting) -> None:
    for entry in setting.knowledge.entries:
        assert setting.schema.faults(entry.slots) == []


@pytest.mark.parametrize(
    ("domain", "open_"), [("숙소", 3), ("식당", 3), ("관광", 0), ("지하철", 0)]
)
def test_every_slot_but_those_of_a_booking_is_filled(
    setting: Setting, domain: str, open_: int
) -> None:
    """Bookings fill three slots of the state and bring a reference number."""
    all_ = {slot.id for slot in setting.schema.of_domain(domain) if not slot.after_booking}
    left = {slot.id for slot in setting.schema.of_domain(domain) if slot.booking}
    assert len(left) == open_
    entry = next(e for e in setting.knowledge.entries if e.domain == domain)
    assert set(entry.slots) == all_ - left


def test_names_are_told_apart(setting: Setting) -> None:
    """No virtual name is a part of another name, so that one finds it in a text."""
    names = [e.name for domain in ("숙소", "식당") for e in setting.knowledge.venues[domain]]
    assert len(set(names)) == len(names)
    for name in names:
        assert not [other for other in names if name != other and name in other]


def test_phones_and_addresses_are_nobodys(setting: Setting) -> None:
    """No exchange of Seoul begins with 0; no address ends in five figures after the district."""
    for domain, entries in setting.knowledge.venues.items():
        for entry in entries:
            assert re.fullmatch(r"02-0\d\d-\d{4}", entry.slots[f"{domain}-전화 번호"])
            assert re.fullmatch(r"서울 \w+구 [1-9]\d{4}", entry.slots[f"{domain}-주소"])


def test_so_many_are_unseen(setting: Setting) -> None:
    held = Counter(e.domain for e in setting.knowledge.entries if e.pool == "held_out")
    assert held == {"숙소": 30, "식당": 9, "관광": 20}


def test_another_seed_makes_another_base(setting: Setting, make_params: object) -> None:
    other, _, _ = setting_of(make_params(seed=12), {})  # type: ignore[operator]
    names = {e.name for e in setting.knowledge.venues["숙소"]}
    assert names != {e.name for e in other.knowledge.venues["숙소"]}


def test_the_same_seed_makes_the_same_base(setting: Setting, make_params: object) -> None:
    other, _, _ = setting_of(make_params(), {})  # type: ignore[operator]
    assert list(setting.knowledge.entries) == list(other.knowledge.entries)


def test_more_places_than_names_are_refused(make_params: object) -> None:
    sizes = {"숙소": 5_000, "식당": 56, "관광": 100}
    with pytest.raises(SpecError, match="names for"):
        setting_of(make_params(instances=sizes), {})  # type: ignore[operator]


def test_taxis_are_made_for_the_journey(setting: Setting) -> None:
    taxis = setting.knowledge.taxis("goal", 20, {"택시-출발지": "강남역"})
    assert [taxi.slots["택시-종류"] for taxi in taxis] == ["개인", "고급", "에코"]
    assert {taxi.slots["택시-소요 시간"] for taxi in taxis} == {"20분"}
    assert [taxi.slots["택시-비용"] for taxi in taxis] == ["14800원", "25000원", "13800원"]
    assert all(setting.schema.faults(taxi.slots) == [] for taxi in taxis)


def test_a_journey_at_a_time_arrives_after_its_minutes(setting: Setting) -> None:
    found = setting.knowledge.journey("서울역", "시청역", "23:59")
    assert found.slots["지하철-도착 시간"] == "00:01"
    assert all(domain_of(slot) == "지하철" for slot in found.slots)
