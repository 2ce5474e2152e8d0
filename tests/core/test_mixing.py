"""Mixing is the finaliser of MurmurHash3, by its published reference values."""

from __future__ import annotations

import numpy as np

from pipeline.core.mixing import mix


def test_mixing_is_fmix64_of_murmurhash3() -> None:
    # fmix64 of 0 and 1, computed by MurmurHash3.cpp of SMHasher
    numbers = mix(np.array([0, 1], np.uint64)).tolist()
    assert numbers == [0, 0xB456BCFC34C2CB2C]


def test_different_numbers_stay_different() -> None:
    numbers = np.arange(100_000, dtype=np.uint64)
    assert len(np.unique(mix(numbers))) == len(numbers)
