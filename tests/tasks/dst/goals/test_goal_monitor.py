"""Counterfactual goals: they have their pair, and no pair is frequent in train goals."""

from __future__ import annotations

from collections import Counter

import pytest

from pipeline.tasks.dst.candidates import setting_of
from pipeline.tasks.dst.goals import Rare, goals
from pipeline.tasks.dst.goals.goal import Goal, Setting

SEED = 11


def _has(goal: Goal, pair: object) -> bool:
    values = {(want.slot, want.value) for want in goal.wants}
    one, two = pair  # type: ignore[misc]
    return one in values and two in values


def _counterfactual(drawn: list[Goal]) -> list[Goal]:
    return [goal for goal in drawn if goal.pair]


def test_a_counterfactual_goal_has_its_pair(drawn: list[Goal]) -> None:
    assert all(_has(goal, goal.pair) for goal in _counterfactual(drawn))


def test_no_counterfactual_pair_is_frequent_in_train(setting: Setting, drawn: list[Goal]) -> None:
    train = [goal for goal in drawn if goal.pool == "train"]
    for goal in _counterfactual(drawn):
        count = sum(_has(other, goal.pair) for other in train)
        assert count < max(setting.sampling.frequent * len(train), 1)


def test_counterfactual_goals_are_for_dev_and_test(drawn: list[Goal]) -> None:
    assert {goal.pool for goal in _counterfactual(drawn)} == {"held_out"}


def test_pairs_are_covered_before_any_twice(drawn: list[Goal]) -> None:
    counts = Counter(goal.pair for goal in _counterfactual(drawn))
    assert max(counts.values()) == 1


def test_absent_features_are_promoted(drawn: list[Goal]) -> None:
    """As the paper's example, (hotel-parking, no): seldom in train, often in these goals."""

    def share(chosen: list[Goal]) -> float:
        return sum(any(w.value == "no" for w in goal.wants) for goal in chosen) / len(chosen)

    train = [goal for goal in drawn if goal.pool == "train"]
    assert share(_counterfactual(drawn)) > 2 * share(train)


def test_pairs_of_closed_values_are_counted(setting: Setting, drawn: list[Goal]) -> None:
    rare = Rare(setting, SEED)
    goal = next(g for g in drawn if len(g.parts) == 3)
    rare.add(goal)
    rare.add(goal)
    values = {value for pair in rare.pairs for value in pair}
    assert set(rare.pairs.values()) == {2}
    assert len(rare.pairs) == len(values) * (len(values) - 1) // 2
    assert not any(value == "dontcare" for _, value in values)


def test_a_domain_without_places_has_no_pair(setting: Setting) -> None:
    assert Rare(setting, SEED).next(["택시"]) is None


def test_with_a_low_bound_frequent_pairs_are_left_out(setting: Setting, drawn: list[Goal]) -> None:
    rare = Rare(setting, SEED)
    for goal in drawn:
        rare.add(goal)
    found = [rare.next(["숙소", "식당"]) for _ in range(200)]
    common = {pair for pair, count in rare.pairs.items() if count > 1}
    assert common
    assert not set(found) & common


@pytest.mark.parametrize("total", [1, 3, 16])
def test_a_few_goals_can_be_drawn(total: int, make_params: object) -> None:
    small, _, _ = setting_of(make_params(total), {})  # type: ignore[operator]
    assert len(list(goals(small, SEED))) == total
