"""Rows of different lengths, against plain lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.training.features import Features, Ragged, cut, indices, ragged, starts_of

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
    found = made.pad(np.array(chosen, dtype=np.int64), -7, multiple=multiple)
    longest = max((len(rows[row]) for row in chosen), default=0)
    wide = next(w for w in range(multiple, 99, multiple) if w >= max(longest, 1))
    assert found.shape == (len(chosen), wide)
    assert found.tolist() == [rows[row] + [-7] * (wide - len(rows[row])) for row in chosen]


def test_padded_pairs_are_filled_in_both() -> None:
    made = ragged([[(1, 2)], [], [(3, 4), (5, 6)]])
    found = made.pad(np.array([2, 1, 0]), -1)
    assert found.tolist() == [[[3, 4], [5, 6]], [[-1, -1]] * 2, [[1, 2], [-1, -1]]]


@given(
    given_rows=st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), max_size=8),
)
def test_indices_are_the_ranges_one_after_another(given_rows: list[tuple[int, int]]) -> None:
    starts = np.array([start for start, _ in given_rows], dtype=np.int64)
    lengths = np.array([length for _, length in given_rows], dtype=np.int64)
    want = [at for start, length in given_rows for at in range(start, start + length)]
    assert indices(starts, lengths).tolist() == want


@given(rows=numbers, data=st.data())
def test_parts_of_rows_are_cut_in_any_order_and_more_than_once(
    rows: Numbers, data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=9)) if rows else []
    ends = [sorted(data.draw(st.tuples(*[st.integers(0, len(rows[row]))] * 2))) for row in chosen]
    begins, stops = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    found = cut(ragged(rows), np.array(chosen, dtype=np.int64), begins, stops)
    want = [rows[row][begin:end] for row, (begin, end) in zip(chosen, ends, strict=True)]
    assert [row.tolist() for row in found] == want


def test_one_part_of_every_row() -> None:
    found = cut(ragged([[1, 2, 3], [4, 5]]), np.array([1, 0]), 0, 2)
    assert [row.tolist() for row in found] == [[4, 5], [1, 2]]


@given(lengths=st.lists(st.integers(0, 9), max_size=8))
def test_starts_are_sums_of_what_is_before(lengths: list[int]) -> None:
    want = [sum(lengths[:row]) for row in range(len(lengths) + 1)]
    for given_ in (lengths, np.array(lengths, dtype=np.int32)):
        assert starts_of(given_).tolist() == want
        assert starts_of(given_).dtype == np.int64


def test_a_row_beyond_the_last_is_an_error() -> None:
    with pytest.raises(IndexError):
        _ = ragged([[1]])[1]


def test_features_count_inputs_and_not_examples() -> None:
    tokens = Ragged(np.arange(6, dtype=np.int32), np.array([0, 2, 4, 6]))
    assert len(Features(np.array([0, 0, 1], dtype=np.int32), tokens)) == 3
