"""Algorithm 1 of the paper: an anchor is drawn, and gets the best of the sentences left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pipeline.tasks.sts.candidates.matching.match import Match
from pipeline.tasks.sts.candidates.matching.scores import Places, Scores


def match(scores: Scores, order: Sequence[int]) -> list[Match]:
    """Match the sentences in `order` (each place once); ties go to the smaller place."""
    left = np.ones(len(order), bool)
    found: list[Match] = []
    for block in _blocks(scores, order, left):
        columns = np.flatnonzero(left)
        overlaps = scores.overlaps(block, columns)
        for anchor, row in zip(block.tolist(), overlaps, strict=True):
            if not left[anchor]:
                continue
            left[anchor] = False
            bounds = scores.bounds(anchor, columns, row)
            bounds[~left[columns]] = -1
            at, score = _best(scores, anchor, columns, bounds)
            if score >= 0:
                left[columns[at]] = False
                found.append(Match(anchor, int(columns[at]), score))
    return found


def _blocks(scores: Scores, order: Sequence[int], left: np.ndarray) -> Iterator[Places]:
    """Yield the next anchors, as many as a block holds, until none is left."""
    waiting = np.array(order, np.int64)
    while len(waiting := waiting[left[waiting]]) > 1:
        yield waiting[: scores.rows]


def _best(scores: Scores, anchor: int, columns: Places, bounds: Places) -> tuple[int, int]:
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
