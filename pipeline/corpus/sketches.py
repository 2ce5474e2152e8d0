"""Sketches of texts: bits of their shingles, by which two of them are told to be unlike.

A bit that one text has and another lacks is of a shingle that the other lacks. So two sets of
shingles differ by `d` or more, the bits in which their sketches do, and where both have `n` or
fewer together, their Jaccard similarity is at most (n - d) / (n + d).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipeline.corpus.signatures import shingle_hashes

#: Numbers of 64 bits that a sketch has: few shingles of a sentence fall on the same bit.
_WIDTH: Final = 4
#: How many shingles a text has, repeats included, and the bits that they fall on.
SKETCH: Final = np.dtype([("shingles", "<i8"), ("bits", "<u8", (_WIDTH,))])
_LAST: Final = np.uint64(63)


def sketches(forms: Sequence[str]) -> NDArray[np.void]:
    """Return the sketches of texts, given as they are `compared`."""
    sketched = np.zeros(len(forms), SKETCH)
    if forms:
        hashes, starts = shingle_hashes(forms)
        many = np.diff(starts, append=len(hashes))
        words = np.repeat(np.arange(len(forms)) * _WIDTH, many)
        words += ((hashes >> np.uint64(6)) % np.uint64(_WIDTH)).astype(np.int64)
        bits = np.zeros(len(forms) * _WIDTH, np.uint64)
        np.bitwise_or.at(bits, words, np.uint64(1) << (hashes & _LAST))
        sketched["shingles"], sketched["bits"] = many, bits.reshape(-1, _WIDTH)
    return sketched


def may_reach(
    left: NDArray[np.void], right: NDArray[np.void], threshold: float
) -> NDArray[np.bool_]:
    """Return for each two texts whether their similarity may be the threshold or more."""
    differing = np.bitwise_count(left["bits"] ^ right["bits"]).sum(axis=1, dtype=np.int64)
    total = left["shingles"] + right["shingles"]
    likely: NDArray[np.bool_] = total - differing >= threshold * (total + differing) * (1 - 1e-9)
    return likely
