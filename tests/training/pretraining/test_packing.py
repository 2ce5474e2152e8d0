"""Sequences of consecutive sentences: all of them, in order, as long as they may be."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pipeline.training.pretraining.packing import FRAME, NO_LABEL, pack

SENTENCES = st.lists(st.tuples(st.integers(1, 14), st.booleans()), min_size=1, max_size=60)


def bounds(sizes: list[tuple[int, bool]]) -> list[tuple[int, int, bool]]:
    at, found = 0, []
    for number, (size, begins) in enumerate(sizes):
        found.append((at, at + size, begins or not number))
        at += size
    return found


@given(SENTENCES, st.integers(1, 2))
def test_every_sentence_is_in_one_sequence(sizes: list[tuple[int, bool]], between: int) -> None:
    given_bounds = bounds(sizes)
    packed = list(pack(given_bounds, longest=16, between=between))
    assert packed[0].start == 0 and packed[-1].end == given_bounds[-1][1]
    assert all(one.end == two.start for one, two in itertools.pairwise(packed))
    ends = {end for _, end, _ in given_bounds}
    firsts = {start for start, _, begins in given_bounds if begins}
    for one in packed:
        inside = sum(one.start < first < one.end for first in firsts)
        assert one.end in ends
        assert one.length == one.end - one.start + FRAME + between * inside <= 16
        assert one.label == NO_LABEL


@given(SENTENCES)
def test_no_sentence_would_have_fitted_before(sizes: list[tuple[int, bool]]) -> None:
    given_bounds = bounds(sizes)
    packed = list(pack(given_bounds, longest=16, between=1))
    by_start = {start: (end - start, begins) for start, end, begins in given_bounds}
    for one, two in itertools.pairwise(packed):
        size, begins = by_start[two.start]
        assert one.length + size + begins > 16


def test_a_gap_in_the_text_ends_a_sequence() -> None:
    packed = list(pack([(0, 3, True), (5, 7, True), (7, 8, False)], longest=16, between=1))
    assert [(one.start, one.end) for one in packed] == [(0, 3), (5, 8)]
