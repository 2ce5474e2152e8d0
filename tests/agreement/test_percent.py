"""Percent agreement in both ways of averaging."""

from __future__ import annotations

import pytest
from by_definition import Matrix, agreement, columns, level_distance, matrices
from hypothesis import given
from rating_matrix import from_matrix

from pipeline.agreement.coefficients.alpha import krippendorff_alpha
from pipeline.agreement.coefficients.chance import percent_agreement

# Five votes of which four agree (6 of 10 pairs), and two votes that differ.
UNEVEN = [["a", "a"], ["a", "b"], ["a", None], ["a", None], ["b", None]]


def test_the_two_ways_of_averaging_differ() -> None:
    votes = from_matrix(UNEVEN)
    assert percent_agreement(votes).value == pytest.approx((0.6 + 0) / 2)
    assert percent_agreement(votes, by_votes=True).value == pytest.approx((5 * 0.6 + 2 * 0) / 7)


@given(matrix=matrices("abc"))
def test_units_weigh_the_same_and_ratings_give_the_disagreement_of_alpha(matrix: Matrix) -> None:
    votes = from_matrix(matrix)
    units, rated = percent_agreement(votes), percent_agreement(votes, by_votes=True)
    pairable = [unit for unit in columns(matrix) if len(unit) > 1]
    if not pairable:
        assert units.value is None and rated.value is None and units.reason
        return
    apart = level_distance("nominal", matrix)
    assert units.value == pytest.approx(agreement(matrix, apart), abs=1e-9)
    assert units.n == rated.n == len(pairable)
    pool = [v for unit in pairable for v in unit]
    expected = sum(a != b for a in pool for b in pool) / (len(pool) * (len(pool) - 1))
    alpha = krippendorff_alpha(votes).value
    if alpha is not None and rated.value is not None:
        assert 1 - (1 - rated.value) / expected == pytest.approx(alpha, abs=1e-9)
    if len({len(unit) for unit in pairable}) == 1:
        assert units.value == rated.value


def test_interval_of_units_is_that_of_a_mean() -> None:
    from scipy.stats import t

    shares = [1.0] * 6 + [1 / 3] * 3 + [0.0] * 2
    matrix = [["a"] * 11, ["a"] * 9 + ["b"] * 2, ["a"] * 6 + ["b"] * 3 + ["c"] * 2]
    found = percent_agreement(from_matrix(matrix))
    mean = sum(shares) / 11
    spread = sum((share - mean) ** 2 for share in shares) / 10
    half = t.ppf(0.975, 10) * (spread / 11) ** 0.5
    assert [found.low, found.high] == pytest.approx([mean - half, mean + half])


def test_interval_stays_between_0_and_1() -> None:
    low = percent_agreement(from_matrix([["a", "a", "b"], ["b", "b", "b"]]))
    high = percent_agreement(from_matrix([["a", "b", "b"], ["b", "b", "b"]]))
    assert low.low == 0 and high.high == 1


@pytest.mark.parametrize(
    ("matrix", "reason"), [([[None]], "no vote"), ([["a", None], [None, "b"]], "two votes")]
)
def test_no_value_is_explained(matrix: Matrix, reason: str) -> None:
    for by_votes in (False, True):
        found = percent_agreement(from_matrix(matrix), by_votes=by_votes)
        assert found.value is None and found.reason and reason in found.reason
