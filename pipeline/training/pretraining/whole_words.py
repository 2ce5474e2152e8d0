"""Which tokens begin a word: by their places in the text and its white space.

Nothing is read from how a tokenizer writes its pieces (`##`, `Ġ`, `▁`): any that tells places will
do.

Source: Section 4.1, whole word masking; words are what white space divides, as in Table 35.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from pipeline.training.features import Ragged

Flags = npt.NDArray[np.bool_]


def word_starts(texts: Sequence[str], places: Ragged) -> Flags:
    """Return for every token of all texts whether a word begins in it.

    `places` are the two ends of each token in its text (code points). A piece that goes on with the
    word of the token before, or has bytes of the same character, begins none; a piece over several
    words begins one. The first token of a text always does.
    """
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    space = _spaces()[codes]
    begins = ~space
    begins[1:] &= space[:-1]
    text_starts = np.cumsum(lengths) - lengths
    inside = text_starts[lengths > 0]
    begins[inside] |= ~space[inside]
    number = np.cumsum(begins)
    token_text = np.repeat(np.arange(len(texts)), places.lengths)
    first = text_starts[token_text] + places.values[:, 0]
    last = text_starts[token_text] + np.maximum(places.values[:, 1] - 1, places.values[:, 0])
    # White space before a word is of that word where a token begins with it, and of the word
    # behind it where one ends with it.
    most = number[np.maximum(text_starts + lengths - 1, 0)] if len(number) else lengths
    word = np.minimum(number[first] + space[first], most[token_text])
    starts = np.ones(len(word), dtype=bool)
    starts[1:] = word[1:] > np.maximum(number[last], word)[:-1]
    starts[places.starts[:-1][places.lengths > 0]] = True
    return starts


@cache
def _spaces() -> Flags:
    return np.array([chr(code).isspace() for code in range(sys.maxunicode + 1)])
