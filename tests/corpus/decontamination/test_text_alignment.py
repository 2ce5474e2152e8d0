"""Alignment against the dynamic programme of Wagner and Fischer, and what copies cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.decontamination.alignment import (
    copy_similarity,
    edit_distance,
    part_similarity,
)

TEXT = st.text("가나다", max_size=80)


def _by_definition(left: str, right: str, *, anywhere: bool) -> int:
    row = [0 if anywhere else place for place in range(len(right) + 1)]
    for letter in left:
        before, row = row, [row[0] + 1]
        for place, other in enumerate(right):
            cost = before[place] + (letter != other)
            row.append(min(before[place + 1] + 1, row[-1] + 1, cost))
    return min(row) if anywhere else row[-1]


@given(st.text("가나다", min_size=1, max_size=80), TEXT, st.booleans())
def test_edit_distance_is_that_of_the_definition(left: str, right: str, anywhere: bool) -> None:
    expected = _by_definition(left, right, anywhere=anywhere)
    assert edit_distance(left, right, anywhere=anywhere) == expected


@pytest.mark.parametrize(
    ("copy", "score"),
    [
        ("봄꽃축제가다음달열린다", 1.0),
        ("봄꽃축재가다음달열린다", 10 / 11),  # a letter replaced: one edit
        ("봄꽃축제가다음달열린", 20 / 21),  # the last one dropped: 10 + 10 letters stand in runs
        ("다음달봄꽃축제가열린다", 1.0),  # words swapped: all letters do
        ("봄꽃축제가열린다", 16 / 19),  # a word dropped: 8 + 8 letters do
    ],
)
def test_a_copy_loses_what_was_edited(copy: str, score: float) -> None:
    assert copy_similarity("봄꽃축제가다음달열린다", copy) == pytest.approx(score)


def test_a_part_is_no_copy_and_has_a_similarity_of_its_own() -> None:
    inner = "봄꽃축제가다음달열린다"
    outer = f"가람시에따르면올해도{inner}고한다그래서준비가한창이다"
    assert copy_similarity(inner, outer) == 0
    assert part_similarity(inner, outer) == 1
    assert part_similarity("봄꽃축재가다음달열린다", outer) == pytest.approx(10 / 11)


@given(TEXT.filter(bool), TEXT.filter(bool))
def test_similarities_are_shares_and_copies_have_no_direction(left: str, right: str) -> None:
    assert 0 <= copy_similarity(left, right) == copy_similarity(right, left) <= 1
    assert 0 <= part_similarity(left, right) <= 1
