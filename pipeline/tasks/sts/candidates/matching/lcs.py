"""The length of the longest common subsequence of two token sequences, by bit-parallel steps.

Source: Hyyroe 2004, "Bit-parallel LCS-length computation revisited" (AWOCA): one step for each
token of the second sequence, on all tokens of the first at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def places(tokens: Sequence[str]) -> dict[str, int]:
    """Return for each token a number whose bits are its places in the sequence."""
    found: dict[str, int] = {}
    for place, token in enumerate(tokens):
        found[token] = found.get(token, 0) | 1 << place
    return found


def length(masks: dict[str, int], size: int, tokens: Iterable[str]) -> int:
    """Return the length of the longest common subsequence.

    `masks` are the `places` of the first sequence, which has `size` tokens; `tokens` is the second.
    """
    every = row = (1 << size) - 1
    for token in tokens:
        if token in masks:
            matched = row & masks[token]
            row = (row + matched) | (row - matched)
    return size - (row & every).bit_count()
