"""Draws by number: the published generator, and orders that miss nothing."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.training.pretraining.keyed import order, uniform, words


def test_the_words_are_those_of_splitmix() -> None:
    """The first outputs of the reference implementation in C with the seed 1234567."""
    assert words(1234567, np.arange(5)).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(1, 700), st.integers(0, 2**63))
def test_an_order_has_every_number_once(size: int, key: int) -> None:
    assert sorted(order(key, np.arange(size), size).tolist()) == list(range(size))


def test_an_order_can_be_read_anywhere() -> None:
    whole = order(5, np.arange(10_000), 10_000)
    assert order(5, np.arange(7_000, 7_050), 10_000).tolist() == whole[7_000:7_050].tolist()
    assert (whole != order(6, np.arange(10_000), 10_000)).mean() > 0.99


def test_places_of_an_order_are_independent() -> None:
    """A chi-square test of where the first number goes: 15 degrees of freedom, p = .001 at 37.7."""
    firsts = np.array([order(key, np.arange(1), 16)[0] for key in range(4_000)])
    counts = np.bincount(firsts, minlength=16)
    assert ((counts - 250) ** 2 / 250).sum() < 37.7


def test_draws_are_uniform() -> None:
    draws = uniform(7, np.arange(100_000))
    counts = np.histogram(draws, bins=100, range=(0, 1))[0]
    assert ((counts - 1000) ** 2 / 1000).sum() < 149.5  # 99 degrees of freedom, p = .001
