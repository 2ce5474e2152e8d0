"""Goals as structures: shares of Table 26, references, pools, and that they can be reached."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pipeline.tasks.dst.candidates import setting_of
from pipeline.tasks.dst.goals import goals
from pipeline.tasks.dst.goals.goal import Goal, Setting
from pipeline.tasks.dst.schema import ANY, domain_of

SEED = 11


def test_shares_are_those_of_table_26(drawn: list[Goal]) -> None:
    """A tenth of 10,000 goals: 2,295 of one domain, 2,000 of dev and test, 655 counterfactual."""
    assert len(drawn) == 1_000
    assert sum(len(goal.parts) == 1 for goal in drawn) in (229, 230)
    assert sum(goal.pool == "held_out" for goal in drawn) == 200
    assert sum(goal.pair is not None for goal in drawn) in (65, 66)
    assert all(1 <= len(goal.parts) <= 3 for goal in drawn)


def test_goals_differ(drawn: list[Goal]) -> None:
    assert len({str(goal.structure) for goal in drawn}) == len(drawn)


def test_train_goals_never_use_what_is_held_out(setting: Setting, drawn: list[Goal]) -> None:
    unseen = {e.name for e in setting.knowledge.entries if e.pool == "held_out"}
    train = [goal for goal in drawn if goal.pool == "train"]
    assert not {v for goal in train for want in goal.wants for v in want.values} & unseen


def test_dev_and_test_goals_use_unseen_places_about_as_often_as_wanted(drawn: list[Goal]) -> None:
    parts = [part for goal in drawn if goal.pool == "held_out" for part in goal.parts]
    targets = [part.matches[0] for part in parts if part.matches]
    share = sum(entry.pool == "held_out" for entry in targets) / len(targets)
    assert abs(share - 0.45) < 0.08


def test_values_are_those_of_the_schema(setting: Setting, drawn: list[Goal]) -> None:
    for want in (want for goal in drawn for want in goal.wants):
        allowed = setting.schema.values(want.slot)
        assert setting.schema.slots[want.slot].informable
        if allowed:
            assert want.value in (*allowed, ANY)
            assert not want.first or want.first in allowed


def test_required_slots_are_wanted_unless_a_place_is_named(
    setting: Setting, drawn: list[Goal]
) -> None:
    for part in (part for goal in drawn for part in goal.parts):
        required = {s.id for s in setting.schema.of_domain(part.domain) if s.required}
        assert part.named or required <= {want.slot for want in part.wants}


def test_every_place_that_is_to_match_does(drawn: list[Goal]) -> None:
    for part in (part for goal in drawn for part in goal.parts if part.matches):
        for want in part.wants:
            found = {entry.slots.get(want.slot) for entry in part.matches} - {None}
            assert not found or want.value == ANY or found == set(want.values)


def test_the_first_value_finds_nothing(setting: Setting, drawn: list[Goal]) -> None:
    changed = 0
    for goal in drawn:
        for part in goal.parts:
            first = next((want for want in part.wants if want.first), None)
            if first is not None:
                changed += 1
                asked = {w.slot: w.value for w in part.wants if len(w.values) == 1}
                features = {s: v for s, v in asked.items() if s in part.matches[0].slots}
                features.pop(f"{part.domain}-이름", None)
                features[first.slot] = first.first
                assert not setting.matching(goal.pool, part.domain, features)
    assert changed > 20


def test_a_reference_has_the_values_of_what_it_refers_to(drawn: list[Goal]) -> None:
    kinds: Counter[str] = Counter()
    for goal in drawn:
        wants = {want.slot: want for want in goal.wants}
        names = {part.domain: part for part in goal.parts}
        for want in (want for want in goal.wants if want.same_as):
            kinds[domain_of(want.slot)] += 1
            assert domain_of(want.same_as) != domain_of(want.slot)
            other = wants[want.same_as]
            if domain_of(want.slot) == "지하철":
                places = names[domain_of(want.same_as)].matches
                assert set(want.values) == {place.get("인근 역") for place in places}
            else:
                assert want.values == other.values
    assert {"숙소", "식당", "관광", "택시", "지하철"} == set(kinds)


def test_bookings_are_at_times_when_all_places_take_orders(drawn: list[Goal]) -> None:
    for part in (part for goal in drawn for part in goal.parts if part.domain == "식당"):
        want = part.want("예약 시간")
        if want is not None:
            for entry in part.matches:
                opens = entry.get("영업 시간").split("-")[0]
                assert opens <= want.value <= entry.get("마지막 주문 시간")


def test_one_does_not_arrive_before_leaving(drawn: list[Goal]) -> None:
    seen = 0
    for part in (part for goal in drawn for part in goal.parts if part.domain == "택시"):
        leave, arrive = part.want("출발 시간"), part.want("도착 시간")
        if leave and arrive and leave.value != ANY:
            seen += 1
            assert leave.value < arrive.value
    assert seen > 20


def test_both_ends_of_a_journey_differ(drawn: list[Goal]) -> None:
    for part in (p for g in drawn for p in g.parts if p.domain in ("택시", "지하철")):
        start, end = part.want("출발지"), part.want("도착지")
        assert start is not None
        assert end is not None
        assert not set(start.values) & set(end.values)


def test_reference_numbers_are_asked_for_after_bookings_alone(
    setting: Setting, drawn: list[Goal]
) -> None:
    for part in (part for goal in drawn for part in goal.parts):
        later = [slot for slot in part.asks if setting.schema.slots[slot].after_booking]
        assert part.booked or not later
        assert all(not setting.schema.slots[slot].informable for slot in part.asks)
        assert 1 <= len(part.asks) <= 3


def test_slots_of_a_state_as_many_as_in_the_official_dialogues(
    drawn: list[Goal], data_dir: Any
) -> None:
    import json

    path = data_dir / "klue" / "wos-v1.1_dev_first700.json"
    dialogues = json.loads(path.read_text("utf-8"))
    finals = [[t for t in d["dialogue"] if t["role"] == "user"][-1]["state"] for d in dialogues]
    official = sum(map(len, finals)) / len(finals)
    ours = sum(len(goal.expected_state) for goal in drawn) / len(drawn)
    assert abs(ours - official) < 1.0


def test_goals_depend_on_the_seed_alone(make_params: Any) -> None:
    one, two = (list(goals(setting_of(make_params(60), {})[0], SEED)) for _ in range(2))
    assert [goal.structure for goal in one] == [goal.structure for goal in two]
    other = list(goals(setting_of(make_params(60), {})[0], SEED + 1))
    assert [goal.structure for goal in one] != [goal.structure for goal in other]


def test_domains_of_a_goal_are_those_of_a_plan(setting: Setting, drawn: list[Goal]) -> None:
    plans = {frozenset(plan.domains) for plan in setting.sampling.plans}
    assert {frozenset(goal.domains) for goal in drawn} <= plans
    for goal in drawn:  # one looks for places first, and then for the way
        rides = [domain in ("택시", "지하철") for domain in goal.domains]
        assert rides == sorted(rides)


def test_a_small_party_books_for_a_small_party_again(drawn: list[Goal]) -> None:
    """One person in the hotel and eight in the restaurant is nobody's plan."""
    pairs = 0
    for goal in (goal for goal in drawn if goal.pair is None):
        people = [want.value for want in goal.wants if want.slot.endswith("예약 명수")]
        numbers = [int(value) for value in people if value.isdigit()]
        if len(numbers) == 2:
            pairs += 1
            assert (numbers[0] > 5) == (numbers[1] > 5)
    assert pairs > 200
