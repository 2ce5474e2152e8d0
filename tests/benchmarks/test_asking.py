"""Asking where the gain is highest takes fewer votes than asking at random or in turn."""

from __future__ import annotations

import numpy as np
import pytest
from asking import STRATEGIES, LabelPool, Plan, ScorePool, simulate, votes_until


@pytest.mark.thin(2)
@pytest.mark.parametrize("labels", [2, 4])
def test_gain_reaches_the_same_accuracy_with_fewer_votes(labels: int) -> None:
    plan = Plan(items=150, batch=15, rounds=30)
    needed = {}
    for strategy in STRATEGIES:
        runs = [
            simulate(
                lambda rng, items: LabelPool(rng, items, labels=labels, skill=(0.6, 0.9)),
                plan,
                strategy,
                seed,
            )
            for seed in range(31_400, 31_406)
        ]
        curve = np.mean([quality for _, quality in runs], axis=0)
        needed[strategy] = votes_until(runs[0][0], curve, 0.85) or 10_000
    assert needed["gain"] < 0.85 * needed["turn"]
    assert needed["gain"] < 0.85 * needed["random"]


def test_gain_makes_means_better_than_asking_in_turn_does() -> None:
    plan = Plan(items=150, start=3, batch=15, rounds=31)
    errors = {}
    for strategy in STRATEGIES:
        runs = [
            simulate(
                lambda rng, items: ScorePool(rng, items, spread=(0.2, 1.6)), plan, strategy, seed
            )
            for seed in range(52_700, 52_712)
        ]
        errors[strategy] = -float(np.mean([quality[-1] for _, quality in runs]))
    assert errors["gain"] < errors["turn"] < errors["random"]


def test_a_target_is_reached_only_when_it_is_held() -> None:
    assert votes_until([10, 20, 30, 40], [0.5, 0.9, 0.7, 0.9], 0.8) == 40
    assert votes_until([10, 20], [0.9, 0.9], 0.8) == 10
    assert votes_until([10, 20], [0.9, 0.7], 0.8) is None
