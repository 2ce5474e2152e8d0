"""Joint agreement and slot F1 between annotators."""

from __future__ import annotations

import pytest
from structured_answers import answers

from pipeline.agreement.coefficients.forms import FORMS, compare_states
from pipeline.agreement.coefficients.structures import structured_agreement
from pipeline.contracts.registry import TASKS

ONE = [frozenset({"숙소-지역-서울 중앙"}), frozenset({"숙소-지역-서울 중앙", "숙소-인원-2"})]
TWO = [frozenset({"숙소-지역-서울 중앙"}), frozenset({"숙소-지역-서울 중앙", "숙소-인원-3"})]


def test_turns_and_slot_values() -> None:
    found = structured_agreement("states", answers(a=[ONE, [frozenset()]], b=[TWO, [frozenset()]]))
    assert found.overall["joint"].value == pytest.approx(2 / 3)
    assert found.overall["slot_f1"].value == pytest.approx((1 + 0.5 + 1) / 3)
    assert found.per_label["숙소-인원"].value == 0
    assert found.per_label["숙소-지역"].value == 1
    assert found.counts == {"숙소-인원": 2, "숙소-지역": 4}


def test_one_dialogue_is_what_the_task_compares() -> None:
    def dialogue(states: list[frozenset[str]]) -> dict:
        user = [{"role": "user", "text": "네", "state": sorted(s)} for s in states]
        return {"turns": [t for one in user for t in (one, {"role": "sys", "text": "네"})]}

    made = {
        k: same / of
        for k, (same, of) in compare_states(ONE, TWO).items()
        if not k.startswith("slot.")
    }
    assert made == pytest.approx(TASKS["dst"].compare(dialogue(ONE), dialogue(TWO)))


def test_a_value_may_hold_hyphens() -> None:
    assert list(FORMS["states"].labels([{"식당-이름-가-나 다"}])) == ["식당-이름"]


def test_turns_that_one_lacks_and_reasons() -> None:
    assert compare_states(ONE, ONE[:1])["joint"] == (1.0, 2.0)
    assert structured_agreement("states", answers(a=[ONE])).overall["joint"].reason
