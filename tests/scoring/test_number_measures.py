"""Pearson's r and F1 above a threshold: hand computation, scipy, scikit-learn, repetition."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from official_gold import plain
from scipy.stats import pearsonr
from sklearn.metrics import f1_score

from pipeline.core.errors import InputError
from pipeline.scoring.measure import f1_above_measure, pearson_measure, value

pearson, f1_above = plain(pearson_measure), plain(f1_above_measure, threshold=3.0)
TENTHS = st.integers(-20, 70).map(lambda tenths: tenths / 10)
#: Gold score, prediction and weight of each example.
ROWS = st.lists(st.tuples(TENTHS, TENTHS, st.integers(0, 3)), min_size=2, max_size=25)
Rows = list[tuple[float, float, int]]


def _columns(rows: Rows) -> tuple[list[float], list[float]]:
    return [row[0] for row in rows], [row[1] for row in rows]


def test_pearson_by_hand() -> None:
    # deviations -1, 0, 1 and -4/3, -1/3, 5/3: 3 / sqrt(2 x 42/9)
    assert pearson([1, 2, 3], [1, 2, 4]) == pytest.approx(100 * 3 / math.sqrt(2 * 42 / 9))
    assert pearson([0, 5], [4, 1]) == pytest.approx(-100)


@given(ROWS)
def test_pearson_is_that_of_scipy(rows: Rows) -> None:
    golds, said = _columns(rows)
    assume(len(set(golds)) > 1 and len(set(said)) > 1)
    wanted = 100 * pearsonr(golds, said).statistic
    assert pearson(golds, said) == pytest.approx(wanted, abs=1e-7)


@given(ROWS)
def test_weights_of_pearson_are_repetitions(rows: Rows) -> None:
    weights = np.array([[row[2] for row in rows]], dtype=float)
    again = _columns([row for row in rows for _ in range(row[2])])
    found = pearson_measure(*_columns(rows))(weights)[0]
    assert found == pytest.approx(pearson(*again), abs=1e-6, nan_ok=True)


@given(ROWS, st.floats(0.01, 100), st.floats(-1000, 1000))
def test_pearson_knows_neither_unit_nor_origin(rows: Rows, unit: float, origin: float) -> None:
    golds, said = _columns(rows)
    moved = [unit * one + origin for one in said]
    left, right = pearson_measure(golds, said), pearson_measure(golds, moved)
    wanted = value(left, len(rows))
    assert value(right, len(rows)) == pytest.approx(wanted, abs=1e-5, nan_ok=True)


def test_constant_predictions_have_no_pearson_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [pearson([1, 2, 3], [0.1] * 3), pearson([2, 2], [1, 3]), pearson([1], [1])]
        found += pearson_measure([1, 2, 3], [0.1] * 3)(np.ones((1, 3))).tolist()
        found += pearson_measure([], [])(np.ones((1, 0))).tolist()
        # constant in a draw alone: where the equal predictions are all that counts
        draws = np.random.default_rng(2).integers(1, 9, (50, 3)) * np.array([1.0, 1, 0])
        found += pearson_measure([1, 2, 3], [0.1, 0.1, 7.3])(draws).tolist()
        found += pearson_measure([1, 2, 3], [1, 2, 3])(np.zeros((1, 3))).tolist()
    assert all(map(math.isnan, found))


@pytest.mark.parametrize("size", [1e-300, 4e307])
def test_numbers_of_any_size_are_compared(size: float) -> None:
    golds, said = [1, 2, 3], [1 * size, 2 * size, 4 * size]
    wanted = pearson(golds, [1, 2, 4])
    assert pearson(golds, said) == pytest.approx(wanted)


def test_the_threshold_itself_is_a_paraphrase() -> None:
    golds = [True, True, False, False]
    assert f1_above(golds, [3.0, 9.5, 2.999, -4]) == 100
    # one hit, two golds, one prediction
    assert f1_above(golds, [3.0, 2.999, 2.999, 0]) == pytest.approx(100 * 2 / 3)
    half = plain(f1_above_measure, threshold=0.5)
    assert half(golds, [0.6, 0.4, 0.6, 0.4]) == pytest.approx(50)


@given(ROWS)
def test_f1_above_is_that_of_scikit_learn_and_weights_are_repetitions(rows: Rows) -> None:
    numbers, said = _columns(rows)
    golds = [one >= 3 for one in numbers]
    wanted = f1_score(golds, [one >= 3 for one in said], zero_division=np.nan)
    assert f1_above(golds, said) == pytest.approx(100 * wanted, nan_ok=True)
    measure = f1_above_measure(golds, said, threshold=3)
    left, right = _columns([row for row in rows for _ in range(row[2])])
    again = f1_above([one >= 3 for one in left], right)
    weights = np.array([[row[2] for row in rows]], dtype=float)
    assert measure(weights)[0] == pytest.approx(again, nan_ok=True)


def test_no_paraphrase_on_either_side_is_nan_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(f1_above([False], [1.0]))
    assert f1_above([False], [3.0]) == 0


def test_numbers_of_two_lengths_are_refused() -> None:
    for function in (pearson, f1_above):
        with pytest.raises(InputError, match="3 golds, 2 predictions"):
            function([1, 2, 3], [1, 2])
