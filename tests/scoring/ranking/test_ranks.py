"""Ranks that are sure at once: against a slow reference, by coverage, and in odd cases."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from drawn_systems import Make, classes, numbers, right_or_wrong, scored
from scipy import stats

from pipeline.scoring.measure import Floats, Ratio
from pipeline.scoring.ranking.ranks import RankRange, rank_ranges, significant_signs

Pairs = set[tuple[int, int]]


def reference(scores: list[float], draws: list[Floats], n: int, confidence: float) -> Pairs:
    """Return the pairs (better, worse) that are told apart, by loops over pairs and draws."""
    ratios, between = {}, {}
    for a, b in combinations(range(len(scores)), 2):
        drawn = [float(x - y) for x, y in zip(draws[a], draws[b], strict=True)]
        difference = scores[a] - scores[b]
        error = float(np.std(drawn, ddof=1)) * math.sqrt(n / (n - 1))
        error = max(error, 2 * abs(difference) * math.sqrt(n) / (n + 1) ** 1.5)
        if error:
            ratios[a, b] = abs(difference) / error
            between[a, b] = [abs(one - difference) / error for one in drawn]
    apart: Pairs = set()
    left = set(ratios)
    while left:
        greatest = sorted(max(between[pair][k] for pair in left) for k in range(len(draws[0])))
        normal = greatest[math.ceil(confidence * (len(greatest) + 1)) - 1]
        normal = max(normal, stats.norm.ppf((1 + confidence) / 2))
        limit = float(stats.t.ppf(stats.norm.cdf(normal), n - 1))
        new = {pair for pair in left if ratios[pair] > limit}
        if not new:
            break
        left -= new
        apart |= {(a, b) if scores[a] > scores[b] else (b, a) for a, b in new}
    return apart


@pytest.mark.parametrize("make", [right_or_wrong, classes, numbers])
@pytest.mark.parametrize("n", [12, 60, 200])
def test_pairs_are_told_apart_as_by_the_slow_reference(make: Make, n: int) -> None:
    chance = np.random.default_rng([n, len(make.__name__)])
    scores, draws = scored(make(chance, [0.2, 0.25, 0.5, 0.75, 0.9, 0.95], n), n, 200)
    signs = significant_signs(np.array(scores), np.column_stack(draws), examples=n, confidence=0.9)
    assert np.isfinite(draws).all(), "the reference knows no undefined draws"
    assert {tuple(pair) for pair in np.argwhere(signs > 0).tolist()} == reference(
        scores, draws, n, 0.9
    )
    assert (signs == -signs.T).all()


#: How often a pair may be told apart wrongly in RUNS runs: the confidence is 95 %, and so many more
#: are three deviations.
RUNS = 100
WRONG = 5 + 3 * math.sqrt(RUNS * 0.05 * 0.95)
#: Kind of systems, their skills, examples.
COVERED: list[tuple[Make, list[float], int]] = [
    (right_or_wrong, [1.0] * 2, 300),
    (right_or_wrong, [1.0] * 10, 300),
    (right_or_wrong, [1.0] * 50, 300),
    (right_or_wrong, [0.6, 0.6, 1.0, 1.0, 1.0, 1.4, 1.4, 1.4, 1.8, 1.8], 500),
    (classes, [0.8] * 10, 400),
    (classes, [0.5, 0.5, 0.6, 0.6, 0.6, 0.7], 400),
    (numbers, [1.5] * 10, 300),
    (numbers, [1.0, 1.0, 1.2, 1.2, 1.4, 2.0], 300),
]


@pytest.mark.thin("make")
@pytest.mark.parametrize(("make", "skills", "n"), COVERED)
def test_no_pair_is_told_apart_wrongly_with_the_confidence_that_is_claimed(
    make: Make, skills: list[float], n: int
) -> None:
    chance = np.random.default_rng([n, len(skills), len(make.__name__)])
    truth = np.sign(np.subtract.outer(skills, skills))
    wrong = 0
    for _ in range(RUNS):
        scores, draws = scored(make(chance, skills, n), n, 200)
        signs = significant_signs(
            np.array(scores), np.column_stack(draws), examples=n, confidence=0.95
        )
        wrong += bool(((signs != 0) & (signs != truth)).any())
    assert wrong <= WRONG


def test_systems_far_apart_have_one_rank_each() -> None:
    measures = right_or_wrong(np.random.default_rng(3), [-2, 0, 2, 4], 1_500)
    scores, draws = scored(measures, 1_500, 500)
    found = rank_ranges(scores, draws, examples=1_500, confidence=0.95)
    assert found == [RankRange(rank, rank, 4) for rank in (4, 3, 2, 1)]
    assert [(one.better, one.worse) for one in found if one] == [(3, 0), (2, 1), (1, 2), (0, 3)]


def test_step_by_step_tells_more_pairs_apart_than_one_maximum() -> None:
    """Once the pairs with far systems are out, the rest has a smaller maximum."""
    chance, gained = np.random.default_rng(5), 0
    for _ in range(40):
        measures = right_or_wrong(chance, [-3, -3, -3, -3, 1, 1.42], 400)
        scores, draws = scored(measures, 400, 200)
        drawn = np.column_stack(draws)
        stepwise = significant_signs(np.array(scores), drawn, examples=400, confidence=0.9)
        differences = np.subtract.outer(scores, scores)
        between = drawn[:, :, None] - drawn[:, None, :]
        errors = between.std(axis=0, ddof=1) + np.eye(len(scores))
        greatest = (np.abs(between - differences) / errors).max(axis=(1, 2))
        at_once = np.abs(differences) / errors > np.quantile(greatest, 0.9)
        gained += int((stepwise != 0).sum()) - int(at_once.sum())
    assert gained > 0


def test_equal_systems_share_all_ranks() -> None:
    scores, draws = scored(right_or_wrong(np.random.default_rng(1), [1.0], 200), 200, 100)
    found = rank_ranges(scores * 3, draws * 3, examples=200, confidence=0.95)
    assert found == [RankRange(1, 3, 3)] * 3


def test_systems_without_a_score_have_no_rank_and_do_not_count() -> None:
    scores, draws = scored(right_or_wrong(np.random.default_rng(2), [-2, 3], 500), 500, 200)
    undefined = np.full(200, np.nan)
    found = rank_ranges(
        [scores[0], None, scores[1], math.nan],
        [draws[0], undefined, draws[1], undefined],
        examples=500,
        confidence=0.95,
    )
    assert found == [RankRange(2, 2, 2), None, RankRange(1, 1, 2), None]
    assert rank_ranges([None], [undefined], examples=5, confidence=0.95) == [None]
    assert rank_ranges([], [], examples=5, confidence=0.95) == []
    assert rank_ranges([3.0], [draws[0]], examples=5, confidence=0.95) == [RankRange(1, 1, 1)]


def test_a_pair_that_is_often_undefined_is_never_told_apart() -> None:
    scores, draws = scored(right_or_wrong(np.random.default_rng(2), [-2, 3], 500), 500, 200)
    few, many = draws[1].copy(), draws[1].copy()
    few[:10], many[:60] = np.nan, np.nan
    for drawn, last in ((few, 1), (many, 2)):
        found = rank_ranges(scores, [draws[0], drawn], examples=500, confidence=0.95)
        assert found[1] == RankRange(1, last, 2)


def test_few_examples_tell_nothing_apart() -> None:
    """All right against all wrong: without error in every draw, and yet no proof in three."""
    for n, last in ((1, 2), (3, 2), (30, 1)):
        measures = [Ratio(np.full(n, right), np.ones(n)) for right in (0, 1)]
        scores, draws = scored(measures, n, 200)
        assert scores == [0, 100]
        found = rank_ranges(scores, draws, examples=n, confidence=0.95)
        assert found[1] == RankRange(1, last, 2)


def test_more_confidence_never_narrows_a_range() -> None:
    skills = np.linspace(0, 2, 12).tolist()
    scores, draws = scored(right_or_wrong(np.random.default_rng(8), skills, 400), 400, 400)
    widths = []
    for confidence in (0.5, 0.9, 0.95, 0.99):
        found = rank_ranges(scores, draws, examples=400, confidence=confidence)
        widths.append(sum(one.high - one.low for one in found if one))
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]
