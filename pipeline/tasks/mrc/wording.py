"""What a question and its passage are compared by: words, their content, and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from pipeline.core.morphology import Morpheme, morphemes

#: What carries meaning: nouns, numbers, verbs, adjectives, adverbs, foreign words. Particles,
#: endings, affixes, the copula, auxiliaries and bound nouns do not.
_CONTENT: Final = frozenset(
    ["NNG", "NNP", "NR", "NP", "VV", "VA", "MAG", "MM", "SL", "SH", "SN", "XR"]
)
#: What only asks.
_ASKING: Final = frozenset(
    [
        "무엇",
        "뭐",
        "누구",
        "언제",
        "어디",
        "얼마",
        "어느",
        "어떤",
        "어떻",
        "무슨",
        "몇",
        "왜",
        "이름",
    ]
)
_PARTICLES: Final = frozenset(["JKS", "JKO", "JKG", "JKC", "JKB", "JKQ", "JX", "JC"])
_WORD: Final = re.compile(r"\S+")
_EDGES: Final = re.compile(r"^[\W_]+|[\W_]+$")
#: The end of a sentence, also where the blank behind it is missing.
_END: Final = re.compile(
    r"(?<=[다요죠까음임]\.)(?=[^\s\"'”’)\]])|(?<=[.?!…])[\"'”’)\]」』》〉]*\s+|\n+"
)


class Word(NamedTuple):
    """A word between blanks: its text without signs around it, and its content, base forms."""

    text: str
    content: frozenset[str]


def words(text: str) -> list[Word]:
    """Return the words of a text; a word that only asks (무엇인가, 이름은) has no content."""
    found: list[Word] = []
    rest = morphemes(text)
    for match in _WORD.finditer(text):
        mine = [m for m in rest if match.start() <= m.start < match.end()]
        content = frozenset(form for form, tag in _parts(mine) if tag in _CONTENT) - _ASKING
        found.append(Word(trimmed(match.group()), content))
    return found


def trimmed(word: str) -> str:
    """Return a word without the signs around it."""
    return _EDGES.sub("", word)


def forms(text: str) -> frozenset[str]:
    """Return the base forms of all morphemes of a text."""
    return frozenset(form for form, _ in _parts(morphemes(text)))


def ends_in_particle(text: str) -> bool:
    """Tell whether a text of several morphemes ends in a particle."""
    found = morphemes(text)
    return len(found) > 1 and found[-1].tag in _PARTICLES


def nouns(text: str) -> list[str]:
    """Return the nouns of two letters or more, in order."""
    wanted = ("NNG", "NNP", "SL")
    return [form for form, tag in _parts(morphemes(text)) if tag in wanted and len(form) > 1]


def sentences(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of the sentences of a text; together they are all of it."""
    cuts = [0, *(found.end() for found in _END.finditer(text) if found.end()), len(text)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]


def longest_run(question: list[str], passage: list[str]) -> int:
    """Return how many words of a question stand in a row in a passage just so."""
    best = 0
    while best < len(question):
        size = best + 1
        held = {tuple(passage[i : i + size]) for i in range(len(passage) - best)}
        if not any(tuple(question[i : i + size]) in held for i in range(len(question) - best)):
            break
        best = size
    return best


def held(content: Iterable[str], text: str) -> set[str]:
    """Return the base forms that a text holds as letters in a row."""
    return {form for form in content if form in text}


def _parts(found: Iterable[Morpheme]) -> list[tuple[str, str]]:
    return [part for one in found for part in one.parts]
