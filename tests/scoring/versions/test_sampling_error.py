"""Reliability, its ceiling and intervals over examples, against simulated benchmarks."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.scoring.resampling import Plan
from pipeline.scoring.versions.sampling_error import (
    ceiling,
    intervals_over_examples,
    reliability,
    true_share,
)
from pipeline.scoring.versions.scores import Examples


def _answers(seed: int, skill: np.ndarray, count: int, tag: str) -> Examples:
    chance = np.random.default_rng(seed)
    right = chance.random((len(skill), count)) < skill[:, None]
    return Examples(tuple(f"{tag}-{i:05}" for i in range(count)), right.astype(np.float64))


def test_reliability_is_the_correlation_with_other_examples() -> None:
    skill = np.linspace(0.60, 0.72, 13)
    first = [_answers(seed, skill, 800, "a") for seed in range(30)]
    again = [_answers(seed + 100, skill, 800, "a") for seed in range(30)]
    measured = [
        np.corrcoef(one.cells.mean(axis=1), other.cells.mean(axis=1))[0, 1]
        for one, other in zip(first, again, strict=True)
    ]
    estimated = [reliability(examples, 0) for examples in first]
    assert np.mean([x for x in estimated if x is not None]) == pytest.approx(
        np.mean(measured), abs=0.04
    )


def test_reliability_does_not_depend_on_the_order_of_systems_and_needs_three() -> None:
    examples = _answers(1, np.linspace(0.4, 0.8, 6), 300, "a")
    turned = Examples(examples.ids, examples.cells[::-1])
    assert reliability(turned, 0) == pytest.approx(reliability(examples, 0))
    assert reliability(Examples(examples.ids, examples.cells[:2]), 0) is None
    constant = Examples(examples.ids, np.ones((4, 300)))
    assert reliability(constant, 0) is None


def test_the_ceiling_follows_from_both_reliabilities() -> None:
    assert ceiling("kendall_tau_b", 1.0, 1.0) == pytest.approx(1)
    assert ceiling("spearman", 0.5, 0.5) == pytest.approx(6 / np.pi * np.arcsin(0.25))
    assert ceiling("kendall_tau_b", 0.8, None) is None
    assert ceiling("weighted_tau", 0.8, 0.8) is None


def test_without_true_differences_all_variance_is_chance() -> None:
    shares = [true_share(_answers(seed, np.full(20, 0.7), 400, "a").cells) for seed in range(20)]
    assert np.mean(shares) < 0.25
    assert true_share(_answers(1, np.linspace(0.2, 0.9, 20), 2_000, "a").cells) > 0.99


def test_the_interval_narrows_with_more_examples() -> None:
    skill, other = np.linspace(0.6, 0.8, 10), np.linspace(0.6, 0.8, 10)[::-1] * 0.2 + 0.55
    widths = []
    for count in (200, 3_200):
        old, new = _answers(1, skill, count, "a"), _answers(2, other, count, "b")
        ends = intervals_over_examples(old, new, {"spearman": -0.8}, Plan(draws=200))
        widths.append(ends["spearman"][1] - ends["spearman"][0])
    assert widths[1] < widths[0] / 2


def test_examples_in_both_versions_are_drawn_together() -> None:
    """The same file twice: whatever is drawn, both versions rank alike."""
    examples = _answers(3, np.linspace(0.6, 0.7, 8), 300, "a")
    other = Examples(tuple(f"b{name}" for name in examples.ids), examples.cells)
    plan = Plan(draws=100)
    same = intervals_over_examples(examples, examples, {"spearman": 0.9}, plan)["spearman"]
    apart = intervals_over_examples(examples, other, {"spearman": 0.9}, plan)["spearman"]
    assert same == pytest.approx((0.9, 0.9))
    assert apart[1] - apart[0] > 0.05
