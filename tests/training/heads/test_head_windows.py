"""Windows over long texts, against a search through all tokens and windows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.training.heads.texts import MOST, check_room, windows
from pipeline.training.recipe import Recipe


def _recipe(max_length: int, stride: int) -> Recipe:
    return Recipe(learning_rate=1e-4, batch_size=2, epochs=1, max_length=max_length, stride=stride)


def _rows(lengths: list[int], room: int, stride: int) -> list[list[tuple[int, int, int, int]]]:
    held = windows(
        np.array(lengths),
        [f"t{i}" for i in range(len(lengths))],
        _recipe(room + 8, stride),
        taken=8,
    )
    made: list[list[tuple[int, int, int, int]]] = [[] for _ in lengths]
    for owner, *ends in zip(
        held.owners, held.begins, held.ends, held.first, held.last, strict=True
    ):
        made[owner].append(tuple(int(end) for end in ends))  # type: ignore[arg-type]
    return made


def test_a_text_that_fits_has_one_window_and_a_longer_one_more() -> None:
    # Ten tokens overlap by four: six new ones each time; the last window is moved back to be full.
    assert _rows([10, 11, 0, 23], 10, 4) == [
        [(0, 10, 0, 10)],
        [(0, 10, 0, 6), (1, 11, 6, 11)],
        [(0, 0, 0, 0)],
        [(0, 10, 0, 8), (6, 16, 8, 14), (12, 22, 14, 18), (13, 23, 18, 23)],
    ]


@given(
    lengths=st.lists(st.integers(0, 200), min_size=1, max_size=5),
    room=st.integers(2, 60),
    data=st.data(),
)
def test_each_token_is_decided_once_where_it_stands_furthest_from_an_edge(
    lengths: list[int], room: int, data: st.DataObject
) -> None:
    stride = data.draw(st.integers(1, room - 1))
    if any(length > room + (MOST - 1) * (room - stride) for length in lengths):
        return
    for length, rows in zip(lengths, _rows(lengths, room, stride), strict=True):
        for begin, end, first, last in rows:
            assert end - begin == min(room, length)
            assert begin <= first <= last <= end
        for left, right in pairwise(rows):
            assert left[1] - right[0] >= stride
        deciding = {t: row for row in rows for t in range(row[2], row[3])}
        assert sum(row[3] - row[2] for row in rows) == length == len(deciding)
        for token, chosen in deciding.items():
            depths = [
                min(token - begin, end - 1 - token)
                for begin, end, *_ in rows
                if begin <= token < end
            ]
            assert min(token - chosen[0], chosen[1] - 1 - token) == max(depths)


def test_rooms_may_differ_from_text_to_text() -> None:
    held = windows(np.array([12, 12]), ["a", "b"], _recipe(20, 4), taken=np.array([8, 12]))
    assert held.owners.tolist() == [0, 1, 1]
    assert (held.ends - held.begins).tolist() == [12, 8, 8]


def test_too_many_windows_are_refused_by_name() -> None:
    most = 10 + (MOST - 1) * 6
    assert len(_rows([most], 10, 4)[0]) == MOST
    with pytest.raises(InputError, match=r"t1: a text of 389 tokens makes 65 windows"):
        _rows([3, most + 1], 10, 4)


def test_windows_that_cannot_move_on_are_refused_only_where_they_are_needed() -> None:
    assert len(_rows([10, 9], 10, 10)[0]) == 1
    with pytest.raises(InputError, match=r"t1: 11 tokens: max_length 18 leaves 10 .* above 18"):
        _rows([10, 11], 10, 10)


def test_the_refusal_says_what_to_change() -> None:
    check_room(_recipe(196, 128), 67)
    with pytest.raises(InputError) as told:
        check_room(_recipe(195, 128), 67)
    assert "raise max_length above 195, or lower stride below 128" in str(told.value)
    with pytest.raises(InputError, match=r"leaves 0 tokens .* raise max_length above 188$"):
        check_room(_recipe(40, 128), 60)
