"""The ladder: which gains are shown, how often chance alone is, and at what size."""

from __future__ import annotations

import math

import numpy as np
import pytest
from drawn_systems import right_or_wrong, scored
from scipy import stats

from pipeline.scoring.measure import Floats, Measure, Ratio, pearson_measure
from pipeline.scoring.ranking.ladder import (
    LEVEL,
    MOST_IMPROVEMENTS,
    MOST_OVER_FEW,
    Gain,
    System,
    gain,
    improves,
    level,
    most_improvements,
)
from pipeline.scoring.resampling import Plan

N = 1_500


def accuracy(right: Floats) -> Measure:
    return Ratio(right, np.ones(len(right)))


def compare(new: Floats, best: Floats, before: int = 1, improvements: int = 0) -> Gain:
    return improves(
        accuracy(new),
        accuracy(best),
        len(new),
        plan=Plan(400),
        submissions_before=before,
        improvements_before=improvements,
    )


def flipped(right: Floats, gained: int, lost: int) -> Floats:
    """Return answers of which so many more and so many fewer are right."""
    changed = right.copy()
    changed[np.flatnonzero(right == 0)[:gained]] = 1
    changed[np.flatnonzero(right == 1)[:lost]] = 0
    return changed


@pytest.fixture
def best() -> Floats:
    return (np.random.default_rng(0).random(N) < 0.8).astype(np.float64)


def test_the_error_is_that_of_paired_differences(best: Floats) -> None:
    new = flipped(best, 60, 30)
    found = compare(new, best)
    assert found.difference == pytest.approx(100 * 30 / N)
    assert found.error == pytest.approx(100 * stats.sem(new - best), rel=0.12)  # of 400 draws
    assert found.needed == pytest.approx(found.error * stats.t.isf(0.05, N - 1))


def test_a_gain_is_shown_that_chance_does_not_explain(best: Floats) -> None:
    assert compare(flipped(best, 60, 30), best).is_shown
    assert not compare(flipped(best, 60, 50), best).is_shown
    assert not compare(flipped(best, 30, 60), best).is_shown
    assert not compare(best, best).is_shown


@pytest.mark.parametrize("gained", [1, 2])
def test_a_single_answer_set_right_is_never_shown(best: Floats, gained: int) -> None:
    """One standard error would show it, and so each label could be asked for."""
    found = compare(flipped(best, gained, 0), best)
    assert found.difference > 0
    assert not found.is_shown


def test_the_more_was_submitted_the_more_is_needed(best: Floats) -> None:
    new = flipped(best, 60, 30)
    needed = [compare(new, best, before=before).needed for before in (0, 1, 2, 10, 100, 1_000)]
    assert needed[0] == needed[1]
    assert needed[1:] == sorted(set(needed[1:]))
    assert [compare(new, best, before=before).is_shown for before in (1, 100)] == [True, False]


def test_after_so_many_improvements_none_is_shown(best: Floats) -> None:
    new = flipped(best, 250, 0)
    most = most_improvements(len(best))
    assert compare(new, best, improvements=most - 1).is_shown
    assert not compare(new, best, improvements=most).is_shown


def test_fewer_improvements_are_shown_over_few_examples() -> None:
    numbers = [most_improvements(n) for n in (1, 999, 1_000, 10_000)]
    assert numbers == [MOST_OVER_FEW, MOST_OVER_FEW, MOST_IMPROVEMENTS, MOST_IMPROVEMENTS]
    assert MOST_OVER_FEW < MOST_IMPROVEMENTS


@pytest.mark.parametrize("before", [1, 3])
def test_chance_alone_is_shown_as_often_as_its_level_says(before: int) -> None:
    chance, runs, shown = np.random.default_rng(before), 400, 0
    for _ in range(runs):
        difficulty = chance.random(300)
        answers = [(chance.random(300) < difficulty).astype(np.float64) for _ in range(2)]
        scores, draws = scored([accuracy(right) for right in answers], 300, 200)
        new, old = (System(*pair) for pair in zip(scores, draws, strict=True))
        shown += gain(new, old, 300, submissions_before=before).is_shown
    share = LEVEL / before
    assert level(before) == share
    assert abs(shown - runs * share) <= 4 * math.sqrt(runs * share)


def test_a_score_where_there_was_none_is_shown_and_the_reverse_is_not() -> None:
    draws = np.zeros(10)
    none, some = System(None, draws * np.nan), System(50.0, draws + 50)
    assert gain(some, none, 10, submissions_before=1).is_shown
    assert not gain(none, some, 10, submissions_before=1).is_shown
    assert not gain(none, none, 10, submissions_before=1).is_shown
    full = most_improvements(10)
    assert not gain(some, none, 10, submissions_before=1, improvements_before=full).is_shown


def test_a_constant_prediction_has_no_correlation_and_is_not_shown() -> None:
    gold = np.arange(50.0)
    noisy = gold + np.random.default_rng(1).normal(0, 20, 50)
    flat, some = pearson_measure(gold, np.ones(50)), pearson_measure(gold, noisy)
    assert not improves(flat, some, 50, plan=Plan(100), submissions_before=1).is_shown
    assert improves(some, flat, 50, plan=Plan(100), submissions_before=1).is_shown


def test_few_examples_show_no_gain() -> None:
    for n, is_shown in ((1, False), (3, False), (40, True)):
        assert compare(np.ones(n), np.zeros(n), before=10).is_shown is is_shown


def test_the_result_does_not_depend_on_the_run() -> None:
    first, second = right_or_wrong(np.random.default_rng(4), [1.0, 1.2], N)
    found = [improves(second, first, N, plan=Plan(100), submissions_before=2) for _ in range(2)]
    assert found[0] == found[1]
