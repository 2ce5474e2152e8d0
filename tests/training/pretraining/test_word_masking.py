"""Masks: whole words, at the rate asked for, 80 / 10 / 10, keyed by sequence, place and epoch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pipeline.training.pretraining.masking import Masking

MASK, PAD = 4, 0
MASKING = Masking(0.15, MASK, np.arange(5, 1000), seed=3, dynamic=True)
ROWS, WIDE = 4_000, 64


def sequences() -> tuple[Any, Any, Any]:
    """Return ids, word starts and free places: framed by special tokens, words of 1 to 4 tokens."""
    draws = np.random.default_rng(0)
    ids = draws.integers(5, 1000, (ROWS, WIDE))
    words = draws.random((ROWS, WIDE)) < 0.4
    free = np.ones((ROWS, WIDE), dtype=bool)
    free[:, [0, 30, -1]] = False
    ids[~free] = 2
    words[:, 1] = words[:, 31] = True
    words &= free
    return ids, words, free


IDS, WORDS, FREE = sequences()
NUMBER = np.cumsum(WORDS, axis=1)  # of each token's word


def apply(masking: Masking = MASKING, epoch: int = 0) -> tuple[Any, Any]:
    return masking.apply(IDS, WORDS, FREE, rows=np.arange(ROWS), epoch=epoch)


@pytest.mark.parametrize("rate", [0.15, 0.3])
def test_the_share_of_masked_words(rate: float) -> None:
    """Within four standard deviations of independent words."""
    _, chosen = apply(replace(MASKING, rate=rate))
    words = chosen[WORDS]
    assert abs(words.mean() - rate) < 4 * np.sqrt(rate * (1 - rate) / len(words))
    assert abs(chosen[FREE].mean() - rate) < 0.01


def test_what_stands_in_the_place_of_a_chosen_token() -> None:
    masked, chosen = apply()
    many = chosen.sum()
    changed = masked[chosen] != IDS[chosen]
    is_mask = masked[chosen] == MASK
    for share, expected in ((is_mask.mean(), 0.8), ((changed & ~is_mask).mean(), 0.1)):
        assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / many)
    others = masked[chosen][changed & ~is_mask]
    assert others.min() >= 5 and len(np.unique(others)) > 900


def test_no_word_is_masked_by_half_and_no_special_token() -> None:
    masked, chosen = apply()
    for row in range(200):
        of_words = {number: set() for number in NUMBER[row][FREE[row]]}
        for number, is_chosen in zip(NUMBER[row][FREE[row]], chosen[row][FREE[row]], strict=True):
            of_words[number].add(bool(is_chosen))
        assert all(len(found) == 1 for found in of_words.values())
    assert not chosen[~FREE].any()
    assert (masked[~chosen] == IDS[~chosen]).all()


def test_words_are_masked_whatever_their_length() -> None:
    _, chosen = apply()
    sizes = np.array([np.bincount(row, minlength=WIDE + 1) for row in np.where(FREE, NUMBER, 0)])
    size = np.take_along_axis(sizes, NUMBER, axis=1)[WORDS]
    for few in (1, 2, 4):
        some = chosen[WORDS][size == few]
        assert abs(some.mean() - 0.15) < 4 * np.sqrt(0.15 * 0.85 / len(some))


def test_static_masks_are_the_same_in_every_epoch_and_dynamic_ones_are_not() -> None:
    static = replace(MASKING, dynamic=False)
    assert (apply(static, 0)[0] == apply(static, 5)[0]).all()
    both = apply(MASKING, 0)[1] & apply(MASKING, 1)[1]
    assert abs(both[WORDS].mean() - 0.15**2) < 0.003  # independent


def test_a_mask_does_not_depend_on_the_batch() -> None:
    whole, _ = apply()
    rows = np.array([7, 3, 900])
    wider = np.pad(IDS[rows], ((0, 0), (0, 8)), constant_values=PAD)
    marks = [np.pad(array[rows], ((0, 0), (0, 8))) for array in (WORDS, FREE)]
    some, _ = MASKING.apply(wider, *marks, rows=rows, epoch=0)
    assert (some[:, :WIDE] == whole[rows]).all()
