"""Alpha over chosen pairs, and the matrix of annotators, against the krippendorff library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import from_matrix, ratings
from scipy.stats import pearsonr
from scored_votes import LEVELS, as_table, reference, votes

from pipeline.agreement.annotators.matrix import matrix, matrix_record
from pipeline.agreement.votes.ratings import lags


def test_every_pair_comes_once() -> None:
    found = ratings(["a", "a", "b", "a", "c", "c"], list("uvuwuv"), list("xyxxyy"))
    pairs = {
        tuple(sorted((int(i), int(j))))
        for one, two in lags(found.unit)
        for i, j in zip(one, two, strict=True)
    }
    assert len(pairs) == found.pair_count == 4
    assert all(found.unit[i] == found.unit[j] for i, j in pairs)


@given(st.integers(0, 10_000), st.sampled_from(LEVELS))
def test_alpha_of_two_annotators_is_the_library_s(seed: int, level: str) -> None:
    found = votes(seed)
    made = matrix(found, level)
    table = as_table(found)
    assert made.alpha is not None
    for one in range(5):
        for two in range(one):
            both = table[[one, two]]
            both = both[:, ~np.isnan(both).any(axis=0)]
            assert made.items[one, two] == both.shape[1]
            expected = reference(both, level) if both.shape[1] else None
            if expected is None:
                assert np.isnan(made.alpha[one, two])
            else:
                assert made.alpha[one, two] == pytest.approx(expected, abs=1e-9)


def test_numbers_are_compared_by_correlation() -> None:
    found = votes(3, units=60)
    made = matrix(found, "interval")
    table = as_table(found)
    both = ~np.isnan(table[0]) & ~np.isnan(table[3])
    assert made.measure == "pearson"
    assert made.agreement[0, 3] == pytest.approx(pearsonr(table[0, both], table[3, both])[0])
    assert made.agreement[3, 0] == made.agreement[0, 3]


def test_who_shares_nothing_has_no_value() -> None:
    found = from_matrix([["a", "b", None], ["a", "a", None], [None, None, "b"]])
    made = matrix(found, "nominal")
    record = matrix_record(found, made)
    assert record["values"] == [[None, 0.5, None], [0.5, None, None], [None, None, None]]
    assert record["items"][0] == [0, 2, 0]
    assert "share no item" in record["reason"]
