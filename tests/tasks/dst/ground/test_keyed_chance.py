"""Keyed chance: shares as wanted, and answers that depend on names alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.tasks.dst.schema import Chance

NAMES = [Chance(3, "test", str(n)) for n in range(2_000)]


def test_something_happens_in_its_share_of_cases() -> None:
    share = sum(chance.happens("x", 0.3) for chance in NAMES) / len(NAMES)
    assert abs(share - 0.3) < 0.04


def test_weights_are_kept() -> None:
    found = [chance.draw_weighted("x", {"a": 1, "b": 3, "c": 0}) for chance in NAMES]
    assert abs(found.count("b") / len(found) - 0.75) < 0.04
    assert "c" not in found


def test_a_heavy_option_comes_first_as_often_as_its_weight_says() -> None:
    first = [chance.order("x", {"a": 1.0, "b": 3.0})[0] for chance in NAMES]
    assert abs(first.count("b") / len(first) - 0.75) < 0.04


@given(st.lists(st.integers(), unique=True, max_size=8), st.integers(0, 5))
def test_some_are_different_ones_of_the_options(options: list[int], size: int) -> None:
    found = Chance(1, "test", "x").some("x", options, size)
    assert len(found) == len(set(found)) == min(size, len(options))
    assert set(found) <= set(options)


@given(st.lists(st.integers(), min_size=1))
def test_a_ring_keeps_all(options: list[int]) -> None:
    assert sorted(Chance(1, "test", "x").rotate("x", options)) == sorted(options)


def test_questions_are_apart() -> None:
    chance = NAMES[0]
    assert len({chance.number(str(n), 0, 10**9) for n in range(50)}) == 50
    assert {chance.number("x", 2, 4) for chance in NAMES} == {2, 3, 4}


def test_an_answer_depends_on_seed_purpose_and_name() -> None:
    base = Chance(1, "a", "n").number("x", 0, 10**9)
    assert base == Chance(1, "a", "n").number("x", 0, 10**9)
    others = [Chance(2, "a", "n"), Chance(1, "b", "n"), Chance(1, "a", "m")]
    assert base not in [other.number("x", 0, 10**9) for other in others]
