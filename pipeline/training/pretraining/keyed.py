"""Chance by number: draws and an order of millions of things that keep no state and no list.

A draw depends on a key and on the number of what it is for, and on nothing else: not on the other
numbers, on the batch, or on how far a run has come.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Draws = npt.NDArray[np.float64]
_Words = npt.NDArray[np.uint64]

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
#: Shift, then factor, of each round of the mixer, and the last shift.
_ROUNDS: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST: Final = np.uint64(31)
#: Rounds of the Feistel network.
_FEISTEL: Final = 6


def words(key: int, numbers: npt.NDArray[Any]) -> _Words:
    """Return 64 random bits for each number of 0 and above.

    Source: Steele, Lea & Flood 2014 (SplitMix64): they are outputs of the generator with the seed
    `key`, at these places.
    """
    state = np.uint64(key) + (numbers.astype(np.uint64) + np.uint64(1)) * _GOLDEN
    for shift, factor in _ROUNDS:
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    mixed: _Words = state ^ (state >> _LAST)
    return mixed


def uniform(key: int, numbers: npt.NDArray[Any]) -> Draws:
    """Return for each number a draw from [0, 1)."""
    return (words(key, numbers) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def order(key: int, places: Numbers, size: int) -> Numbers:
    """Return what stands at some places of a random order of the numbers below `size`.

    The order is never made as a whole. Source: Black & Rogaway 2002: a Feistel network, applied
    until the number is below `size`.
    """
    half = max(1, (max(1, size - 1).bit_length() + 1) // 2)
    found = _permute(key, places.astype(np.uint64), half)
    while (beyond := found >= np.uint64(size)).any():
        found[beyond] = _permute(key, found[beyond], half)
    return found.astype(np.int64)


def _permute(key: int, numbers: _Words, half: int) -> _Words:
    """Return the images of numbers of `2 * half` bits under a keyed permutation of them all."""
    bits, mask = np.uint64(half), np.uint64((1 << half) - 1)
    left, right = numbers >> bits, numbers & mask
    for turn in range(_FEISTEL):
        left, right = right, left ^ (words(key, right + np.uint64(turn << 40)) & mask)
    image: _Words = left << bits | right
    return image
