"""Matched pairs are drawn evenly over the bins of their score."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pipeline.tasks.sts.candidates import spread
from pipeline.tasks.sts.matching import MILLION, Match

SCORES = st.lists(st.integers(0, MILLION), max_size=60)


def _matches(scores: list[int]) -> list[Match]:
    return [Match(2 * n, 2 * n + 1, score) for n, score in enumerate(scores)]


def _keys(scores: list[int]) -> list[tuple[float, str]]:
    return [(n * 7 % 11 / 11, f"s{n}") for n in range(len(scores))]


def _bin(score: int, bins: int) -> int:
    return min(score * bins // MILLION, bins - 1)


@given(SCORES, st.integers(0, 70), st.integers(1, 12))
def test_no_bin_gives_two_more_than_one_that_has_more(
    scores: list[int], quota: int, bins: int
) -> None:
    chosen = spread(_matches(scores), quota, bins=bins, keys=_keys(scores))
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(quota, len(scores))
    have = Counter(_bin(score, bins) for score in scores)
    given_ = Counter(_bin(scores[place], bins) for place in chosen)
    for one, held in have.items():
        if given_[one] < held:
            assert all(given_[other] <= given_[one] + 1 for other in have)


def test_what_cannot_be_shared_goes_to_the_higher_bins() -> None:
    scores = [50_000, 60_000, 950_000, 960_000, 1_000_000]
    keys = [(0.5, "a"), (0.1, "b"), (0.9, "c"), (0.2, "d"), (0.3, "e")]
    assert spread(_matches(scores), 3, bins=10, keys=keys) == [1, 3, 4]
