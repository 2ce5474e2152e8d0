"""Estimated dialogues: in form, marked when said, and true to the goals that sampling draws."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from simulating import SEED, first_round, truth_of

from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.jsontext import canonical
from pipeline.tasks.dst import simulated
from pipeline.tasks.dst.candidates import item_fields, item_meta, setting_of
from pipeline.tasks.dst.goals import goals
from pipeline.tasks.dst.returned import findings
from pipeline.tasks.dst.task import TASK

GOALS = 300
Item = tuple[dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    """Return fields and meta of goals, as plain JSON."""
    spec = load_spec("dst")
    assert spec.sampling is not None
    sampling = spec.sampling.scale(GOALS).model_dump(mode="json")
    slots = [slot.model_dump(mode="json") for slot in spec.slots]
    setting, _, _ = setting_of({"seed": SEED, "sampling": sampling, "slots": slots}, {})
    made = [(item_fields(setting, goal, SEED), item_meta(goal)) for goal in goals(setting, SEED)]
    return [(json.loads(json.dumps(fields)), json.loads(json.dumps(meta))) for fields, meta in made]


def _made(item: Item) -> dict[str, Any]:
    found = simulated.dialogue(*item)
    assert found is not None
    return found


def _states(answer: dict[str, Any]) -> list[dict[str, str]]:
    """Return the values by slot after each user turn."""
    states = [turn["state"] for turn in answer["turns"] if turn["role"] == "user"]
    parts = [[one.split("-", 2) for one in state] for state in states]
    return [{f"{domain}-{word}": value for domain, word, value in state} for state in parts]


def test_every_goal_has_a_dialogue_in_form(items: list[Item]) -> None:
    spec = load_spec("dst")
    assert len(items) == GOALS
    for item in items:
        made = _made(item)
        assert TASK.parse(made, item[0], spec, spec.rounds[0]) == made
        assert made["turns"][-1]["role"] == "sys"


def test_checks_of_returned_dialogues_find_nothing(items: list[Item]) -> None:
    for fields, meta in items:
        turns = _made((fields, meta))["turns"]
        found = findings(turns, expected=meta["expected"], candidates=fields["candidates"])
        assert found == [], (fields["goal"], found)


def test_the_last_state_is_the_goal_and_nothing_else(items: list[Item]) -> None:
    for fields, meta in items:
        held = _states(_made((fields, meta)))[-1]
        assert held.keys() == meta["expected"].keys()
        assert all(value in meta["expected"][slot] for slot, value in held.items())


def test_states_grow_turn_by_turn(items: list[Item]) -> None:
    changed = 0
    for item in items:
        states = _states(_made(item))
        assert states[0] and len(states) > len(item[1]["parts"])
        for before, now in pairwise(states):
            assert before.keys() <= now.keys()
            changed += sum(now[slot] != value for slot, value in before.items())
    wants = [want for _, meta in items for part in meta["parts"] for want in part["wants"]]
    assert changed == sum("first" in want for want in wants) > 0


def test_places_are_offered_before_they_are_taken(items: list[Item]) -> None:
    offered = 0
    for item in items:
        made = _made(item)
        replies = [turn["text"] for turn in made["turns"] if turn["role"] == "sys"]
        named = {f"{p['domain']}-이름" for p in item[1]["parts"] if p.get("named")}
        for reply, (before, now) in zip(replies, pairwise(_states(made)), strict=False):
            for slot in now.keys() - before.keys() - named:
                if slot.endswith("-이름"):
                    assert now[slot] in reply
                    offered += 1
    assert offered > GOALS / 2


def test_what_is_asked_for_is_answered_from_the_knowledge(items: list[Item]) -> None:
    fields, meta = next(i for i in items if "식당-대표 메뉴" in i[1]["parts"][0]["asks"])
    made = _made((fields, meta))
    name = _states(made)[-1]["식당-이름"]
    row = next(row for row in fields["knowledge"] if row.get("name") == name)
    replies = [turn["text"] for turn in made["turns"] if turn["role"] == "sys"]
    assert any(row["식당-대표 메뉴"] in reply for reply in replies)


def test_the_same_item_has_the_same_dialogue(items: list[Item]) -> None:
    for fields, meta in items[:20]:
        other = (dict(reversed(fields.items())), dict(reversed(meta.items())))
        assert _made(other) == _made((fields, meta))


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"parts": [], "expected": {}},
        {"parts": [{"domain": "숙소", "wants": [{"slot": "숙소-지역"}]}], "expected": {}},
        {"parts": [{"domain": "숙소", "wants": [{"slot": "지역"}]}], "expected": {"지역": ["x"]}},
        {"parts": "숙소", "expected": []},
    ],
)
def test_goals_of_another_form_get_the_greeting(meta: dict[str, Any]) -> None:
    fields = {"goal": "조용한 숙소를 찾는다", "knowledge": []}
    assert simulated.dialogue(fields, meta) is None
    assert truth_of("dst", fields).answer["turns"][0]["state"] == []


def test_simulated_writers_take_the_evidence_of_items(items: list[Item]) -> None:
    rows = [
        {"item": f"goal-{n}", "task": "dst", "fields": canonical(f), "meta": canonical(m)}
        for n, (f, m) in enumerate(items[:60])
    ]
    votes = first_round(schemas.build("items", rows), "dst")
    right = [
        vote.value.get("label") == _made(items[int(vote.value["item"].split("-")[1])])
        for vote in votes
    ]
    assert 0.6 * len(votes) < sum(right) < len(votes)
