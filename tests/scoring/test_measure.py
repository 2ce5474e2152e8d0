from __future__ import annotations

import numpy as np
import pytest

from pipeline.scoring.measure import Events, MacroF1, Ratio


def _events(*pairs: tuple[int, int]) -> Events:
    found = np.array(pairs, np.int64).reshape(-1, 2)
    return Events(found[:, 0], found[:, 1])


def test_one_event_twice_counts_twice() -> None:
    """Class 0: right 1, gold 2, predicted 1: 2/3; class 1: predicted only: 0."""
    gold, predicted = _events((0, 0), (0, 0)), _events((0, 0), (1, 1))
    measure = MacroF1(2, 3, right=_events((0, 0)), gold=gold, predicted=predicted)
    weights = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    found = measure(weights)
    np.testing.assert_allclose(found, [100 / 3, 200 / 3, 0.0, np.nan])


def test_an_absent_class_counts_what_is_said() -> None:
    one = _events((0, 0))
    measure = MacroF1(1, 4, right=one, gold=one, predicted=one, absent=0.5)
    np.testing.assert_allclose(measure(np.array([[2.0], [0.0]])), [100 * 2.5 / 4, np.nan])


def test_draws_do_not_touch_each_other() -> None:
    chance = np.random.default_rng(3)
    gold, given = (Events(chance.integers(0, 40, 300), chance.integers(0, 5, 300)) for _ in "ab")
    measure = MacroF1(40, 5, right=gold.only(np.arange(300) < 90), gold=gold, predicted=given)
    weights = chance.integers(0, 4, (30, 40)).astype(float)
    alone = [measure(row[None])[0] for row in weights]
    np.testing.assert_array_equal(measure(weights), alone)
    assert measure(weights[:0]).shape == (0,)


def test_ratio_is_a_sum_over_a_sum() -> None:
    measure = Ratio([1, 3], [2, 4])
    found = measure(np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]]))
    assert found[:2] == pytest.approx([100 * 4 / 6, 50.0])
    assert np.isnan(found[2])
