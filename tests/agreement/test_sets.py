"""Distances of sets against the papers' own cases."""

from __future__ import annotations

import pytest
from by_definition import passonneau2004
from hypothesis import given
from hypothesis import strategies as st

from pipeline.agreement.coefficients.distances import masi

Sets = st.frozensets(st.sampled_from("abcd"))


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("ab", "ab", 0.0),
        ("", "", 0.0),
        ("a", "ab", 1 - 1 / 2 * 2 / 3),
        ("ab", "bc", 1 - 1 / 3 * 1 / 3),
        ("abc", "bcd", 1 - 2 / 4 * 1 / 3),
        ("a", "b", 1.0),
        ("", "a", 1.0),
    ],
)
def test_masi(left: str, right: str, expected: float) -> None:
    assert masi(frozenset(left), frozenset(right)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("ab", "ab", 0.0),
        ("a", "ab", 1 / 3),
        ("", "a", 1 / 3),
        ("ab", "bc", 2 / 3),
        ("a", "b", 1.0),
    ],
)
def test_passonneau(left: str, right: str, expected: float) -> None:
    assert passonneau2004(frozenset(left), frozenset(right)) == pytest.approx(expected)


@pytest.mark.parametrize("distance", [masi, passonneau2004])
@given(left=Sets, right=Sets)
def test_distances_are_symmetric_and_zero_for_equals_alone(
    distance: object, left: frozenset[str], right: frozenset[str]
) -> None:
    assert callable(distance)
    assert distance(left, right) == distance(right, left)
    assert 0 <= distance(left, right) <= 1
    assert (distance(left, right) == 0) == (left == right)
