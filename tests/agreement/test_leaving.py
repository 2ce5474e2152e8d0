"""Alpha without each annotator equals alpha computed anew by the krippendorff library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import from_matrix
from scored_votes import LEVELS, as_table, reference, votes

from pipeline.agreement.annotators.others import annotator_alphas
from pipeline.agreement.votes.ratings import Ratings
from pipeline.contracts.spec import Level


def _without(found: Ratings, level: Level) -> np.ndarray:
    return annotator_alphas(found, level)["alpha_without"]


@given(st.integers(0, 10_000), st.sampled_from(LEVELS))
def test_updating_equals_computing_anew(seed: int, level: str) -> None:
    found = votes(seed, raters=6, units=20)
    got = _without(found, level)
    table = as_table(found)
    for rater in range(6):
        expected = reference(np.delete(table, rater, axis=0), level)
        if expected is None:
            assert np.isnan(got[rater])
        else:
            assert got[rater] == pytest.approx(expected, abs=1e-9)


def test_many_different_scores_are_still_compared() -> None:
    chance = np.random.default_rng(5)
    truth = chance.normal(size=80)
    rows = [(truth + chance.normal(0, 0.3, 80)).tolist() for _ in range(4)]
    found = from_matrix(rows)
    got = _without(found, "interval")
    expected = reference(np.array(rows[1:]), "interval")
    assert got[0] == pytest.approx(expected, abs=1e-9)
    assert np.isnan(_without(found, "ordinal")).all()


def test_without_one_of_two_nothing_is_left() -> None:
    assert np.isnan(_without(from_matrix([["a", "b"], ["a", "a"]]), "nominal")).all()
