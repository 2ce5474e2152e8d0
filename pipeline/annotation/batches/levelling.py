"""Moves items between annotators until no further move brings their loads nearer.

Bars can leave a greedy draw uneven. Draw an arrow from an annotator to another whenever an item of
the first may go to the second. The sum of the squared loads is least exactly when no chain of
arrows leads from an annotator to one with at least two items fewer: a chain is what an augmenting
cycle of negative cost comes to in the flow network of items and annotators (Ahuja, Magnanti and
Orlin, Network Flows, 1993, Section 9.6: cycle cancelling).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

_Flags = npt.NDArray[np.bool_]


def level(
    order: Sequence[str],
    people: Sequence[str],
    chosen: dict[str, list[str]],
    bars: Mapping[str, Collection[str]],
) -> None:
    """Change `chosen` (item: its annotators) in place; the items' order says which moves first."""
    place = {person: column for column, person in enumerate(people)}
    has = _flags(order, chosen, place)
    if np.ptp(has.sum(axis=0)) <= 1:
        return
    may = ~(has | _flags(order, bars, place))
    moves = _Moves(has, may)
    for row in sorted(moves.run()):
        chosen[order[row]] = [people[column] for column in np.flatnonzero(has[row]).tolist()]


def _flags(
    order: Sequence[str], of: Mapping[str, Collection[str]], place: Mapping[str, int]
) -> _Flags:
    flags = np.zeros((len(order), len(place)), np.bool_)
    for row, item in enumerate(order):
        for person in of.get(item, ()):
            flags[row, place[person]] = True
    return flags


class _Moves:
    """`has` and `may` say, items x annotators, who has an item and who else might.

    `arrows[u, w]` counts the items of u that may go to w.
    """

    def __init__(self, has: _Flags, may: _Flags) -> None:
        self.has, self.may = has, may
        self.loads = has.sum(axis=0)
        # float32 counts items exactly up to 2**24
        self.arrows = (has.T.astype(np.float32) @ may.astype(np.float32)).astype(np.int64)

    def run(self) -> set[int]:
        """Move while a chain helps; returns the items that changed."""
        changed: set[int] = set()
        while chain := self._chain():
            for giver, taker in pairwise(chain):
                changed.add(self._move(giver, taker))
        return changed

    def _chain(self) -> list[int]:
        """Return annotators from one with many items to one with two fewer or less, or none."""
        for start in np.argsort(-self.loads, kind="stable").tolist():
            if self.loads[start] < self.loads.min() + 2:
                break
            before = self._reach(start)
            end = min(before, key=lambda person: (self.loads[person], person))
            if self.loads[end] <= self.loads[start] - 2:
                chain = [end]
                while chain[-1] != start:
                    chain.append(before[chain[-1]])
                return chain[::-1]
        return []

    def _reach(self, start: int) -> dict[int, int]:
        """Return whom a chain can reach, each with the one before on a shortest chain."""
        before, waiting = {start: start}, deque([start])
        while waiting:
            person = waiting.popleft()
            for other in np.flatnonzero(self.arrows[person]).tolist():
                if other not in before:
                    before[other] = person
                    waiting.append(other)
        return before

    def _move(self, giver: int, taker: int) -> int:
        row = int(np.flatnonzero(self.has[:, giver] & self.may[:, taker])[0])
        self.arrows[self.has[row]] -= self.may[row]
        self.has[row, giver], self.has[row, taker] = False, True
        self.may[row, giver], self.may[row, taker] = True, False
        self.arrows[self.has[row]] += self.may[row]
        self.loads[giver] -= 1
        self.loads[taker] += 1
        return row
