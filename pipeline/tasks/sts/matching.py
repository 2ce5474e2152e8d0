"""Greedy sentence matching (Section 3.2.1) without a look at every pair.

The tests hold it against a plain reading of the paper with the scores of rouge-score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Final, Literal, NamedTuple

import numpy as np

from pipeline.tasks.sts.rouge import MILLION, Places, Rouge, Scores

Algorithm = Literal["anchors", "global"]

#: Pairs that a pass collects, and pairs that are looked at before those of matched sentences leave.
_COLLECTED: Final = 524_288
_LOOKED_AT: Final = 16_384


class Match(NamedTuple):
    """Two sentences by their places, and their ROUGE F-measure in millionths.

    Under `anchors` `first` is the anchor; under `global` it is the smaller of the two.
    """

    first: int
    second: int
    millionths: int


def match_sentences(
    tokens: Sequence[Sequence[str]],
    *,
    order: Sequence[int],
    algorithm: Algorithm = "anchors",
    rouge: Rouge = "rougeL",
) -> list[Match]:
    """Match all sentences, given by their tokens, into pairs; of an odd number one is left.

    `order` holds the places in the order in which they become anchors (`global` ignores it). The
    time grows with the square of the number of sentences, the memory with the number. Matches are
    in the order of drawing; ties go to the smaller place.
    """
    scores = Scores(tokens, rouge=rouge)
    if algorithm == "anchors":
        return _match_anchors(scores, order)
    return _GlobalMatching(scores, len(tokens)).run()


def _match_anchors(scores: Scores, order: Sequence[int]) -> list[Match]:
    """Run algorithm 1 of the paper: an anchor is drawn, and gets the best of those left."""
    left = np.ones(len(order), bool)
    matches: list[Match] = []
    for block in _anchor_blocks(scores, order, left):
        columns = np.flatnonzero(left)
        overlaps = scores.overlaps(block, columns)
        for anchor, row in zip(block.tolist(), overlaps, strict=True):
            if not left[anchor]:
                continue
            left[anchor] = False
            bounds = scores.bounds(anchor, columns, row)
            bounds[~left[columns]] = -1
            at, score = _best_column(scores, anchor, columns, bounds)
            if score >= 0:
                left[columns[at]] = False
                matches.append(Match(anchor, int(columns[at]), score))
    return matches


def _anchor_blocks(scores: Scores, order: Sequence[int], left: np.ndarray) -> Iterator[Places]:
    waiting = np.array(order, np.int64)
    while len(waiting := waiting[left[waiting]]) > 1:
        yield waiting[: scores.rows]


def _best_column(scores: Scores, anchor: int, columns: Places, bounds: Places) -> tuple[int, int]:
    """Return which column has the highest score, and the score; -1 where none is left."""
    at = int(bounds.argmax())
    top = int(bounds[at])
    if scores.exact_bounds or top <= 0:
        return at, top
    score = scores.exact(anchor, int(columns[at]))
    rivals = np.flatnonzero(bounds >= score)
    rivals = rivals[np.argsort(-bounds[rivals], kind="stable")]
    for rival, bound in zip(rivals.tolist(), bounds[rivals].tolist(), strict=True):
        if (-bound, rival) > (-score, at):
            break
        exact = scores.exact(anchor, int(columns[rival]))
        if (-exact, rival) < (-score, at):
            at, score = rival, exact
    return at, score


class _GlobalMatching:
    """Section 3.2.1 as its prose says: the best of all remaining pairs is drawn, again and again.

    A pair is one number, its key: smaller is better, and ties go to the smaller first, then second
    place. The pairs with the smallest keys by their bounds are collected in one pass over all
    sentences that are left, and drawn as far as they go; then the next pass collects the next ones.
    Keys fit for up to three million sentences.
    """

    def __init__(self, scores: Scores, size: int) -> None:
        self.scores, self.size = scores, size
        self.left = np.ones(size, bool)
        self.known: list[int] = []
        self.matches: list[Match] = []

    def run(self) -> list[Match]:
        after: int | None = -1
        while after is not None:
            keys, after = self._collect(after)
            for some in np.split(keys, range(_LOOKED_AT, len(keys), _LOOKED_AT)):
                self._draw(some)
            self._draw_known(after)
            self._forget()
        rest = np.flatnonzero(self.left).tolist()
        pairs = zip(rest[::2], rest[1::2], strict=False)
        return self.matches + [Match(first, second, 0) for first, second in pairs]

    def _collect(self, after: int) -> tuple[Places, int | None]:
        """Return the smallest keys above `after` in order, and the last if there are more."""
        limit, held, kept = np.iinfo(np.int64).max, 0, list[Places]()
        for keys in self._keys():
            kept.append(keys[(keys > after) & (keys <= limit)])
            held += len(kept[-1])
            if held > 2 * _COLLECTED:
                smallest = np.partition(np.concatenate(kept), _COLLECTED - 1)[:_COLLECTED]
                kept, held, limit = [smallest], _COLLECTED, int(smallest.max())
        collected = np.sort(np.concatenate(kept)) if kept else np.zeros(0, np.int64)
        more = len(collected) > _COLLECTED or limit < np.iinfo(np.int64).max
        collected = collected[:_COLLECTED]
        return collected, int(collected[-1]) if more else None

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
        for bound, one, two in zip(*columns, strict=True):
            self._draw_known(bound)
            if not (self.left[one] and self.left[two]):
                continue
            key = bound
            if not self.scores.exact_bounds:
                lack = MILLION - self.scores.exact(one, two)
                key = lack * self.size**2 + one * self.size + two
            heappush(self.known, key)

    def _draw_known(self, until: int | None) -> None:
        """Draw the pairs whose exact key is not above `until` (None: all of them)."""
        while self.known and (until is None or self.known[0] <= until):
            key = heappop(self.known)
            lack, pair = divmod(key, self.size**2)
            first, second = divmod(pair, self.size)
            if self.left[first] and self.left[second]:
                self.left[[first, second]] = False
                self.matches.append(Match(first, second, MILLION - lack))

    def _places(self, keys: Places) -> tuple[Places, Places]:
        return np.divmod(keys % self.size**2, self.size)

    def _forget(self) -> None:
        """Remove the known pairs of which a sentence is matched."""
        first, second = self._places(np.array(self.known, np.int64))
        self.known = np.array(self.known, np.int64)[self.left[first] & self.left[second]].tolist()
        heapify(self.known)
