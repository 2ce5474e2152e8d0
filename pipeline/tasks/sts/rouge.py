"""ROUGE of Korean sentences: content words, exact scores of few pairs, upper bounds of many.

The clipped overlap of two sentences is what rouge1 counts, and no common subsequence is longer. It
is the product of two sparse 0/1 matrices in which the k-th occurrence of a token has a column of
its own. No array is ever sentences by sentences large.

The longest common subsequence takes bit-parallel steps: one for each token of the second sentence,
on all tokens of the first at once. Source: Hyyroe 2004, "Bit-parallel LCS-length computation
revisited" (AWOCA).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from pipeline.core.morphology import morphemes

Rouge = Literal["rouge1", "rougeL"]
Places = npt.NDArray[np.int64]
Counts = npt.NDArray[Any]

#: Scores are compared in millionths: two fractions of up to 1,000 tokens that differ do so by more,
#: and two that are equal differ by less when their floats do.
MILLION: Final = 1_000_000
#: Numbers that a block holds, and sentences in it at most.
_NUMBERS: Final = 16_777_216
_ROWS: Final = 256
#: First letters of the tags of nouns and numerals, verbs and adjectives, adverbs and determiners.
_CONTENT: Final = ("N", "V", "M")
#: Other content: roots, foreign words, numbers, Chinese characters.
_OTHERS: Final = frozenset({"XR", "SL", "SN", "SH"})
#: Function words with a tag of these kinds: bound nouns, counters, auxiliary verbs, the copula.
_FUNCTION: Final = frozenset({"NNB", "NNBC", "VX", "VCP"})


def content_words(text: str) -> list[str]:
    """Return the content words of a text in order; most verbs give their stem.

    Endings, particles and punctuation inflate similarity. On the matched pairs of Airbnb and policy
    in the official KLUE-STS dev set, rougeL correlates with the human scores by 0.67 over content
    words, 0.51 over morphemes without punctuation, 0.47 over all morphemes and 0.33 over words
    between blanks.
    """
    return [form for word in morphemes(text) for form, tag in word.parts if _is_content(tag)]


def _is_content(tag: str) -> bool:
    return (tag.startswith(_CONTENT) or tag in _OTHERS) and tag not in _FUNCTION


class Scores:
    """The scores of sentences, given by their tokens; a sentence is its place in the sequence."""

    def __init__(self, tokens: Sequence[Sequence[str]], *, rouge: Rouge) -> None:
        self.exact_bounds = rouge == "rouge1"
        self._tokens = tokens
        self._sizes = np.array([len(sentence) for sentence in tokens], np.float64)
        self._columns = _occurrences(tokens)
        self._masks = lru_cache(maxsize=_ROWS)(lambda place: token_masks(tokens[place]))
        self.rows = max(1, min(_ROWS, _NUMBERS // max(1, sum(self._columns.shape))))

    def overlaps(self, rows: Places, columns: Places) -> Counts:
        """Return how many tokens the sentences of `rows` share with those of `columns`."""
        block = np.ascontiguousarray(self._columns[rows].T.toarray())
        return np.ascontiguousarray((self._columns[columns] @ block).T)

    def bounds(self, place: int, columns: Places, overlaps: Counts) -> Places:
        """Return upper bounds (rouge1: the scores) of a sentence with others, in millionths."""
        bounds = np.zeros(len(overlaps), np.int64)
        shared = np.flatnonzero(overlaps)
        right = self._sizes[columns][shared]
        scores = fmeasure(overlaps[shared].astype(np.float64), self._sizes[place], right)
        bounds[shared] = np.rint(scores * MILLION)
        return bounds

    def exact(self, first: int, second: int) -> int:
        """Return the rougeL score of two sentences in millionths."""
        left, right = self._tokens[first], self._tokens[second]
        common = lcs_length(self._masks(first), len(left), right)
        score: float = fmeasure(common, len(left), len(right)) if common else 0.0
        return round(score * MILLION)


def fmeasure(common: Any, left: Any, right: Any) -> Any:
    """Return F of `common` tokens of two texts of `left` and `right` tokens; numbers or arrays.

    `common` is above 0. The steps and their order are those of rouge-score, so that the floats are
    the same to the last bit.
    """
    precision, recall = common / right, common / left
    return 2 * precision * recall / (precision + recall)


def token_masks(tokens: Sequence[str]) -> dict[str, int]:
    """Return for each token a number whose bits are its places in the sequence."""
    masks: dict[str, int] = {}
    for place, token in enumerate(tokens):
        masks[token] = masks.get(token, 0) | 1 << place
    return masks


def lcs_length(masks: dict[str, int], size: int, tokens: Iterable[str]) -> int:
    """Return the length of the longest common subsequence.

    `masks` are the `token_masks` of the first sequence, which has `size` tokens; `tokens` is the
    second.
    """
    every = row = (1 << size) - 1
    for token in tokens:
        if token in masks:
            matched = row & masks[token]
            row = (row + matched) | (row - matched)
    return size - (row & every).bit_count()


def _occurrences(tokens: Sequence[Sequence[str]]) -> Any:
    """Return the 0/1 matrix of sentences by (token, how often it came before)."""
    from scipy.sparse import csr_array

    columns: dict[tuple[str, int], int] = {}
    starts, places = [0], list[int]()
    for sentence in tokens:
        seen: dict[str, int] = {}
        for token in sentence:
            seen[token] = seen.get(token, 0) + 1
            places.append(columns.setdefault((token, seen[token]), len(columns)))
        starts.append(len(places))
    kind = np.int16 if max(map(len, tokens), default=0) < np.iinfo(np.int16).max else np.int64
    ones = np.ones(len(places), kind)
    return csr_array((ones, places, starts), shape=(len(tokens), max(1, len(columns))))
