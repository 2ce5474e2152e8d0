"""The tokens that ROUGE counts in Korean: content words.

Endings, particles and punctuation are shared by sentences that have nothing else in common. On the
matched pairs of Airbnb and policy in the official KLUE-STS dev set, rougeL correlates with the
human scores by 0.67 over content words, 0.51 over morphemes without punctuation, 0.47 over all
morphemes and 0.33 over words between blanks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pipeline.core.morphology import morphemes

#: First letters of the tags of nouns and numerals, verbs and adjectives, adverbs and determiners.
_KINDS: Final = ("N", "V", "M")
#: Roots, foreign words, numbers, Chinese characters.
_OTHERS: Final = frozenset({"XR", "SL", "SN", "SH"})
#: What these hold of function words: bound nouns, counters, auxiliary verbs and the copula.
_FUNCTION: Final = frozenset({"NNB", "NNBC", "VX", "VCP"})
_CACHED: Final = 65_536


def content_words(text: str) -> list[str]:
    """Return the content words of a text in order; most verbs give their stem."""
    return [form for one in morphemes(text) for form, tag in one.parts if _is_content(tag)]


class KoreanTokenizer:
    """A tokenizer in the form that rouge-score takes; it remembers the texts it saw last."""

    def __init__(self) -> None:
        """Begin with an empty memory."""
        self._tokens = lru_cache(maxsize=_CACHED)(content_words)

    def tokenize(self, text: str) -> list[str]:
        """Return the content words of a text."""
        return self._tokens(text)


def _is_content(tag: str) -> bool:
    return (tag.startswith(_KINDS) or tag in _OTHERS) and tag not in _FUNCTION
