"""What is compared: letters alone, of texts cut so that one piece of a corpus holds one of a text.

Letters are those of pipeline/corpus/signatures: NFKC, case folded, without blanks and punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from typing import Final

from pipeline.corpus.signatures import SHINGLE, letters

#: A text of the benchmark with fewer letters guards nothing: everyday phrases are as short.
SHORTEST: Final = 10
#: A sentence of a longer text with fewer letters guards nothing by itself.
SENTENCE: Final = 15
#: The most letters of a unit of the benchmark, and of a window of a corpus.
UNIT: Final = 128
WINDOW: Final = 2 * UNIT
_END: Final = re.compile(r"(?<=[.!?…。])\s+|\n")


def units_of(text: str) -> list[str]:
    """Return the units of a text of the benchmark: its sentences, and the whole unless it is long.

    Long is a text of more than `UNIT` letters, and a sentence that is cut evenly. A text that is
    too short has no unit.
    """
    whole = letters(text)
    units = [whole] if SHORTEST <= len(whole) <= UNIT else []
    for sentence in _sentences(text):
        if len(sentence) >= SENTENCE:
            units += _cut_evenly(sentence)
    return list(dict.fromkeys(units))


def pieces_of(text: str) -> list[str]:
    """Return the pieces of a text of a corpus: windows, and its sentences.

    Windows overlap by half, so that one of them holds each unit that the text holds.
    """
    whole = letters(text)
    starts = range(0, max(1, len(whole) - UNIT), UNIT)
    windows = [whole[start : start + WINDOW] for start in starts]
    parts = (sentence for sentence in _sentences(text) if len(sentence) <= WINDOW)
    return [piece for piece in dict.fromkeys((*windows, *parts)) if len(piece) >= SHINGLE]


def _sentences(text: str) -> Iterator[str]:
    return map(letters, _END.split(text))


def _cut_evenly(sentence: str) -> list[str]:
    count = ceil(len(sentence) / UNIT)
    size = ceil(len(sentence) / count)
    return [sentence[start : start + size] for start in range(0, len(sentence), size)]
