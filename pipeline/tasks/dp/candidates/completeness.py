"""Whether a text is one complete sentence, as those of KLUE-DP are.

Each rule was held against the 2,000 sentences of the released dev set, which people selected;
annotation_specs/dp/CHANGELOG.md says how many of them it takes.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from pipeline.core.morphology import morphemes
from pipeline.sampling.filling import Refusal

_CLOSING: Final = {")": "(", "]": "[", ">": "<", "〉": "〈", "》": "《", "」": "「", "』": "『"}
#: A quotation may open with a straight mark and close with a curly one; apostrophes are none.
_QUOTES: Final = (re.compile(r"[\"“”]"), re.compile(r"(?<![A-Za-z])['‘’`]|['‘’`](?![A-Za-z])"))
_QUOTED: Final = re.compile(r"[\"“][^\"”]*[\"”]|['‘`][^'’]*['’]|\([^)]*\)")
_INNER: Final = re.compile(r"[.?!…]+\s+\S")
_JAMO: Final = re.compile(r"[ㄱ-ㅎㅏ-ㅣ]")
_OPENING: Final = frozenset("\"'“‘`(<〈《「『[")
_SIGNS: Final = frozenset(["SF", "SE", "SY", "SSC", "SSO", "SC"])


def refusal(text: str, *, fewest: int, most: int) -> Refusal | None:
    """Tell why a text is no sentence to be parsed, or None.

    It has `fewest` to `most` words, begins with a word, holds neither emoticons nor lone jamo, has
    all its quotation marks and brackets closed, ends once, and ends in a final ending and a mark.
    """
    words = len(text.split())
    if not fewest <= words <= most:
        return Refusal("dp.length@1", f"{words} words; {fewest} to {most} wanted", words)
    return next((Refusal(rule, reason) for rule, reason, holds in _RULES if not holds(text)), None)


def _begins(text: str) -> bool:
    return text[0].isalnum() or text[0] in _OPENING


def _plain(text: str) -> bool:
    """Tell whether no pictures and lone jamo stand in it; ㎞ is letters, ☆ is a picture."""
    if _JAMO.search(text):
        return False
    return all(unicodedata.category(c) != "So" for c in unicodedata.normalize("NFKC", text))


def _balanced(text: str) -> bool:
    opened: list[str] = []
    for character in text:
        if character in _CLOSING.values():
            opened.append(character)
        elif character in _CLOSING and (not opened or opened.pop() != _CLOSING[character]):
            return False
    return not opened and all(len(quote.findall(text)) % 2 == 0 for quote in _QUOTES)


def _single(text: str) -> bool:
    return not _INNER.search(_QUOTED.sub("", text))


def _finished(text: str) -> bool:
    """Tell whether a final ending (EF, or 요 behind it) stands before the last mark."""
    found = morphemes(text)
    marks = 0
    while found and found[-1].tag in _SIGNS:
        marks += found.pop().tag == "SF"
    last = [part for one in found for part in one.parts][-2:]
    if last and last[-1] == ("요", "JX"):
        return marks > 0
    return marks > 0 and bool(last) and last[-1][1] == "EF"


_RULES: Final = (
    ("dp.start@1", "begins with a sign", _begins),
    ("dp.emoticon@1", "holds emoticons or lone jamo", _plain),
    ("dp.balance@1", "a quotation mark or bracket is not closed", _balanced),
    ("dp.one_sentence@1", "a sentence ends before the last word", _single),
    ("dp.unfinished@1", "does not end in a final ending and a mark", _finished),
)
