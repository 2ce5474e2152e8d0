"""Distances against their definitions, written out as matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.agreement.coefficients import distances
from pipeline.agreement.coefficients.distances import (
    Distance,
    Named,
    Real,
    numbers,
    ratio,
    weights_distance,
)


def _matrix(distance: Distance, size: int) -> Real:
    codes = np.arange(size)
    return distance.between(codes[:, None], codes[None, :])


#: What Gwet (2014) writes for numbers x of range r, and places k, l of q values.
NAMED: dict[Named, Callable[[Real, Real], Real]] = {
    "identity": lambda x, y: (x != y) * 1.0,
    "linear": lambda x, y: abs(x - y),
    "quadratic": lambda x, y: (x - y) ** 2,
    "ordinal": lambda x, y: (abs(x - y) + 1) * abs(x - y) / 2,
}


@pytest.mark.parametrize("name", NAMED)
@given(places=st.lists(st.integers(-5, 20), min_size=2, max_size=8, unique=True))
def test_weights_by_name(name: Named, places: list[int]) -> None:
    at = np.arange(len(places)) if name == "ordinal" else np.array(places)
    expected = NAMED[name](at[:, None].astype(float), at[None, :].astype(float))
    found = _matrix(weights_distance(places, name), len(places))
    assert found == pytest.approx(expected / expected.max())


def test_ordinal_weights_of_four_categories_are_those_of_the_handbook() -> None:
    found = 1 - _matrix(weights_distance("abcd", "ordinal"), 4)
    assert found[0] == pytest.approx([1, 5 / 6, 1 / 2, 0])


def test_texts_have_places_for_linear_weights() -> None:
    assert _matrix(weights_distance(["x", "a", "m"], "linear"), 3)[0] == pytest.approx([0, 0.5, 1])


@pytest.mark.parametrize("name", NAMED)
@given(
    places=st.lists(st.integers(-5, 20), min_size=1, max_size=8, unique=True),
    shares=st.lists(st.integers(0, 9), min_size=16, max_size=16),
)
def test_sums_over_categories_are_those_of_the_matrix(
    name: Named, places: list[int], shares: list[int]
) -> None:
    size = len(places)
    distance = weights_distance(places, name)
    many = np.array(shares[: 2 * size], np.float64).reshape(size, 2)
    matrix = _matrix(distance, size)
    assert distance.against(many) == pytest.approx(matrix @ many, abs=1e-9)
    assert distance.against(many[:, 0]) == pytest.approx(matrix @ many[:, 0], abs=1e-9)
    assert distance.total(size) == pytest.approx(matrix.sum())


def _ratios(scale: Real) -> Real:
    total = scale[:, None] + scale[None, :]
    apart = np.square(scale[:, None] - scale[None, :])
    return np.divide(apart, np.square(total), out=np.zeros_like(total), where=total > 0)


@pytest.mark.parametrize("few", [1000, 0], ids=["matrix", "integral"])
@given(exponents=st.lists(st.integers(-24, 24), min_size=2, max_size=9, unique=True))
def test_ratio_distance_is_its_formula(few: int, exponents: list[int]) -> None:
    scale = np.append(10.0 ** (np.array(exponents) / 4), 0)
    shares = np.arange(1.0, len(scale) + 1)[:, None] * [1.0, 3.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distances, "_FEW", few)
        found = ratio(scale)
    expected = _ratios(scale)
    assert _matrix(found, len(scale)) == pytest.approx(expected, abs=1e-12)
    assert found.against(shares) == pytest.approx(expected @ shares, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("width", [1e-5, 1e-2, 1.0])
def test_many_ratio_values_that_lie_close(width: float) -> None:
    scale = 50 + width * np.arange(1500) / 1500
    ones = np.ones(1500)
    found = float((ones * ratio(scale).against(ones)).sum())
    assert found == pytest.approx(_ratios(scale).sum(), rel=1e-6)


def test_matrix_is_never_made_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    scale = np.arange(1.0, 101)
    shares = np.ones((100, 1))
    whole = ratio(scale).against(shares)
    monkeypatch.setattr(distances, "_BLOCK", 700)
    distance = ratio(scale)
    seen: list[int] = []
    between = distance.between

    def watched(left: Any, right: Any) -> Real:
        found = between(left, right)
        seen.append(found.size)
        return found

    assert distances._in_blocks(watched, 100).against(shares) == pytest.approx(whole)
    assert max(seen) <= 700 and len(seen) == 15


def test_function_is_called_once_a_pair_and_scaled_to_one() -> None:
    calls: list[tuple[str, str]] = []

    def distance(left: str, right: str) -> float:
        calls.append((left, right))
        return 4.0 * abs(len(left) - len(right))

    found = _matrix(weights_distance(["a", "bb", "cccc"], distance), 3)
    assert len(calls) == 3
    assert found == pytest.approx(np.array([[0, 1 / 3, 1], [1 / 3, 0, 2 / 3], [1, 2 / 3, 0]]))


def test_unknown_name_says_what_is_allowed() -> None:
    with pytest.raises(ValueError, match="allowed are identity, linear, quadratic, ordinal"):
        weights_distance([1, 2], "cubic")  # type: ignore[arg-type]


def test_numbers_are_numbers_and_texts_are_not() -> None:
    found = numbers([1, 2.5])
    assert found is not None and found.tolist() == [1, 2.5]
    assert numbers(["1", "2"]) is None
    assert numbers([True, False]) is None
    assert numbers([frozenset("a")]) is None
