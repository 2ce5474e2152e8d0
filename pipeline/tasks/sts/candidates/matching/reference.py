"""Greedy sentence matching as it is written down, with the scores of the rouge-score package.

It looks at every pair, and is there to check `fast` against. Equal scores go to the smaller place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final

from pipeline.core.errors import MissingDependencyError
from pipeline.tasks.sts.candidates.matching.match import MILLION, Algorithm, Match, Rouge
from pipeline.tasks.sts.candidates.matching.tokens import KoreanTokenizer

Score = Callable[[int, int], int]


def match(
    texts: Sequence[str],
    *,
    order: Sequence[int],
    algorithm: Algorithm = "anchors",
    rouge: Rouge = "rougeL",
    tokenizer: Any = None,
) -> list[Match]:
    """Match all sentences into pairs, in the order of drawing; of an odd number one is left.

    `order` holds the places of `texts` in the order in which they become anchors. `tokenizer` has a
    method ``tokenize``; without one it is a `KoreanTokenizer`.
    """
    score = scores(texts, rouge=rouge, tokenizer=tokenizer)
    return _ALGORITHMS[algorithm](score, order)


def scores(texts: Sequence[str], *, rouge: Rouge, tokenizer: Any = None) -> Score:
    """Return the function that scores two places; it remembers what it scored.

    Raises MissingDependencyError when rouge-score is not installed.
    """
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        raise MissingDependencyError(
            "rouge-score", "pip install -c constraints.txt rouge-score"
        ) from None
    scorer = RougeScorer([rouge], tokenizer=tokenizer or KoreanTokenizer())

    @cache
    def ordered(low: int, high: int) -> int:
        score: float = scorer.score(texts[low], texts[high])[rouge].fmeasure
        return round(score * MILLION)

    return lambda one, two: ordered(min(one, two), max(one, two))


def _anchors(score: Score, order: Sequence[int]) -> list[Match]:
    left, found = set(order), list[Match]()
    for anchor in order:
        if anchor in left and len(left) > 1:
            left.remove(anchor)
            partner = max(left, key=lambda place: (score(anchor, place), -place))
            left.remove(partner)
            found.append(Match(anchor, partner, score(anchor, partner)))
    return found


def _global(score: Score, order: Sequence[int]) -> list[Match]:
    pairs = combinations(sorted(order), 2)
    left, found = set(order), list[Match]()
    for first, second in sorted(pairs, key=lambda pair: (-score(*pair), pair)):
        if first in left and second in left:
            left -= {first, second}
            found.append(Match(first, second, score(first, second)))
    return found


_ALGORITHMS: Final[dict[Algorithm, Callable[[Score, Sequence[int]], list[Match]]]] = {
    "anchors": _anchors,
    "global": _global,
}
