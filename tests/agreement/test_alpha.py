"""Krippendorff's alpha against its definition, another library, and plain resampling."""

from __future__ import annotations

import random
import tracemalloc
from dataclasses import replace
from typing import Any

import krippendorff
import numpy as np
import pytest
from by_definition import Matrix, alpha, columns, level_distance, matrices
from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import from_matrix, ratings
from threadpoolctl import threadpool_limits

from pipeline.agreement.coefficients.alpha import LEVELS, alphas, krippendorff_alpha
from pipeline.agreement.votes.ratings import Ratings
from pipeline.contracts.spec import Level

SCALE = (0, 1, 2, 3, 5)


def _package(matrix: Matrix, level: str) -> float | None:
    """Return what the krippendorff package says, None where it refuses or divides by 0."""
    rows = np.array([[np.nan if v is None else float(v) for v in row] for row in matrix])
    try:
        with np.errstate(all="ignore"):
            found = float(krippendorff.alpha(rows, level_of_measurement=level))
    except ValueError:
        return None
    return found if np.isfinite(found) else None


@pytest.mark.parametrize("level", LEVELS)
@given(matrix=matrices(SCALE))
def test_alpha_is_that_of_the_package_and_of_the_definition(matrix: Matrix, level: Level) -> None:
    found = krippendorff_alpha(from_matrix(matrix), level=level)
    naive = alpha(matrix, level_distance(level, matrix))
    if naive is None:
        assert found.value is None and found.reason
        return
    assert found.value == pytest.approx(naive, abs=1e-9)
    assert found.value == pytest.approx(_package(matrix, level), abs=1e-9)
    assert found.n == sum(len(unit) > 1 for unit in columns(matrix))


@given(matrix=matrices(("가", "나", "다라")))
def test_alpha_with_a_distance_of_ones_own(matrix: Matrix) -> None:
    def distance(a: str, b: str) -> float:
        return abs(len(a) - len(b)) + 0.5 * (a != b)

    found = krippendorff_alpha(from_matrix(matrix), distance=distance)
    naive = alpha(matrix, distance)
    assert found.value == (None if naive is None else pytest.approx(naive, abs=1e-9))


@given(matrix=matrices(SCALE))
def test_ordinal_alpha_is_interval_alpha_of_mid_ranks(matrix: Matrix) -> None:
    pool = sorted(v for unit in columns(matrix) if len(unit) > 1 for v in unit)
    places = {v: [i for i, w in enumerate(pool) if w == v] for v in pool}
    rank = {v: sum(at) / len(at) for v, at in places.items()}
    ranked = [[rank.get(v) if v is not None else None for v in row] for row in matrix]
    ordinal = krippendorff_alpha(from_matrix(matrix), level="ordinal").value
    interval = krippendorff_alpha(from_matrix(ranked), level="interval").value
    assert ordinal == (None if interval is None else pytest.approx(interval, abs=1e-9))


@given(matrix=matrices(SCALE), chance=st.randoms(use_true_random=False))
def test_order_names_and_lone_votes_change_nothing(matrix: Matrix, chance: random.Random) -> None:
    rows = [
        (f"u{u}", f"r{r}", row[u])
        for r, row in enumerate(matrix)
        for u in range(len(row))
        if row[u] is not None
    ]
    other = [(f"x{u}", None, v) for u, _, v in rows] + [("alone", "z", 5)]
    chance.shuffle(other)
    scale = {"categories": SCALE}
    first = ratings(*zip(*rows, strict=True), **scale) if rows else ratings([], [], [], **scale)
    second = ratings(*zip(*other, strict=True), **scale)
    for level, found in alphas(first, LEVELS, bootstrap=50).items():
        again = krippendorff_alpha(second, level=level, bootstrap=50)
        assert (found.value, found.low, found.high) == (again.value, again.low, again.high)


def _noisy(units: int, votes: int, labels: int, *, agree: float, seed: int) -> Ratings:
    chance = np.random.default_rng(seed)
    truth = chance.integers(0, labels, (units, 1))
    wrong = chance.integers(0, labels, (units, votes))
    value = np.where(chance.random((units, votes)) < agree, truth, wrong)
    value[: units // 4, -1] = -1
    unit = np.repeat(np.arange(units), votes)[value.ravel() >= 0].astype(np.int32)
    value = value.ravel()[value.ravel() >= 0].astype(np.int32)
    names = tuple(map(str, range(units)))
    return Ratings(unit, np.full_like(unit, -1), value, names, (), tuple(range(1, labels + 1)))


def _resampled_plainly(votes: Ratings, level: str, resamples: int) -> list[float]:
    """Draw units one by one in plain Python and compute alpha of each draw with the package."""
    chance = random.Random(4)
    rows: dict[int, list[Any]] = {}
    for unit, value in zip(votes.unit.tolist(), votes.value.tolist(), strict=True):
        rows.setdefault(unit, [0] * len(votes.values))[value] += 1
    units = list(rows.values())
    return [
        float(
            krippendorff.alpha(
                value_counts=chance.choices(units, k=len(units)),
                value_domain=votes.values,
                level_of_measurement=level,
            )
        )
        for _ in range(resamples)
    ]


@pytest.mark.parametrize(
    ("level", "labels"),
    [
        *((level, 3) for level in LEVELS),
        ("interval", 40),
        *(pytest.param(level, 40, marks=pytest.mark.full) for level in LEVELS),
    ],
)
def test_interval_is_that_of_plain_resampling(level: Level, labels: int) -> None:
    """Of 3 labels units of one pattern are drawn together, of 40 each unit for itself."""
    votes = _noisy(240, 3, labels, agree=0.7, seed=1)
    found = krippendorff_alpha(votes, level=level, bootstrap=4000)
    plain = np.percentile(_resampled_plainly(votes, level, 500), [2.5, 97.5])
    assert found.value and found.low and found.high
    assert found.low < found.value < found.high
    width = plain[1] - plain[0]
    assert [found.low, found.high] == pytest.approx(list(plain), abs=0.12 * width)


@pytest.mark.parametrize("level", ["nominal", "interval", "ratio"])
def test_analytic_interval_is_near_the_resampled_one(level: Level) -> None:
    votes = _noisy(3000, 4, 5, agree=0.6, seed=2)
    analytic = krippendorff_alpha(votes, level=level)
    drawn = krippendorff_alpha(votes, level=level, bootstrap=3000)
    assert analytic.low is not None and analytic.high is not None
    width = analytic.high - analytic.low
    assert [analytic.low, analytic.high] == pytest.approx([drawn.low, drawn.high], abs=0.08 * width)


def test_interval_depends_on_the_seed_alone() -> None:
    votes = _noisy(200, 3, 4, agree=0.7, seed=3)
    made = [krippendorff_alpha(votes, bootstrap=100, seed=seed) for seed in (1, 1, 2)]
    assert made[0] == made[1] and made[0] != made[2]
    assert made[0].value == made[2].value


@pytest.mark.parametrize("level", LEVELS)
def test_number_of_threads_changes_nothing(level: Level) -> None:
    votes = _noisy(1500, 3, 1200, agree=0.8, seed=5)
    made = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            made.append(krippendorff_alpha(votes, level=level, bootstrap=30))
    assert made[0] == made[1]


def test_degenerate_resamples_are_left_out_and_counted() -> None:
    # One unit in three differs: (2/3)^3 = 30 % of the resamples never draw it.
    found = krippendorff_alpha(from_matrix([[1, 1, 1], [1, 1, 2]]), bootstrap=1000)
    assert found.value is not None and found.low is not None and found.reason
    lost = int(found.reason.split()[0])
    assert 240 < lost < 360
    assert found.reason.endswith("of 1,000 resamples have no value and were left out")


@pytest.mark.parametrize(
    ("matrix", "level", "reason"),
    [
        ([[], []], "nominal", "no vote"),
        ([["y", "n"], [None, None]], "nominal", "no item has two votes"),
        ([[4, 4, 2], [4, 4, None]], "interval", "one category"),
        ([["a", "b"], ["b", "a"]], "interval", "not numbers"),
        ([["1", "2"], ["2", "1"]], "ratio", "not numbers"),
        ([[-1, 2], [1, 2]], "ratio", "below 0"),
    ],
)
def test_no_alpha_is_explained(matrix: Matrix, level: Level, reason: str) -> None:
    found = krippendorff_alpha(from_matrix(matrix), level=level, bootstrap=10)
    assert found.value is None and found.low is None and found.high is None
    assert found.reason and reason in found.reason


def test_distance_of_zero_is_explained() -> None:
    found = krippendorff_alpha(from_matrix([[1, 2], [2, 1]]), distance=lambda *_: 0.0)
    assert found.value is None and found.reason and "no distance" in found.reason


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "nominl"}, "allowed are nominal, ordinal, interval, ratio"),
        ({"bootstrap": -1}, "at least 0"),
        ({"distance": lambda *_: -1.0}, "at least 0"),
        ({"distance": lambda *_: float("nan")}, "finite"),
    ],
)
def test_wrong_options_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        krippendorff_alpha(from_matrix([[1, 2], [2, 1]]), **options)


def test_too_many_values_for_a_distance_are_explained() -> None:
    votes = ratings(list(range(4100)), [None] * 4100, list(range(4100)))
    found = krippendorff_alpha(votes, distance=lambda *_: 1.0)
    assert found.value is None and found.reason and "at most 4000" in found.reason


@pytest.mark.parametrize("level", LEVELS)
def test_continuous_scores_need_no_matrix_of_values(level: Level) -> None:
    # 2,000 units and 6,000 values: units x values are 96 MB, values squared 288 MB.
    chance = np.random.default_rng(6)
    scores = chance.lognormal(size=(2000, 1)) + chance.random((2000, 3)) * 0.3
    values, value = np.unique(scores, return_inverse=True)
    unit = np.repeat(np.arange(2000), 3).astype(np.int32)
    codes = value.ravel().astype(np.int32)
    names = tuple(map(str, range(2000)))
    votes = Ratings(unit, np.full_like(unit, -1), codes, names, (), tuple(values.tolist()))
    tracemalloc.start()
    found = krippendorff_alpha(votes, level=level, bootstrap=200)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.value is not None
    assert peak < 64 * 2**20
    some = votes.only(votes.unit < 60)
    matrix = [[float(v) for v in row] for row in scores[:60].T]
    small = krippendorff_alpha(some, level=level).value
    assert small == pytest.approx(_package(matrix, level), abs=1e-9)
    again = krippendorff_alpha(replace(some, units=names[:60]), level=level).value
    assert small == again
