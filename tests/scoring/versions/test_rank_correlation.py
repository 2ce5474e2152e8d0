"""Rank correlations against worked examples, and intervals against simulated populations."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.scoring.versions.rank_correlation import (
    CORRELATIONS,
    fisher_interval,
    interval_over_systems,
    kendall_tau_b,
    reason_without,
    spearman,
    weighted_tau,
)


def test_correlations_of_a_worked_example() -> None:
    # Two pairs of ten are in the opposite order: tau = (8 - 2) / 10; rho = 1 - 6 * 4 / 120.
    old, new = np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 3, 5, 4])
    assert kendall_tau_b(old, new) == pytest.approx(0.6)
    assert spearman(old, new) == pytest.approx(0.8)


def test_ties_count_on_their_side_alone() -> None:
    # Pairs: 6; one tied in the old scores; tau-b = 5 / sqrt(5 * 6).
    old, new = np.array([1.0, 1, 2, 3]), np.array([1.0, 2, 3, 4])
    assert kendall_tau_b(old, new) == pytest.approx(5 / np.sqrt(30))


def test_weighted_tau_punishes_a_swap_at_the_top_most() -> None:
    scores = np.arange(10.0)
    top, bottom = scores.copy(), scores.copy()
    top[[8, 9]] = top[[9, 8]]
    bottom[[0, 1]] = bottom[[1, 0]]
    assert weighted_tau(scores, top) < weighted_tau(scores, bottom) < 1
    assert kendall_tau_b(scores, top) == kendall_tau_b(scores, bottom)


def test_an_interval_holds_its_value_even_where_that_is_perfect() -> None:
    low, high = fisher_interval(1.0, 9, 0.2, 0.95)
    assert low < 1 == high
    scores = np.arange(9.0)
    for name in CORRELATIONS:
        ends = interval_over_systems(name, scores, scores, 1.0, 0.95)
        assert ends is not None
        assert 0.5 < ends[0] < 1 == ends[1]


def test_fewer_than_six_systems_have_no_interval() -> None:
    scores = np.arange(5.0)
    assert interval_over_systems("spearman", scores, scores, 1.0, 0.95) is None


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ([1.0, 2], [1.0, 2], "a rank correlation needs 3 systems with a score in both; there: 2"),
        ([1.0, 1, 1], [1.0, 2, 3], "the scores of v1 never differ"),
        ([1.0, 2, 3], [4.0, 4, 4], "the scores of v2 never differ"),
        ([1.0, 2, 3], [1.0, 2, 3], None),
    ],
)
def test_a_reason_stands_in_place_of_a_number(
    old: list[float], new: list[float], reason: str | None
) -> None:
    assert reason_without(np.array(old), np.array(new), ("v1", "v2")) == reason


@pytest.mark.thin(2)
@pytest.mark.parametrize("name", ["kendall_tau_b", "spearman"])
def test_intervals_over_systems_hold_the_known_correlation(name: str) -> None:
    """Normal scores of correlation .6: tau = 2/pi asin(.6), rho = 6/pi asin(.3)."""
    truth = {
        "kendall_tau_b": 2 / np.pi * np.arcsin(0.6),
        "spearman": 6 / np.pi * np.arcsin(0.3),
    }[name]
    chance, runs, held = np.random.default_rng(20), 150, 0
    for _ in range(runs):
        old = chance.standard_normal(20)
        new = 0.6 * old + 0.8 * chance.standard_normal(20)
        value = CORRELATIONS[name].statistic(old, new)
        ends = interval_over_systems(name, old, new, value, 0.95)
        assert ends is not None
        held += ends[0] <= truth <= ends[1]
    assert 0.90 <= held / runs <= 0.99  # 95 % of 150, within 2.8 standard errors
