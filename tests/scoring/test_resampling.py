"""The bootstrap, against scipy's and against what is known of simple cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from gold_cases import CLASSES, gold, pairs
from scipy import stats

from pipeline.contracts.example import Prediction
from pipeline.core.errors import InputError
from pipeline.scoring.measure import Floats, Measure
from pipeline.scoring.resampling import Plan, compare, interval, samples, weights


def mean(values: Floats) -> Measure:
    """Return the weighted mean of numbers as a measure."""
    return lambda drawn: drawn @ values / drawn.sum(axis=1)


def numbers(n: int, key: int) -> Floats:
    """Return skewed numbers."""
    return np.random.default_rng(key).gamma(2.0, 20.0, n)


def test_a_draw_takes_as_many_as_there_are() -> None:
    drawn = np.concatenate(list(weights(50, Plan(400, seed=1))))
    assert drawn.shape == (400, 50)
    assert set(drawn.sum(axis=1)) == {50.0}
    # multinomial: mean 1, variance 1 - 1/n
    assert drawn.mean() == 1.0
    assert drawn.sum(axis=0) == pytest.approx(np.full(50, 400.0), abs=100)  # 5 deviations
    assert drawn.var() == pytest.approx(1 - 1 / 50, rel=0.03)


@pytest.mark.parametrize("block", [1, 50, 333, 10_000])
def test_draws_do_not_depend_on_the_size_of_blocks(block: int) -> None:
    plan = Plan(100, seed=3)
    whole = np.concatenate(list(weights(50, plan)))
    parts = list(weights(50, plan, block=block))
    assert max(part.size for part in parts) <= max(block, 50)
    assert np.array_equal(np.concatenate(parts), whole)
    other = np.concatenate(list(weights(50, Plan(100, seed=4))))
    assert not np.array_equal(other, whole)


def test_more_draws_begin_with_the_same_ones() -> None:
    few, many = (np.concatenate(list(weights(20, Plan(n, seed=5)))) for n in (10, 30))
    assert np.array_equal(many[:10], few)


def test_intervals_do_not_depend_on_the_order_of_examples() -> None:
    examples = pairs(60)
    said = {one.id: CLASSES[place % 5 % 3] for place, one in enumerate(examples)}
    found = []
    for given in (examples, examples[::-1], sorted(examples, key=lambda one: one.id[::-1])):
        whole = gold(given)
        predictions = [Prediction(one.id, said[one.id]) for one in whole.examples]
        measures = {"accuracy": whole.measures(predictions, "klue")["accuracy"]}
        assert not isinstance(measures["accuracy"], str)
        found.append(samples({"a": measures}, len(whole), Plan(50))["a"]["accuracy"].tolist())  # type: ignore[dict-item]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_the_interval_is_that_of_scipy(confidence: float) -> None:
    values = numbers(200, 11)
    drawn = samples({"a": {"mean": mean(values)}}, 200, Plan(20_000, confidence, seed=2))
    ours = interval(drawn["a"]["mean"], confidence)
    assert ours is not None
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, confidence_level=confidence, method="percentile",
        rng=np.random.default_rng(8),
    ).confidence_interval  # fmt: skip
    width = theirs.high - theirs.low
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.03 * width)


def test_an_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    """Accuracy 70 over 200 examples: of 300 intervals of 95 % about 285 hold it."""
    chance, held = np.random.default_rng(21), 0
    for seed in range(300):
        right = (chance.random(200) < 0.7) * 100.0
        drawn = samples({"a": {"accuracy": mean(right)}}, 200, Plan(300, seed=seed))
        ends = interval(drawn["a"]["accuracy"], 0.95)
        assert ends is not None
        held += ends[0] <= 70 <= ends[1]
    assert 0.91 <= held / 300 <= 0.98


def test_equal_systems_do_not_differ() -> None:
    values = numbers(80, 5)
    drawn = samples({"a": {"m": mean(values)}, "b": {"m": mean(values.copy())}}, 80, Plan(500))
    found = compare(40.0, 40.0, drawn["a"]["m"], drawn["b"]["m"], 0.95)
    assert (found.difference, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)


def test_p_is_that_of_the_normal_approximation() -> None:
    """Two accuracies over 400 examples, of which one system alone has 30 right, the other 16."""
    left = np.array([100.0] * 330 + [0.0] * 16 + [0.0] * 54)
    right = np.array([100.0] * 300 + [0.0] * 30 + [100.0] * 16 + [0.0] * 54)
    drawn = samples({"a": {"m": mean(left)}, "b": {"m": mean(right)}}, 400, Plan(20_000, seed=1))
    found = compare(left.mean(), right.mean(), drawn["a"]["m"], drawn["b"]["m"], 0.95)
    assert found.difference == 100 * 14 / 400
    error = math.sqrt(np.var(left - right) / 400)
    assert found.p == pytest.approx(2 * stats.norm.sf(found.difference / error), abs=0.006)
    assert found.low == pytest.approx(found.difference - 1.96 * error, abs=0.25)
    assert found.high == pytest.approx(found.difference + 1.96 * error, abs=0.25)


def test_p_is_never_zero_and_the_order_of_two_systems_turns_signs_only() -> None:
    left, right = np.full(9, 60.0), np.linspace(10.0, 50.0, 9)
    one, two = compare(60, 30, left, right, 0.9), compare(30, 60, right, left, 0.9)
    assert one.p == two.p == 2 / 10
    assert one.difference == 30.0
    assert (two.difference, two.low, two.high) == pytest.approx((-30.0, -one.high, -one.low))  # type: ignore[operator]


def test_draws_without_a_value_are_left_out() -> None:
    nan = float("nan")
    assert interval(np.array([nan, 1.0, 1.0, nan]), 0.95) == (1.0, 1.0)
    assert interval(np.array([nan, nan]), 0.95) is None
    found = compare(5.0, 3.0, np.array([5.0, nan, 6.0]), np.array([1.0, 2.0, nan]), 0.95)
    assert (found.low, found.high, found.p) == (4.0, 4.0, 1.0)
    lost = compare(5.0, 3.0, np.array([nan]), np.array([1.0]), 0.95)
    assert (lost.difference, lost.low, lost.p) == (2.0, None, None)
    assert compare(None, 3.0, np.array([1.0]), np.array([1.0]), 0.95).difference is None


@pytest.mark.parametrize("plan", [{"draws": 0}, {"draws": 10**7}, {"confidence": 1.0}])
def test_numbers_out_of_range(plan: dict[str, float]) -> None:
    with pytest.raises(InputError, match="is out of range; allowed: "):
        Plan(**plan)  # type: ignore[arg-type]
