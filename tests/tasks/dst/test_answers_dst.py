from __future__ import annotations

from typing import Any

import pytest
from small_specs import named, round_, rule_of, spec

from pipeline.tasks.dst.task import TASK


def _slot(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "title": {"ko": name, "en": name}, "informable": True, **more}


SPEC = spec(
    "dst",
    [round_("dialogue"), round_("verdict", "check", after="main")],
    slots=[
        _slot("숙소-이름"),
        _slot("숙소-지역", values=["서울 중앙", "서울 동쪽"]),
        _slot("숙소-주차 가능", boolean=True),
        _slot("숙소-전화번호") | {"informable": False},
    ],
)
ITEM = {"goal": "서울 중앙에서 묵을 곳을 찾는다."}
STATE = ["숙소-지역-서울 중앙", "숙소-이름-달-빛-집", "숙소-주차 가능-yes"]


def _dialogue(*states: list[Any]) -> dict[str, Any]:
    turns: list[dict[str, Any]] = []
    for state in states:
        turns.append({"role": "user", "text": "방을 찾아요.", "state": state})
        turns.append({"role": "sys", "text": "네, 있습니다. ", "state": []})
    return {"turns": turns}


def test_a_dialogue_stays_as_it_is() -> None:
    given = _dialogue([], STATE)
    assert TASK.parse(given, ITEM, SPEC, named(SPEC)) == given
    stateless = {"turns": [{k: t[k] for k in ("role", "text")} for t in _dialogue([])["turns"]]}
    assert TASK.parse(stateless, ITEM, SPEC, named(SPEC)) == _dialogue([])


@pytest.mark.parametrize(
    ("state", "rule"),
    [
        (["숙소-지역-dontcare", "숙소-주차 가능-dontcare"], "good"),
        (["숙소-이름-아무 이름"], "good"),
        (["숙소-지역"], "vote.form@1"),
        (["숙소-지역- "], "vote.form@1"),
        ([7], "vote.form@1"),
        ("숙소-지역-서울 중앙", "vote.form@1"),
        (["숙소-지역-서울 중앙", "숙소-지역-서울 동쪽"], "vote.form@1"),
        (["숙소-이름-none"], "vote.label@1"),
        (["숙소-방향-남쪽"], "vote.label@1"),
        (["숙소-전화번호-02"], "vote.label@1"),  # only requested, never tracked
        (["숙소-주차 가능-있음"], "vote.label@1"),
        (["숙소-지역-부산"], "vote.label@1"),
    ],
)
def test_states_of_the_ontology(state: Any, rule: str) -> None:
    assert rule_of(TASK, _dialogue(state), ITEM, SPEC) == rule


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {"turns": []},
        {"turns": [_dialogue([])["turns"][0] | {"text": " "}]},
        {"turns": [_dialogue([])["turns"][0] | {"mood": "good"}]},
        {"turns": [_dialogue([])["turns"][0], {"role": "sys", "text": "네.", "state": STATE}]},
        {"turns": ["방을 찾아요."]},
    ],
)
def test_turns_alternate_and_only_users_have_a_state(answer: Any) -> None:
    assert rule_of(TASK, answer, ITEM, SPEC) == "vote.form@1"


@pytest.mark.parametrize("turns", [_dialogue([])["turns"][1:], _dialogue([])["turns"][:1] * 2])
def test_turns_out_of_order_have_a_rule_of_their_own(turns: Any) -> None:
    assert rule_of(TASK, {"turns": turns}, ITEM, SPEC) == "vote.turns@1"


def test_a_verdict_holds_a_dialogue() -> None:
    given = {"verdict": "revise", "answer": _dialogue(STATE)}
    assert TASK.parse(given, ITEM, SPEC, named(SPEC, "check")) == given


def test_states_are_compared_as_sets() -> None:
    assert TASK.view(_dialogue([], STATE)) == [frozenset(), frozenset(STATE)]
    assert TASK.compare(_dialogue(STATE), _dialogue(STATE[::-1]))["joint"] == 1


def test_joint_goal_and_slot_f1_are_means_over_user_turns() -> None:
    """Turn 1 empty in both; turn 2 shares two of three and two slots: F1 = 4/5."""
    found = TASK.compare(_dialogue([], STATE), _dialogue([], STATE[:2]))
    assert found == {"joint": 0.5, "slot_f1": pytest.approx((1 + 0.8) / 2)}
    assert TASK.compare(_dialogue([], []), _dialogue([]))["joint"] == 0.5
