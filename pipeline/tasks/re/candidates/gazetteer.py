"""Names of a knowledge base in a sentence: the longest title, from the beginning of a word.

The titles stay in the knowledge base's B-tree on disk: a sentence asks for the stretches of it that
may be names, which are few, since a name ends with a word or before a particle.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pipeline.core.morphology import Morpheme
from pipeline.tasks.re.knowledge.base import Knowledge, Known
from pipeline.tasks.re.knowledge.values import LONGEST, SHORTEST

#: Words of the longest name.
WORDS: Final = 6
#: The first tag of what may follow a name within its word: particles, the copula, suffixes, nouns
#: that depend on another.
_AFTER: Final = ("J", "VCP", "XSN", "NNB")
#: Particles, for names that mecab cuts elsewhere, which is common in foreign ones.
_PARTICLE: Final = re.compile(
    r"들?(은|는|이|가|을|를|의|에|도|만|과|와|로|으로|께서|이?랑|이?나|이?며|이?란|이?라는|이?라고|이?다"
    r"|(에|에서|에게|으로|로|과|와|까지|부터|보다|처럼|로서|으로서)(는|도|의|만)?)"
)
#: What makes a stretch a name: a proper noun, or foreign letters.
_PROPER: Final = ("NNP", "SL", "SH")
#: What an occupation or a position may consist of.
_COMMON: Final = ("NNG", "NNP", "XPN", "XSN", "NNB", "NNBC", "SN", "NR", "MM", "XR", "JKG")
#: What a name that mecab takes apart into ordinary words must be, and its characters, to be one.
_SURE: Final = ("PER", "ORG", "LOC")
_SHORT: Final = 3

_RUN: Final = re.compile(r"[^\W_]+")


class Found(NamedTuple):
    """A name in a text: code points, end exclusive; its type, and whether it is an occupation.

    A name whose type the base does not tell is of type POH, other proper nouns.
    """

    start: int
    end: int
    type: str
    occupation: bool


def find(text: str, morphemes: Sequence[Morpheme], base: Knowledge) -> list[Found]:
    """Return the names in a text, from left to right, without overlap.

    At each place the longest is taken. A title that mecab reads as a common noun is no name,
    unless the knowledge base has it for an occupation; that one is of type POH. One word that mecab
    takes apart into common ones (차+은+목) is a name only if its type is told and it is not short.
    """
    spans = sorted(_spans(text, morphemes), key=lambda s: (s[0], -s[1]))
    known = base.known(text[start:end] for start, end in spans)
    found: list[Found] = []
    for start, end in spans:
        about = known.get(text[start:end])
        if about is not None and (not found or start >= found[-1].end):
            one = _named(about, text[start:end], _inside(morphemes, start, end), start)
            found += [one] if one else []
    return found


def _spans(text: str, morphemes: Sequence[Morpheme]) -> Iterator[tuple[int, int]]:
    """Yield start and end of every stretch that may be a name, in code points."""
    runs = [match.span() for match in _RUN.finditer(text)]
    cut = {one.start for one in morphemes if one.tag.startswith(_AFTER)}
    ends = [_ends(text, run, cut) for run in runs]
    for place, (start, _) in enumerate(runs):
        for other in range(place, len(runs)):
            if runs[other][0] - start > LONGEST or text.count(" ", start, runs[other][0]) >= WORDS:
                break
            yield from ((start, end) for end in ends[other] if SHORTEST <= end - start <= LONGEST)


def _ends(text: str, run: tuple[int, int], cut: set[int]) -> list[int]:
    """Return where a name may end in a run of letters and digits: with it, or before a particle."""
    first, last = run
    inside = [e for e in range(first + 1, last) if e in cut or _PARTICLE.fullmatch(text, e, last)]
    return [*inside, last, *([last + 1] if text[last : last + 1] in (")", "!", "?") else [])]


def _inside(morphemes: Sequence[Morpheme], start: int, end: int) -> list[Morpheme]:
    """Return the morphemes that share a character with a stretch."""
    first = bisect_left(morphemes, start + 1, key=lambda one: one.end)
    return list(morphemes[first : bisect_left(morphemes, end, key=lambda one: one.start)])


def _named(about: Known, name: str, morphemes: Sequence[Morpheme], start: int) -> Found | None:
    """Return a stretch that the base knows as a name, or None when it is an ordinary word."""
    end = start + len(name)
    tags = [part for one in morphemes for part in one.tag.split("+")]
    proper = any(tag in _PROPER for tag in tags)
    common = not proper and all(tag in _COMMON for tag in tags)
    if about.title and (common or (proper and about.type == "POH")):
        return Found(start, end, "POH", True)
    sure = about.type in _SURE and len(morphemes) > 1 and len(name) >= _SHORT
    if not (proper or " " in name or sure):
        return None
    return Found(start, end, about.type or "POH", False)
