"""Korean morphemes with their places in the text, by mecab-ko.

Importing this module is cheap; the dictionary is loaded on the first call, once per process.
"""

from __future__ import annotations

import re
import threading
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from pipeline.core.errors import FatalError, MissingDependencyError

#: Distributions whose versions decide the analysis.
PACKAGES: Final = ("python-mecab-ko", "python-mecab-ko-dic")
#: A longer text is analysed in parts, cut at blanks where it has any.
MAX_STRETCH: Final = 10_000
#: Characters without a blank, none of them Hangul, Han or Kana, as in a row of dashes: mecab takes
#: each part of a run for a possible word, in time that grows with the square of its length.
MAX_RUN: Final = 5_000
_STRETCH: Final = re.compile(rf"(?s:.{{1,{MAX_STRETCH}}}(?=\s|$)|.{{1,{MAX_STRETCH}}})")
_RUN: Final = re.compile(r"[^\s\u1100-\u11ff\u3040-\u318f\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff]+")
_LOCK: Final = threading.Lock()  # the tagger is shared, and a worker may have threads


class Morpheme(NamedTuple):
    """A surface form: its tag (`VV+EC` where mecab merges), and its place in code points.

    `parts` are the (form, tag) pairs of a merged form, or the one pair of a plain form.
    `meaning` is the dictionary's class of a name (인명 person, 지명 place ...), or empty.
    """

    form: str
    tag: str
    start: int
    end: int
    parts: tuple[tuple[str, str], ...]
    meaning: str = ""


def morphemes(text: str) -> list[Morpheme]:
    """Return the morphemes of a text, in order.

    Raises MissingDependencyError when mecab is not installed. Lone surrogates are read as `?`, NUL,
    at which mecab would stop, as a blank. A run of more than MAX_RUN characters is foreign words.
    """
    return [m for start, end in stretches(text) for m in _analyse(text[start:end], start)]


def stretches(text: str) -> list[tuple[int, int]]:
    """Return the parts of a text that are analysed by themselves: all of it, unless it is long."""
    if len(text) <= MAX_RUN:
        return [(0, len(text))]
    cuts = {0, *(part.end() for part in _STRETCH.finditer(text))}.union(*long_runs(text))
    return list(pairwise(sorted(cuts)))


def long_runs(text: str) -> list[tuple[int, int]]:
    """Return where the runs of more than MAX_RUN characters stand."""
    if len(text) <= MAX_RUN:
        return []
    return [run.span() for run in _RUN.finditer(text) if len(run[0]) > MAX_RUN]


def is_run(part: str) -> bool:
    """Return whether a part of a text is one run that is too long to be analysed."""
    return len(part) > MAX_RUN and _RUN.fullmatch(part) is not None


def _analyse(text: str, offset: int) -> list[Morpheme]:
    if is_run(text):
        return [Morpheme(text, "SL", offset, offset + len(text), ((text, "SL"),))]
    clean = text.encode("utf-8", "replace").decode()
    with _LOCK:
        # MeCab.parse makes five objects of every token, which takes four times as long as mecab.
        lattice = _lattice(clean.replace("\0", " "))
        tokens = [(start, end, node.surface, node.feature) for (start, end), node in lattice]
    # python-mecab-ko counts from the first character that is no blank.
    shift = offset + (clean.find(tokens[0][2]) - tokens[0][0] if tokens else 0)
    return [
        Morpheme(form, tag, start + shift, end + shift, parts, meaning)
        for start, end, form, feature in tokens
        for tag, parts, meaning in (_reading(form, feature),)
    ]


@lru_cache(maxsize=1 << 16)
def _reading(form: str, feature: str) -> tuple[str, tuple[tuple[str, str], ...], str]:
    """Return tag, parts and meaning of a form from its line of the dictionary (cached).

    A line has tag, meaning, final consonant, reading, type, first tag, last tag and expression, by
    commas; `*` is none.
    """
    tag, meaning, *_, expression = feature.split(",")
    parts: tuple[tuple[str, str], ...] = ((form, tag),)
    if expression != "*" and "+" in tag:
        pieces = (piece.split("/") for piece in expression.split("+"))
        parts = tuple((piece[0], piece[1]) for piece in pieces if len(piece) >= 2) or parts
    return tag, parts, "" if meaning == "*" else meaning


def _lattice(text: str) -> Any:
    """Return what yields the span and the node of every token of a text."""
    tagger = _tagger()
    from mecab.utils import create_lattice

    lattice = create_lattice(text)
    if not tagger.parse(lattice):
        raise FatalError(f"mecab cannot analyse a text ({tagger.what()}); leave it out")
    return lattice


@cache
def _tagger() -> Any:
    try:
        from mecab import MeCab
    except ImportError:
        raise MissingDependencyError(
            "python-mecab-ko", "pip install -c constraints.txt python-mecab-ko"
        ) from None
    try:
        return MeCab()._tagger
    except ValueError:  # mecab does not say why
        raise FatalError(
            "the dictionary of mecab cannot be loaded: memory is short, or its files are damaged;"
            " give more memory, or run: pip install --force-reinstall python-mecab-ko-dic"
        ) from None
