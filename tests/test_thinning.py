"""The default run keeps cases of each kind, and always the same."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from thinning import every, showing

_CASES = st.lists(st.fixed_dictionaries({"a": st.integers(0, 5), "b": st.sampled_from("xyz")}))


def test_the_first_of_each_five_stays() -> None:
    assert every(5, 11) == {0, 5, 10}
    assert every(5, 1) == {0}


@given(_CASES)
def test_each_value_is_shown_and_no_case_too_many(cases: list[dict[str, int | str]]) -> None:
    kept = showing(cases, ["a", "b"])
    for name in "ab":
        assert {cases[place][name] for place in kept} == {case[name] for case in cases}
    assert len(kept) <= 6 + 3


def test_a_grid_is_shown_by_its_diagonal() -> None:
    grid = [{"a": a, "b": b} for a, b in product(range(4), range(4))]
    assert showing(grid, ["a", "b"]) == {0, 5, 10, 15}
    assert showing(grid, ["b"]) == {0, 1, 2, 3}
