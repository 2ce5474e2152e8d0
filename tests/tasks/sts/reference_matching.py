"""Greedy sentence matching as it is written down, with the scores of the rouge-score package.

It looks at every pair; `match_sentences` is checked against it. Ties go to the smaller place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from rouge_score.rouge_scorer import RougeScorer

from pipeline.tasks.sts.matching import MILLION, Match, content_words
from pipeline.tasks.sts.spec import Algorithm, Rouge

Score = Callable[[int, int], int]


class KoreanTokenizer:
    """A tokenizer in the form that rouge-score takes; it remembers the texts it saw last."""

    def __init__(self) -> None:
        """Begin with an empty memory."""
        self._tokens = lru_cache(maxsize=65_536)(content_words)

    def tokenize(self, text: str) -> list[str]:
        """Return the content words of a text."""
        return self._tokens(text)


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
    return _anchors(score, order) if algorithm == "anchors" else _global(score, order)


def scores(texts: Sequence[str], *, rouge: Rouge, tokenizer: Any = None) -> Score:
    """Return the function that scores two places; it remembers what it scored."""
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
