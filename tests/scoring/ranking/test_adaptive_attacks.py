"""Adaptive submissions against the ladder: the fast part of leaderboard_attack.py."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from drawn_systems import drawn_weights

from pipeline.scoring.measure import Measure, pearson_measure
from pipeline.scoring.metrics.classes import (
    accuracy_measure,
    macro_f1_measure,
    micro_f1_measure,
)
from pipeline.scoring.ranking.ladder import MOST_IMPROVEMENTS

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from attacked_boards import RULES, TASKS, Board, world
from board_attacks import ATTACKS, Stairs
from leaderboard_attack import overfits, power

SEEDS = (21, 22, 23)
NAMES = [f"{code:02}" for code in range(30)]


def best(knowledge: str, rule: str, attacks: tuple[str, ...]) -> float:
    """Return what the best of some attacks overfits a board on NLI, in points."""
    return max(
        float(overfits("nli", knowledge, RULES[rule], ATTACKS[name], SEEDS).mean())
        for name in attacks
    )


@pytest.mark.parametrize(
    ("knowledge", "naive", "against"),
    [
        ("nothing", 40.0, ("boosting", "flips of 50", "flips of 200, 5 ladders")),
        ("80 %", 18.0, ("boosting", "stairs 2.5, 100%, 1 ladders")),
    ],
)
def test_a_thousand_submissions_win_at_most_a_fifth_of_what_a_naive_board_gives(
    knowledge: str, naive: float, against: tuple[str, ...]
) -> None:
    shown = best(knowledge, "naive", ("probing",))
    assert shown > naive
    assert best(knowledge, "ours", against) <= shown / 5


def test_one_standard_error_is_too_little() -> None:
    """What Blum and Hardt take lets a tenth of a point be climbed at a time."""
    assert best("80 %", "1 error", ("flips of 10",)) > 5


def test_true_gains_in_small_steps_are_shown_only_a_few_times() -> None:
    counts = []
    for rule in ("level 0.05/k", "ours"):
        chance = np.random.default_rng(7)
        truth = world("nli", known=0.6, candidates=2, chance=chance)
        board = Board(truth, RULES[rule])
        Stairs(1.0)(board, 600, chance)
        counts.append(board.improvements[0])
    assert counts[0] > 2 * MOST_IMPROVEMENTS
    assert counts[1] == MOST_IMPROVEMENTS


def _measure(task: str, gold: np.ndarray, answers: np.ndarray) -> Measure:
    if task == "sts":
        return pearson_measure(gold, answers)
    names = [[NAMES[code] for code in side.tolist()] for side in (gold, answers)]
    if task == "re":
        return micro_f1_measure(*names, labels=NAMES[1:])
    return (accuracy_measure if task == "nli" else macro_f1_measure)(*names)


@pytest.mark.parametrize("task", ["nli", "tc", "re", "sts"])
def test_scores_and_errors_of_the_simulation_are_those_of_metrics_and_bootstrap(task: str) -> None:
    chance = np.random.default_rng(3)
    truth = world(task, known=0.6, candidates=2, chance=chance)
    kept = slice(None, 500)
    gold = truth.gold[kept]
    sides = [truth.guess(chance)[kept] for _ in range(2)]
    found = [truth.metric(gold, answers) for answers in sides]
    measures = [_measure(task, gold, answers) for answers in sides]
    n = len(gold)
    drawn = [measure(drawn_weights(n, 600)) for measure in measures]
    for (score, _), measure in zip(found, measures, strict=True):
        assert score == pytest.approx(float(measure(np.ones((1, n)))[0]))
    influence = (found[0][1] - found[1][1]).std() / np.sqrt(n)
    assert influence == pytest.approx(float((drawn[0] - drawn[1]).std()), rel=0.12)


def test_a_naive_board_shows_each_score_and_ours_only_gains() -> None:
    chance = np.random.default_rng(1)
    truth = world("nli", known=0.6, candidates=2, chance=chance)
    naive, ours = Board(truth, None), Board(truth, RULES["ours"])
    first = truth.guess(chance)
    worse = truth.spoilt(first, 0)
    assert [naive.submit(answers) is not None for answers in (first, worse)] == [True, True]
    shown = [ours.submit(answers) for answers in (worse, first, worse)]
    assert [score is not None for score in shown] == [True, True, False]
    assert shown[1] == round(truth.metric(truth.gold, first)[0], 2)
    assert TASKS["nli"][0] == truth.n == 1_500


def test_power_falls_with_the_number_of_submissions_and_has_the_level_without_a_gain() -> None:
    rule = RULES["ours"]
    assert rule is not None
    powers = [power(0.15, 0.03, before, rule) for before in (1, 10, 100)]
    assert powers == sorted(powers, reverse=True)
    assert power(0.15, 0.0, 1, rule) == pytest.approx(0.05, abs=0.001)
