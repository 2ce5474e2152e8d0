"""Ranks in words, and groups of systems that are told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.leaderboard.records import Standing
from pipeline.leaderboard.web.views.ranks import groups, rank_words


def standing(low: int, high: int) -> Standing:
    return Standing(low, high, None, None)


@pytest.mark.parametrize(
    ("low", "high", "of", "sentence"),
    [
        (1, 1, 1, "the only system so far"),
        (1, 1, 7, "rank 1 of 7; no system is surely better"),
        (
            1,
            3,
            7,
            "rank 1 to 3 of 7; no system is surely better; cannot be told apart from two others",
        ),
        (
            2,
            3,
            3,
            "rank 2 to 3 of 3; one system is surely better; cannot be told apart from one other",
        ),
        (14, 14, 1_200, "rank 14 of 1,200; 13 systems are surely better"),
    ],
)
def test_a_rank_is_a_sentence(low: int, high: int, of: int, sentence: str) -> None:
    assert rank_words(standing(low, high), of).sentence == sentence


def test_a_rank_fits_a_cell() -> None:
    assert rank_words(standing(1, 3), 7).short == "1–3"
    assert rank_words(standing(4, 4), 7).short == "4"
    assert [rank_words(standing(low, 5), 7).leads for low in (1, 2)] == [True, False]


def test_groups_of_tied_chained_and_lone_systems() -> None:
    found = groups([standing(*pair) for pair in ((1, 2), (1, 2), (3, 4), (3, 5), (4, 5), (6, 6))])
    assert [(one.first, one.last) for one in found] == [(1, 2), (3, 5), (6, 6)]
    assert [one.tied for one in found] == [True, False, True]
    assert found[0].text == "the paired bootstrap cannot tell these two apart"
    assert "each row says which ranks are open" in found[1].text
    assert found[2].text == "told apart from every other system"
    assert groups([]) == []


@st.composite
def better_than(draw: st.DrawFn) -> list[list[bool]]:
    """Return for systems in the order of their scores which are surely better than which."""
    count = draw(st.integers(1, 9))
    return [[i < j and draw(st.booleans()) for j in range(count)] for i in range(count)]


@given(better_than())
def test_a_group_ends_exactly_where_all_above_beat_all_below(better: list[list[bool]]) -> None:
    """Compared with the definition, over any relation of who is surely better than whom."""
    count = len(better)
    ranks = [
        standing(
            1 + sum(better[other][one] for other in range(count)),
            count - sum(better[one][other] for other in range(count)),
        )
        for one in range(count)
    ]
    ends = [
        place
        for place in range(1, count + 1)
        if place == count
        or all(better[above][below] for above in range(place) for below in range(place, count))
    ]
    assert [group.last for group in groups(ranks)] == ends
