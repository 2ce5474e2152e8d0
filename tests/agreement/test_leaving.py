"""Alpha without each annotator equals alpha computed anew by the krippendorff library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import from_matrix
from scored_votes import LEVELS, as_table, reference, votes

from pipeline.agreement.annotators import leave_one_out as leaving
from pipeline.agreement.annotators.leave_one_out import alpha_without


@given(st.integers(0, 10_000), st.sampled_from(LEVELS))
def test_updating_equals_computing_anew(seed: int, level: str) -> None:
    found = votes(seed, raters=6, units=20)
    got = alpha_without(found, level)
    table = as_table(found)
    assert got is not None
    for rater in range(6):
        expected = reference(np.delete(table, rater, axis=0), level)
        if expected is None:
            assert np.isnan(got[rater])
        else:
            assert got[rater] == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 10_000))
def test_sums_give_what_coincidences_give(seed: int) -> None:
    found = votes(seed, raters=5, units=15, top=6)
    assert np.allclose(
        leaving._by_sums(found), leaving._by_coincidences(found, "interval"), equal_nan=True
    )


def test_many_different_scores_are_still_compared() -> None:
    chance = np.random.default_rng(5)
    truth = chance.normal(size=80)
    rows = [(truth + chance.normal(0, 0.3, 80)).tolist() for _ in range(4)]
    found = from_matrix(rows)
    got = alpha_without(found, "interval")
    assert got is not None
    expected = reference(np.array(rows[1:]), "interval")
    assert got[0] == pytest.approx(expected, abs=1e-9)
    assert alpha_without(found, "ordinal") is None


def test_without_one_of_two_nothing_is_left() -> None:
    assert np.isnan(alpha_without(from_matrix([["a", "b"], ["a", "a"]]), "nominal")).all()
