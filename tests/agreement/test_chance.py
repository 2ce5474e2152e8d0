"""Chance-corrected coefficients against scikit-learn, their definitions and published variances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from by_definition import Apart, Matrix, agreement, columns, matrices, mean_shares, met, own_shares
from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import from_matrix, ratings
from sklearn.metrics import cohen_kappa_score

from pipeline.agreement.coefficients.chance import KAPPAS, kappa
from pipeline.agreement.coefficients.distances import Named
from pipeline.agreement.coefficients.estimates import Estimate
from pipeline.agreement.votes.ratings import Ratings

(
    cohen_kappa,
    fleiss_kappa,
    scott_pi,
    gwet_ac1,
    bennett_s,
    brennan_prediger,
    conger_kappa,
    randolph_kappa,
    gwet_ac2,
    weighted_kappa,
) = (partial(kappa, name) for name in KAPPAS)
SCALE = (1, 2, 3, 5)
#: Distances from 0 to 1 over SCALE, by the name of their weights.
APART: dict[Named, Apart] = {
    "identity": lambda a, b: float(a != b),
    "linear": lambda a, b: abs(a - b) / 4,
    "quadratic": lambda a, b: (a - b) ** 2 / 16,
    "ordinal": lambda a, b: (k := abs(SCALE.index(a) - SCALE.index(b))) * (k + 1) / 12,
}
Coefficient = partial[Estimate]


def _fleiss(matrix: Matrix, apart: Apart) -> float:
    shares = mean_shares(matrix, SCALE)
    return met(shares, shares, SCALE, apart)


def _uniform(matrix: Matrix, apart: Apart) -> float:
    return met([1 / 4] * 4, [1 / 4] * 4, SCALE, apart)


def _gwet(matrix: Matrix, apart: Apart) -> float:
    agreeing = sum(1 - apart(a, b) for a in SCALE for b in SCALE)
    return agreeing / (4 * 3) * sum(p * (1 - p) for p in mean_shares(matrix, SCALE))


def _conger(matrix: Matrix, apart: Apart) -> float:
    rows = [own_shares(row, SCALE) for row in matrix if any(v is not None for v in row)]
    pairs = [met(p, q, SCALE, apart) for p, q in permutations(rows, 2)]
    return sum(pairs) / len(pairs) if pairs else 1.0


MODELS: list[tuple[Coefficient, Callable[[Matrix, Apart], float]]] = [
    (fleiss_kappa, _fleiss),
    (brennan_prediger, _uniform),
    (gwet_ac2, _gwet),
    (conger_kappa, _conger),
]


@pytest.mark.parametrize("weights", APART)
@pytest.mark.parametrize(("coefficient", "chance"), MODELS, ids=[c.args[0] for c, _ in MODELS])
@given(matrix=matrices(SCALE))
def test_coefficient_is_its_definition(
    coefficient: Coefficient,
    chance: Callable[[Matrix, Apart], float],
    weights: Named,
    matrix: Matrix,
) -> None:
    found = coefficient(from_matrix(matrix, categories=SCALE), weights=weights)
    assert found.n == sum(len(unit) > 1 for unit in columns(matrix)) or found.value is None
    if not any(len(unit) > 1 for unit in columns(matrix)):
        assert found.value is None and found.reason
        return
    expected = chance(matrix, APART[weights])
    if expected > 1 - 1e-9:
        assert found.value is None and found.reason
    else:
        observed = agreement(matrix, APART[weights])
        assert found.value == pytest.approx((observed - expected) / (1 - expected), abs=1e-9)


Pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


def _two(pairs: Sequence[tuple[Any, Any]], **options: Any) -> Ratings:
    return from_matrix([list(row) for row in zip(*pairs, strict=True)], **options)


@given(pairs=Pairs)
def test_kappa_of_two_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    votes = _two(pairs, categories=range(4))
    for weights in (None, "linear", "quadratic"):
        found = weighted_kappa(votes, weights=weights or "identity")
        if len({*first, *second}) == 1:
            assert found.value is None and found.reason
            continue
        expected = cohen_kappa_score(first, second, labels=range(4), weights=weights)
        assert found.value == pytest.approx(expected, abs=1e-9)
    assert cohen_kappa(votes) == weighted_kappa(votes, weights="identity")


@given(pairs=Pairs)
def test_coefficients_of_two_are_those_of_many(pairs: list[tuple[int, int]]) -> None:
    votes = _two(pairs, categories=range(4))
    assert cohen_kappa(votes) == conger_kappa(votes)
    assert scott_pi(votes) == fleiss_kappa(votes)
    assert bennett_s(votes) == brennan_prediger(votes) == randolph_kappa(votes)
    assert gwet_ac1(votes) == gwet_ac2(votes, weights="identity")


def _large_sample_variance(table: np.ndarray[Any, Any], apart: np.ndarray[Any, Any]) -> float:
    """Return the variance of weighted kappa that Fleiss, Cohen and Everitt published in 1969."""
    number, shares, weights = table.sum(), table / table.sum(), 1 - apart
    rows, cells = shares.sum(axis=1), shares.sum(axis=0)
    observed = (weights * shares).sum()
    expected = rows @ weights @ cells
    mean = (weights @ cells)[:, None] + (rows @ weights)[None, :]
    spread = (shares * np.square(weights * (1 - expected) - mean * (1 - observed))).sum()
    middle = observed * expected - 2 * expected + observed
    return float((spread - middle**2) / (number * (1 - expected) ** 4))


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
def test_interval_of_kappa_is_the_published_one(weights: Named) -> None:
    from scipy.stats import t

    table = np.array([[44, 5, 1, 0], [7, 30, 6, 2], [1, 4, 25, 5], [0, 3, 4, 33]])
    pairs = [(a, b) for (a, b), n in np.ndenumerate(table) for _ in range(n)]
    places = np.arange(4)
    far = abs(places[:, None] - places[None, :])
    apart = {"identity": far > 0, "linear": far / 3, "quadratic": far**2 / 9}[weights]
    found = weighted_kappa(_two(pairs), weights=weights)
    assert found.value is not None and found.low is not None and found.high is not None
    half = t.ppf(0.975, len(pairs) - 1) * _large_sample_variance(table, apart * 1.0) ** 0.5
    assert [found.low, found.high] == pytest.approx([found.value - half, found.value + half])


def _pool(units: int, *, seed: int) -> Matrix:
    """Return six annotators of whom each unit has two to four, each with a habit of their own."""
    chance = np.random.default_rng(seed)
    matrix: Matrix = [[None] * units for _ in range(6)]
    for unit in range(units):
        truth = chance.integers(0, 4)
        for rater in chance.permutation(6)[: chance.integers(2, 5)]:
            right = chance.random() < 0.5 + rater / 12
            matrix[rater][unit] = SCALE[truth if right else chance.integers(0, 1 + rater // 2 + 1)]
    return matrix


@pytest.mark.thin(2)
@pytest.mark.parametrize("weights", ["identity", "quadratic"])
@pytest.mark.parametrize("coefficient", [c for c, _ in MODELS], ids=lambda c: c.args[0])
def test_interval_is_that_of_the_jackknife(coefficient: Coefficient, weights: Named) -> None:
    matrix = _pool(150, seed=8)
    found = coefficient(from_matrix(matrix, categories=SCALE), weights=weights)
    without = []
    for unit in range(150):
        rest = [row[:unit] + row[unit + 1 :] for row in matrix]
        value = coefficient(from_matrix(rest, categories=SCALE), weights=weights).value
        assert value is not None
        without.append(value)
    error = float(np.sqrt(149 / 150 * np.square(np.array(without) - np.mean(without)).sum()))
    assert found.low is not None and found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(1.976 * error, rel=0.05)


@given(matrix=matrices(SCALE))
def test_anonymous_votes_have_the_coefficients_that_need_no_names(matrix: Matrix) -> None:
    named = from_matrix(matrix, categories=SCALE)
    units = [named.units[u] for u in named.unit]
    values = [named.values[v] for v in named.value]
    hidden = ratings(units, [None] * len(units), values, categories=SCALE)
    for coefficient in (fleiss_kappa, brennan_prediger, randolph_kappa, gwet_ac1, gwet_ac2):
        assert coefficient(hidden) == coefficient(named)
    if len(hidden):
        for coefficient in (cohen_kappa, weighted_kappa, scott_pi, bennett_s, conger_kappa):
            found = coefficient(hidden)
            assert found.value is None and found.reason and "anonymous" in found.reason


@pytest.mark.parametrize(
    ("coefficient", "matrix", "reason"),
    [
        (cohen_kappa, [["a", "b"]] * 3, "compares exactly two annotators; here are 3"),
        (weighted_kappa, [["a", "b"]] * 3, "see conger_kappa"),
        (scott_pi, [["a", "b"]] * 3, "see fleiss_kappa"),
        (bennett_s, [["a", "b"]], "here are 1"),
        (conger_kappa, [["a", "b"]], "one alone"),
        (cohen_kappa, [["a", None], [None, "b"]], "share no item"),
        (fleiss_kappa, [["a", None], [None, "b"]], "no item has two votes"),
        (fleiss_kappa, [[None], [None]], "no vote"),
        (cohen_kappa, [[None], [None]], "no vote"),
        (cohen_kappa, [["a", "a"], ["a", "a"]], "all votes name one category"),
        (fleiss_kappa, [["a", "a"], ["a", "a"]], "all votes name one category"),
        (gwet_ac1, [["a", "a"], ["a", "a"]], "only one category is known"),
        (brennan_prediger, [["a", "a"], ["a", "a"]], "only one category is known"),
    ],
)
def test_no_value_is_explained(coefficient: Coefficient, matrix: Matrix, reason: str) -> None:
    found = coefficient(from_matrix(matrix))
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.reason and reason in found.reason


def test_unused_categories_count_for_those_that_say_so() -> None:
    votes = from_matrix([["a", "a"], ["a", "a"]], categories="ab")
    assert gwet_ac1(votes).value == 1 and brennan_prediger(votes).value == 1
    some = [["a", "b", "a"], ["a", "b", "b"]]
    assert brennan_prediger(from_matrix(some, categories="abcd")).value == pytest.approx(5 / 9)
    assert brennan_prediger(from_matrix(some)).value == pytest.approx(1 / 3)
    assert fleiss_kappa(from_matrix(some, categories="abcd")) == fleiss_kappa(from_matrix(some))


def test_one_item_gives_a_value_without_interval() -> None:
    found = fleiss_kappa(from_matrix([["a"], ["a"], ["b"]]))
    assert found.value == pytest.approx(-0.5) and found.low is None
    assert found.reason and "one item" in found.reason


def test_distance_of_ones_own_has_a_limit_and_no_zero() -> None:
    votes = ratings(range(4100), [None] * 4100, list(range(4100)))
    twice = Ratings(
        np.repeat(votes.unit, 2),
        np.repeat(votes.rater, 2),
        np.repeat(votes.value, 2),
        votes.units,
        (),
        votes.values,
    )
    found = fleiss_kappa(twice, weights=lambda *_: 1.0)
    assert found.value is None and found.reason and "too many" in found.reason
    zero = fleiss_kappa(from_matrix([[1, 2], [2, 1]]), weights=lambda *_: 0.0)
    assert zero.value is None and zero.reason and "no distance" in zero.reason


def test_a_table_of_annotators_and_values_too_large_for_memory_has_a_reason() -> None:
    """4,000 annotators x 4,000 values would be 128 MB for each of several arrays."""
    number = 4_000
    votes = ratings(
        [n // 2 for n in range(number)], [f"p{n}" for n in range(number)], list(range(number))
    )
    found = conger_kappa(votes)
    assert found.value is None and found.n == number // 2
    assert "4000 annotators x 4000 values" in str(found.reason)
    assert fleiss_kappa(votes).value is not None
