"""Ids and draws depend on what they name alone, and keep their published values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.ids import draw, record_id, source_of, span_ids, unit_id, unit_ids

names = st.text(min_size=1).filter(lambda s: "\x1f" not in s)


def test_an_id_never_changes() -> None:
    # Ids are printed in releases: a change of this value breaks every one of them.
    assert unit_id("nsmc", "5356516", "document") == "nsmc-d9b025d51afa75c85e0d5"
    assert unit_id("nsmc", "5356516", "sentence", 3, 9) != unit_id("nsmc", "5356516", "whole", 3, 9)


@given(names, st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6))))
def test_many_ids_are_those_that_are_made_alone(key: str, spans: list[tuple[int, int]]) -> None:
    alone = [unit_id("yna", key, "sentence", *span) for span in spans]
    assert span_ids("yna", key, "sentence", spans) == alone
    assert unit_ids("yna", [key], "document") == [unit_id("yna", key, "document")]


@given(names, st.integers(0, 10**6), st.integers(0, 10**6))
def test_ids_name_their_source(key: str, start: int, end: int) -> None:
    assert source_of(unit_id("yna", key, "sentence", start, end)) == "yna"
    assert source_of(record_id("yna", key, start)) == "yna"


@given(st.integers(0, 2**63 - 1), names, names)
def test_draws_are_keyed_and_in_range(seed: int, purpose: str, name: str) -> None:
    value = draw(seed, purpose, name)
    assert 0 <= value < 1
    assert value == draw(seed, purpose, name)


def test_draws_are_uniform_and_independent_of_purpose() -> None:
    values = [draw(7, "split", str(i)) for i in range(4000)]
    others = [draw(7, "batch", str(i)) for i in range(4000)]
    counts = [sum(k / 10 <= v < (k + 1) / 10 for v in values) for k in range(10)]
    chi_square = sum((c - 400) ** 2 / 400 for c in counts)
    assert chi_square < 27.9  # 0.999 quantile, 9 degrees of freedom
    agree = sum((a < 0.5) == (b < 0.5) for a, b in zip(values, others, strict=True))
    assert 1850 < agree < 2150
