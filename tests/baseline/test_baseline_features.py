"""Rows of different lengths, against plain lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.baseline.features import Features, Ragged, indices, ragged

Numbers = list[list[int]]
numbers = st.lists(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=6), max_size=8)
pairs = st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=4), max_size=6)


@given(rows=numbers)
def test_rows_come_back(rows: Numbers) -> None:
    made = ragged(rows)
    assert len(made) == len(rows)
    assert [row.tolist() for row in made] == rows
    assert made.lengths.tolist() == [len(row) for row in rows]
    assert made.values.dtype == np.int32
    again = ragged(np.array(row, dtype=np.int64) for row in rows)
    assert again.values.tolist() == made.values.tolist()


@given(rows=pairs)
def test_rows_of_pairs_come_back(rows: list[list[tuple[int, int]]]) -> None:
    made = ragged(rows)
    assert [[tuple(pair) for pair in row.tolist()] for row in made] == rows
    if any(rows):
        assert made.values.shape == (sum(map(len, rows)), 2)


@given(rows=numbers, data=st.data(), multiple=st.sampled_from([1, 4, 8]))
def test_padded_rows(rows: Numbers, data: st.DataObject, multiple: int) -> None:
    made = ragged(rows)
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=9)) if rows else []
    found = made.padded(np.array(chosen, dtype=np.int64), -7, multiple=multiple)
    longest = max((len(rows[row]) for row in chosen), default=0)
    wide = next(w for w in range(multiple, 99, multiple) if w >= max(longest, 1))
    assert found.shape == (len(chosen), wide)
    assert found.tolist() == [rows[row] + [-7] * (wide - len(rows[row])) for row in chosen]


def test_padded_pairs_are_filled_in_both() -> None:
    made = ragged([[(1, 2)], [], [(3, 4), (5, 6)]])
    found = made.padded(np.array([2, 1, 0]), -1)
    assert found.tolist() == [[[3, 4], [5, 6]], [[-1, -1]] * 2, [[1, 2], [-1, -1]]]


@given(
    given_rows=st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), max_size=8),
)
def test_indices_are_the_ranges_one_after_another(given_rows: list[tuple[int, int]]) -> None:
    starts = np.array([start for start, _ in given_rows], dtype=np.int64)
    lengths = np.array([length for _, length in given_rows], dtype=np.int64)
    want = [at for start, length in given_rows for at in range(start, start + length)]
    assert indices(starts, lengths).tolist() == want


def test_a_row_beyond_the_last_is_an_error() -> None:
    with pytest.raises(IndexError):
        _ = ragged([[1]])[1]


def test_features_count_inputs_and_not_examples() -> None:
    tokens = Ragged(np.arange(6, dtype=np.int32), np.array([0, 2, 4, 6]))
    assert len(Features(np.array([0, 0, 1], dtype=np.int32), tokens)) == 3
