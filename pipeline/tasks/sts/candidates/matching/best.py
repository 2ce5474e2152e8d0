"""The prose of Section 3.2.1: the best of all remaining pairs is drawn, again and again.

A pair is one number, its key: smaller is better, and ties go to the smaller first, then second
place. The pairs with the smallest keys by their bounds are collected from one pass over all
sentences that are left, and drawn as far as they go; then the next pass collects the next ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import Final

import numpy as np

from pipeline.tasks.sts.candidates.matching.match import MILLION, Match
from pipeline.tasks.sts.candidates.matching.scores import Places, Scores

#: Pairs that a pass collects, and pairs that are looked at before those of matched sentences leave.
_COLLECTED: Final = 524_288
_LOOKED_AT: Final = 16_384
_NO_KEY: Final = -1


def match(scores: Scores, size: int) -> list[Match]:
    """Match `size` sentences; the keys fit for up to three million."""
    return _Matching(scores, size).run()


class _Matching:
    """A matching in the making: who is left, and the pairs whose exact score is known."""

    def __init__(self, scores: Scores, size: int) -> None:
        self.scores, self.size = scores, size
        self.left = np.ones(size, bool)
        self.known: list[int] = []
        self.found: list[Match] = []

    def run(self) -> list[Match]:
        after: int | None = _NO_KEY
        while after is not None:
            keys, after = self._collect(after)
            for some in np.split(keys, range(_LOOKED_AT, len(keys), _LOOKED_AT)):
                self._draw(some)
            self._draw_known(after)
            self._forget()
        rest = np.flatnonzero(self.left).tolist()
        pairs = zip(rest[::2], rest[1::2], strict=False)
        return self.found + [Match(first, second, 0) for first, second in pairs]

    def _collect(self, after: int) -> tuple[Places, int | None]:
        """Return the smallest keys above `after` in order, and the last if there are more."""
        limit, held, kept = np.iinfo(np.int64).max, 0, list[Places]()
        for keys in self._keys():
            kept.append(keys[(keys > after) & (keys <= limit)])
            held += len(kept[-1])
            if held > 2 * _COLLECTED:
                smallest = np.partition(np.concatenate(kept), _COLLECTED - 1)[:_COLLECTED]
                kept, held, limit = [smallest], _COLLECTED, int(smallest.max())
        found = np.sort(np.concatenate(kept)) if kept else np.zeros(0, np.int64)
        more = len(found) > _COLLECTED or limit < np.iinfo(np.int64).max
        found = found[:_COLLECTED]
        return found, int(found[-1]) if more else None

    def _keys(self) -> Iterator[Places]:
        """Yield the keys, by bounds above 0, of each sentence with those after it."""
        left = np.flatnonzero(self.left)
        for start in range(0, len(left), self.scores.rows):
            rows, columns = left[start : start + self.scores.rows], left[start:]
            overlaps = self.scores.overlaps(rows, columns)
            for at, (place, row) in enumerate(zip(rows.tolist(), overlaps, strict=True)):
                others = columns[at + 1 :]
                bounds = self.scores.bounds(place, others, row[at + 1 :])
                some = np.flatnonzero(bounds)
                base = MILLION * self.size**2 + place * self.size
                yield base + others[some] - bounds[some] * self.size**2

    def _draw(self, keys: Places) -> None:
        """Draw pairs as far as the keys (by bounds, in order) go."""
        first, second = self._places(keys)
        alive = self.left[first] & self.left[second]
        columns = (keys[alive].tolist(), first[alive].tolist(), second[alive].tolist())
        for key, one, two in zip(*columns, strict=True):
            self._draw_known(key)
            if self.left[one] and self.left[two]:
                if self.scores.exact_bounds:
                    heappush(self.known, key)
                else:
                    heappush(self.known, self._key(one, two, self.scores.exact(one, two)))

    def _draw_known(self, until: int | None) -> None:
        """Draw the pairs whose exact key is not above `until` (None: all of them)."""
        while self.known and (until is None or self.known[0] <= until):
            key = heappop(self.known)
            lack, pair = divmod(key, self.size**2)
            one, two = divmod(pair, self.size)
            if self.left[one] and self.left[two]:
                self.left[[one, two]] = False
                self.found.append(Match(one, two, MILLION - lack))

    def _places(self, keys: Places) -> tuple[Places, Places]:
        return np.divmod(keys % self.size**2, self.size)

    def _key(self, one: int, two: int, score: int) -> int:
        return (MILLION - score) * self.size**2 + one * self.size + two

    def _forget(self) -> None:
        """Let go of known pairs of which a sentence is matched."""
        first, second = self._places(np.array(self.known, np.int64))
        self.known = np.array(self.known, np.int64)[self.left[first] & self.left[second]].tolist()
        heapify(self.known)
