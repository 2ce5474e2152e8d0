"""Pairs told apart against scipy's paired t test, ranks against what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pipeline.scoring.versions.pairs import (
    pair_counts,
    rank_bounds,
    ranks,
    saturation,
    significant_signs,
)
from pipeline.scoring.versions.scores import Examples


def _examples(cells: np.ndarray) -> Examples:
    return Examples(tuple(map(str, range(cells.shape[1]))), cells.astype(np.float64))


def test_pairs_are_told_apart_as_by_a_paired_t_test_with_holm() -> None:
    chance = np.random.default_rng(5)
    cells = chance.normal(size=(6, 80)) + np.array([0, 0.1, 0.3, 0.6, 0.65, 1.2])[:, None]
    first, second = np.triu_indices(6, 1)
    p = np.array(
        [stats.ttest_rel(cells[i], cells[j]).pvalue for i, j in zip(first, second, strict=True)]
    )
    limits = 0.05 / np.arange(len(p), 0, -1)
    order = np.argsort(p)
    last = next((k for k, i in enumerate(order) if p[i] > limits[k]), len(p))
    expected = {(int(first[i]), int(second[i])) for i in order[:last]}
    signs = significant_signs(_examples(cells), 0.95)
    found = {(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(signs)), strict=True)}
    assert found == expected
    assert 0 < len(expected) < len(p)
    assert (signs == -signs.T).all()


def test_equal_systems_are_not_told_apart_and_certain_ones_are() -> None:
    cells = np.array([[1, 0, 1, 0], [1, 0, 1, 0], [0, -1, 0, -1]])
    signs = significant_signs(_examples(cells), 0.95)
    assert signs[0, 1] == 0
    assert signs[0, 2] == signs[1, 2] == 1


def test_sure_ranks_hold_the_true_ones() -> None:
    skill, runs, held = np.linspace(0.55, 0.75, 9), 60, 0
    true = ranks(skill)
    for seed in range(runs):
        chance = np.random.default_rng(seed)
        cells = chance.random((9, 500)) < skill[:, None]
        bounds = rank_bounds(significant_signs(_examples(cells), 0.95))
        held += all(low <= rank <= high for rank, (low, high) in zip(true, bounds, strict=True))
    assert held / runs >= 0.9  # all nine at once, at least 95 % promised


def test_counts_of_pairs_add_up() -> None:
    old, new = np.array([3.0, 2, 1, 1]), np.array([1.0, 2, 3, 0])
    counts = pair_counts((old, new), (None, None))
    assert counts["all"] == 6
    assert (counts["same_order"], counts["opposite_order"], counts["tied"]) == (2, 3, 1)
    assert set(counts["told_apart"].values()) == {None}


def test_saturation_counts_systems_that_reach_people() -> None:
    found = saturation([80.0, 90.0, 95.0], 90.0)
    assert (found.best, found.headroom, found.reached) == (95.0, -5.0, 2)


def test_equal_scores_share_their_ranks() -> None:
    assert ranks(np.array([5.0, 7, 5])).tolist() == pytest.approx([2.5, 1, 2.5])
