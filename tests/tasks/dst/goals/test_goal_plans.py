"""Which goals are drawn: shares by weight, quotas to the goal, places for counterfactual goals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.spec import load_spec
from pipeline.core.errors import SpecError
from pipeline.core.jsontext import canonical
from pipeline.tasks.dst.goals import sequence, share_out
from pipeline.tasks.dst.schema import Chance
from pipeline.tasks.dst.spec import DialogueSampling, Plan

PLACES = {"숙소", "식당", "관광"}


def _section(**changes: Any) -> DialogueSampling:
    found = load_spec("dst").sampling
    assert isinstance(found, DialogueSampling)
    dumped = found.model_dump(mode="json") | changes
    return DialogueSampling.model_validate_json(canonical(dumped))


def _plans(weights: dict[str, float]) -> list[Plan]:
    return [Plan(domains=(name,), weight=weight) for name, weight in weights.items()]


@given(
    st.lists(st.floats(0.01, 1e6), min_size=1, max_size=12), st.integers(0, 200), st.integers(0, 99)
)
def test_each_plan_has_its_share_to_the_goal(weights: list[float], size: int, seed: int) -> None:
    plans = _plans({str(n): weight for n, weight in enumerate(weights)})
    found = Counter(share_out(plans, size, Chance(seed, "plan", "x")))
    assert found.total() == size
    for plan in plans:
        exact = Fraction(plan.weight) * size / sum(Fraction(w) for w in weights)
        assert abs(found[plan.domains] - exact) < 1


@pytest.mark.parametrize("order", ["abc", "cab"])
def test_of_two_goals_heavy_plans_have_most_whatever_their_order(order: str) -> None:
    weights = {"a": 6.0, "b": 3.0, "c": 1.0}
    plans = _plans({name: weights[name] for name in order})
    found = Counter(
        name for seed in range(1_000) for (name,) in share_out(plans, 2, Chance(seed, "plan", "x"))
    )
    assert found["a"] >= 1_000  # its share is 1.2
    assert found["a"] > 1.5 * found["b"] > 3 * found["c"] > 0


def test_twelve_goals_are_not_the_first_plans_of_the_spec() -> None:
    """A seed may take any plan; over many, the share of each is about that of its weight."""
    section = _section().scale(12)
    found = Counter(slot.domains for seed in range(300) for slot in sequence(section, seed))
    assert found.total() == 12 * 300
    several = {plan.domains: plan.weight for plan in section.plans if len(plan.domains) > 1}
    for domains, weight in several.items():
        share = weight / sum(several.values())
        assert abs(found[domains] / (9 * 300) - share) < 0.35 * share + 0.01


@pytest.mark.parametrize("total", [1, 2, 5, 12, 60, 333])
def test_quotas_are_met_to_the_goal(total: int) -> None:
    section = _section().scale(total)
    for seed in range(20):
        slots = sequence(section, seed)
        assert len(slots) == total
        assert sum(len(slot.domains) == 1 for slot in slots) == section.single
        assert sum(slot.pool == "held_out" for slot in slots) == section.held_out
        assert sum(slot.counterfactual for slot in slots) == section.counterfactual


def test_counterfactual_goals_have_a_place_where_just_enough_have_one() -> None:
    plans = [{"domains": ["택시"], "weight": 1}, {"domains": ["관광"], "weight": 1}]
    section = _section(plans=plans, goals=10, held_out=5, counterfactual=5, single=10)
    for seed in range(20):
        slots = sequence(section, seed)
        assert all(bool(set(slot.domains) & PLACES) == slot.counterfactual for slot in slots)


def test_too_few_goals_with_a_place_are_told_with_what_to_change() -> None:
    plans = [{"domains": ["택시"], "weight": 3}, {"domains": ["관광"], "weight": 1}]
    section = _section(plans=plans, goals=8, held_out=5, counterfactual=5, single=8)
    with pytest.raises(SpecError) as error:
        sequence(section, 0)
    assert str(error.value) == (
        "sampling.counterfactual: 5 goals are wanted, each with a place (숙소, 식당, 관광), but of"
        " 8 goals the plans give one to 2; give 2 or fewer, or give plans with a place more weight"
    )
