"""Votes as arrays, and the units that were rated alike."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from by_definition import Matrix, columns, matrices
from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import from_matrix, ratings

from pipeline.agreement.votes import ratings as module
from pipeline.agreement.votes.ratings import ANONYMOUS, code_texts, patterns


def test_votes_are_coded_by_unit_and_values_are_sorted() -> None:
    made = ratings(["b", "a", "b"], ["x", None, "w"], [3, 10, 2])
    assert made.units == ("b", "a") and made.raters == ("w", "x") and made.values == (2, 3, 10)
    assert made.unit.tolist() == [0, 0, 1]
    assert made.rater.tolist() == [1, 0, ANONYMOUS]
    assert made.numbers.tolist() == [3.0, 2.0, 10.0]
    assert len(made) == 3
    kept = made.only(made.unit == 0)
    assert kept.value.tolist() == [1, 0] and kept.units == made.units


def test_categories_give_the_order_and_those_that_nobody_chose() -> None:
    made = ratings([1, 2], ["a", "a"], ["y", "n"], categories=["y", "?", "n"])
    assert made.values == ("y", "?", "n") and made.value.tolist() == [0, 2]


@given(matrix=matrices((1, 2, 5)))
def test_patterns_are_the_multisets_of_the_units(matrix: Matrix) -> None:
    votes = from_matrix(matrix)
    found = votes.patterns
    expected = Counter(tuple(sorted(unit)) for unit in columns(matrix) if unit)
    shown = {}
    for p in range(len(found)):
        own = found.owner == p
        values = [votes.values[code] for code in found.value[own]]
        pattern = tuple(np.repeat(values, found.count[own]).tolist())
        assert len(pattern) == found.votes[p]
        shown[pattern] = int(found.units[p])
    assert shown == expected
    assert list(shown) == sorted(expected, key=lambda p: (len(p), p))
    assert found.pairable.units.tolist() == [n for p, n in shown.items() if len(p) > 1]
    assert found.totals.tolist() == [
        sum(votes.values[v] == w for v in votes.value) for w in votes.values
    ]
    names = list(shown)
    for unit, name in enumerate(votes.units):
        column = tuple(sorted(v for v in (row[int(name)] for row in matrix) if v is not None))
        assert names[found.of_unit[unit]] == column


def test_long_rows_of_many_values_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(0)
    rows = np.sort(chance.integers(0, 1000, (50, 12)), axis=1)
    rows[25:] = rows[:25]
    unit, value = np.repeat(np.arange(50), 12), rows.ravel()
    found = patterns(unit, value, units=50, categories=1000)
    assert len(found) == 25 and (found.units == 2).all()
    assert (found.of_unit[:25] == found.of_unit[25:]).all()
    monkeypatch.setattr(module, "_ROOM", 10**6)
    again = patterns(unit, value, units=50, categories=1000)
    assert (again.value == found.value).all() and (again.of_unit == found.of_unit).all()


def test_no_votes_give_no_patterns() -> None:
    found = ratings([], [], []).patterns
    assert len(found) == 0 and len(found.pairable) == 0


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)))
def test_texts_are_coded_in_the_order_of_python(texts: list[str | None]) -> None:
    """Also characters beyond U+FFFF, which UTF-16 would sort otherwise."""
    codes, names = code_texts(pa.chunked_array([pa.array(texts, pa.string())]))
    assert names == sorted(set(texts) - {None})
    assert [names[code] if code >= 0 else None for code in codes] == texts
