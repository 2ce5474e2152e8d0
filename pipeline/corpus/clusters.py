"""Near-duplicates to clusters: what pairs connect, named by its smallest id.

Memory is 32 bytes for each unit that has a near-duplicate.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from pipeline.core.numbered import Numbers, NumberSet, Texts

#: Pairs and ids that are held at a time.
_HELD: Final = 50_000


class Clusters:
    """Similar pairs, which wait on disk, and the units that are in any."""

    def __init__(self, folder: Path, units: int) -> None:
        self._path = folder / "similar.pairs"
        self._file = self._path.open("wb")
        self._units = NumberSet(units)

    def add(self, pairs: Numbers) -> None:
        """Add pairs of numbers, shape (pairs, 2)."""
        self._file.write(np.ascontiguousarray(pairs).data)
        self._units.add(pairs.ravel())

    def names(self, ids: Texts) -> Iterator[tuple[Numbers, Numbers]]:
        """Yield units in order, and for each the one of its cluster whose id is the smallest."""
        self._file.close()
        units = self._units.sorted()
        roots = components(len(units), self._ranks(units))
        names = _smallest(units, roots, ids)
        for n in range(0, len(units), _HELD):
            yield units[n : n + _HELD], names[n : n + _HELD]

    def _ranks(self, units: Numbers) -> Iterator[tuple[int, int]]:
        with self._path.open("rb") as file:
            while len(pairs := np.fromfile(file, np.int64, 2 * _HELD)):
                ranks = np.searchsorted(units, pairs).reshape(-1, 2)
                yield from zip(*ranks.T.tolist(), strict=True)


def components(size: int, pairs: Iterator[tuple[int, int]]) -> Numbers:
    """Return for each number below `size` the smallest one that pairs connect it with."""
    parent = array("q", range(size))

    def find(unit: int) -> int:
        while parent[unit] != unit:
            parent[unit] = unit = parent[parent[unit]]
        return unit

    for left, right in pairs:
        a, b = find(left), find(right)
        parent[max(a, b)] = min(a, b)
    for unit in range(size):  # a parent is smaller, and has its root already
        parent[unit] = parent[parent[unit]]
    return np.frombuffer(parent, np.int64) if size else np.empty(0, np.int64)


def _smallest(units: Numbers, roots: Numbers, ids: Texts) -> Numbers:
    """Return for each unit the one with its root whose id is the smallest."""
    order = np.argsort(roots, kind="stable")
    names = np.empty(len(units), np.int64)
    root, begin, best = -1, 0, ("", 0)
    for first in range(0, len(order), _HELD):
        places = order[first : first + _HELD]
        rows = zip(roots[places].tolist(), ids.take(units[places]).to_pylist(), strict=True)
        for place, (its_root, name) in enumerate(rows, first):
            if its_root != root:
                names[order[begin:place]] = best[1]
                root, begin, best = its_root, place, (name, int(units[order[place]]))
            elif name < best[0]:
                best = name, int(units[order[place]])
    names[order[begin:]] = best[1]
    return names
