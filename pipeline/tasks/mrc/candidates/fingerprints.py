"""Which texts share long pieces: hashes of a fixed sample of their windows.

A window is WIDTH letters and digits in a row, so that blanks, case and punctuation do not matter;
one in SAMPLE is kept, chosen by its hash alone, so that equal pieces keep equal windows.
Source: Broder (1997), "On the resemblance and containment of documents", the sketch modulo m.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Final

import numpy as np

Hashes = np.ndarray[Any, np.dtype[np.uint64]]

WIDTH: Final = 24
SAMPLE: Final = 16

_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_HALF: Final = np.uint64(32)


def fingerprints(text: str) -> Hashes:
    """Return the sampled window hashes of a text, sorted and distinct; short texts have none."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c for c in folded if c.isalnum()).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(letters, dtype=np.uint32).astype(np.uint64)
    windows = len(codes) - WIDTH + 1
    if windows < 1:
        return np.array([], np.uint64)
    hashes = np.zeros(windows, np.uint64)
    for at in range(WIDTH):
        hashes = hashes * _BASE + codes[at : at + windows]
    hashes ^= hashes >> _HALF
    hashes *= _MIX
    hashes ^= hashes >> _HALF
    return np.unique(hashes[hashes % np.uint64(SAMPLE) == 0])


def shared(prints: Hashes, others: Hashes) -> float:
    """Return the share of `prints` that is among `others` (both sorted), from 0 to 1."""
    if not len(prints) or not len(others):
        return 0.0
    places = np.minimum(np.searchsorted(others, prints), len(others) - 1)
    return round(float(np.mean(others[places] == prints)), 6)
