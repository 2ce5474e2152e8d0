"""Resampling: every resample is a draw of units with replacement, and the interval its middle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rating_matrix import ratings

from pipeline.agreement.coefficients import estimates
from pipeline.agreement.coefficients.estimates import Estimate, generator, resample, with_interval
from pipeline.agreement.votes.ratings import Patterns, patterns


def _units(kinds: int, each: int) -> Patterns:
    """Return `kinds` patterns, the first shown by one unit more than `each`, the others by each."""
    unit = np.arange(kinds * each + 1)
    value = np.append(unit[:-1] % kinds, 0)
    twice = np.repeat(unit, 2)
    return patterns(twice, np.repeat(value, 2), units=len(unit), categories=kinds)


@pytest.mark.parametrize(("kinds", "each"), [(4, 50), (150, 2)], ids=["by pattern", "unit by unit"])
def test_resamples_have_the_moments_of_the_multinomial(kinds: int, each: int) -> None:
    units = _units(kinds, each)
    drawn = np.concatenate(list(resample(units.units, 4000, seed=1, purpose="test")), axis=1)
    number = kinds * each + 1
    assert drawn.shape == (kinds, 4000)
    assert (drawn.sum(axis=0) == number).all()
    share = units.units / number
    assert drawn.mean(axis=1) == pytest.approx(number * share, rel=0.12)
    assert drawn.var(axis=1) == pytest.approx(number * share * (1 - share), rel=0.2)
    covariance = np.cov(drawn[:2])[0, 1]
    assert covariance == pytest.approx(-number * share[0] * share[1], abs=0.06 * number * share[0])


def test_blocks_are_bounded_and_draw_what_one_block_would(monkeypatch: pytest.MonkeyPatch) -> None:
    units = _units(5, 100)
    whole = np.concatenate(list(resample(units.units, 40, seed=3, purpose="test")), axis=1)
    monkeypatch.setattr(estimates, "_BLOCK", 35)
    parts = list(resample(units.units, 40, seed=3, purpose="test"))
    assert [part.shape[1] for part in parts] == [7] * 5 + [5]
    assert (np.concatenate(parts, axis=1) == whole).all()


def test_draws_depend_on_seed_and_purpose_and_not_on_the_order_of_rows() -> None:
    first = next(resample(_units(3, 20).units, 5, seed=1, purpose="a"))
    shuffled = ratings([f"u{i}" for i in range(122)], [None] * 122, list(range(122)))
    assert len(shuffled.patterns) == 122
    unit = np.repeat(np.random.default_rng(0).permutation(61), 2)
    value = np.repeat(np.append(np.arange(60) % 3, 0), 2)
    again = patterns(unit, value, units=61, categories=3)
    assert (next(resample(again.units, 5, seed=1, purpose="a")) == first).all()
    for seed, purpose in ((2, "a"), (1, "b")):
        assert (next(resample(_units(3, 20).units, 5, seed=seed, purpose=purpose)) != first).any()
    assert generator(1, "a").random() != generator(1, "b").random()


def test_interval_is_the_middle_95_percent() -> None:
    samples = np.random.default_rng(0).permutation(np.arange(1001) / 1000)
    found = with_interval(Estimate(0.5, -1.0, 1.0, n=7), samples)
    assert (found.value, found.low, found.high, found.n) == (0.5, 0.025, 0.975, 7)
    assert found.reason is None


def test_resamples_without_a_value_are_left_out_and_counted() -> None:
    samples = np.append(np.arange(1001) / 1000, [math.nan] * 3)
    found = with_interval(Estimate(0.5), samples)
    assert (found.low, found.high) == (0.025, 0.975)
    assert found.reason == "3 of 1,004 resamples have no value and were left out"
    none = with_interval(Estimate(0.5, 0.1, 0.9), np.full(4, math.nan))
    assert (none.value, none.low, none.high) == (0.5, None, None)
    assert none.reason and none.reason.startswith("4 of 4")
