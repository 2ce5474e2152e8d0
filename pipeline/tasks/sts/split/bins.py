"""Bins of similarity scores, filled as evenly as what there is allows (paper 3.2.1, Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pipeline.core.ids import draw

#: The highest similarity; the lowest is 0.
HIGHEST: Final = 5.0


def bin_of(score: float, bins: int) -> int:
    """Return the bin, from 0, that is nearest to the score: with 51 bins, ten times the score."""
    return int(score / HIGHEST * (bins - 1) + 0.5)


def evenly(
    held: Mapping[int, int], there: Mapping[int, int], total: int, *, seed: int
) -> dict[int, int]:
    """Return how many pairs to have of each bin, `total` of them or as many as there are.

    `held` are those that a bin has already and keeps, `there` all that it can have, `held` with
    them. All bins have as many, or one more; but a bin with fewer has all that there are, and one
    with more what it held. Which bins have the one more is keyed.
    """
    base = _base(held, there, total)
    found = {place: _filled(held, there, place, base) for place in there}
    more = [place for place in there if _filled(held, there, place, base + 1) > found[place]]
    more.sort(key=lambda place: (draw(seed, "split.sts.bin", str(place)), place))
    for place in more[: max(0, total - sum(found.values()))]:
        found[place] += 1
    return found


def _filled(held: Mapping[int, int], there: Mapping[int, int], place: int, base: int) -> int:
    return max(held.get(place, 0), min(base, there[place]))


def _base(held: Mapping[int, int], there: Mapping[int, int], total: int) -> int:
    """Return the largest number of pairs a bin with which all bins have no more than `total`."""
    low, high = 0, max(there.values(), default=0)
    while low < high:
        middle = (low + high + 1) // 2
        fits = sum(_filled(held, there, place, middle) for place in there) <= total
        low, high = (middle, high) if fits else (low, middle - 1)
    return low
