"""Greedy sentence matching that draws the pairs of `reference`, without looking at every pair."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.tasks.sts.candidates.matching import anchored, best
from pipeline.tasks.sts.candidates.matching.match import Algorithm, Match, Rouge
from pipeline.tasks.sts.candidates.matching.scores import Scores


def match(
    tokens: Sequence[Sequence[str]],
    *,
    order: Sequence[int],
    algorithm: Algorithm = "anchors",
    rouge: Rouge = "rougeL",
) -> list[Match]:
    """Match all sentences, given by their tokens, into pairs; of an odd number one is left.

    `order` holds the places in the order in which they become anchors (`global` needs none of it).
    The time grows with the square of the number of sentences, the memory with the number.
    """
    scores = Scores(tokens, rouge=rouge)
    if algorithm == "anchors":
        return anchored.match(scores, order)
    return best.match(scores, len(tokens))
