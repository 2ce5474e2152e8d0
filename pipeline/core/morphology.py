"""Korean morphemes with their places in the text, by mecab-ko.

Importing this module is cheap; the dictionary is loaded on the first call, once per process.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from pipeline.core.errors import FatalError, MissingDependencyError
from pipeline.core.extras import install_command

#: Distributions whose versions decide the analysis.
PACKAGES: Final = ("python-mecab-ko", "python-mecab-ko-dic")
#: A longer text is analysed in parts, cut at blanks where it has any.
MAX_STRETCH: Final = 10_000
#: Characters without a blank, none of them Hangul, Han or Kana, as in a row of dashes: mecab takes
#: each part of a run for a possible word, in time that grows with the square of its length.
MAX_RUN: Final = 5_000
_STRETCH: Final = re.compile(rf"(?s:.{{1,{MAX_STRETCH}}}(?=\s|$)|.{{1,{MAX_STRETCH}}})")
_RUN: Final = re.compile(r"[^\s\u1100-\u11ff\u3040-\u318f\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff]+")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_LOCK: Final = threading.Lock()  # the tagger is shared, and a worker may have threads


class Reading(NamedTuple):
    """What a surface form is read as: its tag (`VV+EC` where mecab merges).

    `parts` are the (form, tag) pairs of a merged form, or the one pair of a plain form.
    `meaning` is the dictionary's class of a name (인명 person, 지명 place ...), or empty.
    """

    form: str
    tag: str
    parts: tuple[tuple[str, str], ...]
    meaning: str = ""


class Morpheme(NamedTuple):
    """A surface form with its reading, and its place in code points."""

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
    found: list[Morpheme] = []
    for offset, part, read in _analysed(text):
        at = 0
        for form, tag, parts, meaning in read:
            start = part.index(form, at)  # only blanks stand between
            at = start + len(form)
            found.append(Morpheme(form, tag, start + offset, at + offset, parts, meaning))
    return found


def readings(text: str) -> list[Reading]:
    """Return the same as `morphemes`, without the places."""
    return [reading for _, _, read in _analysed(text) for reading in read]


def word_parts(text: str) -> list[tuple[str, str]]:
    """Return form and tag of all parts of the morphemes of a text, in order."""
    return [part for reading in readings(text) for part in reading.parts]


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


def _analysed(text: str) -> Iterator[tuple[int, str, list[Reading]]]:
    """Yield the parts that are analysed by themselves, as they are read, with their places."""
    for start, end in stretches(text):
        part = text[start:end]
        if is_run(part):
            yield start, part, [Reading(part, "SL", ((part, "SL"),))]
        else:
            clean = part.encode("utf-8", "replace").decode().replace("\0", " ")
            yield start, clean, [_reading(line) for line in _lines(clean)]


def _lines(text: str) -> list[str]:
    """Return the tokens of a text as mecab writes them: form, tab, features."""
    tagger = _tagger()
    with _LOCK:
        if not _CONTROL.search(text):
            written: str | None = tagger.parse(text)
            if written is not None:
                return written.split("\n")[:-2]
        else:  # such lines could not be told apart
            from mecab.utils import create_lattice

            lattice = create_lattice(text)
            if tagger.parse(lattice):
                return [f"{node.surface}\t{node.feature}" for _, node in lattice]
    raise FatalError(f"mecab cannot analyse a text ({tagger.what()}); leave it out")


@lru_cache(maxsize=1 << 16)
def _reading(line: str) -> Reading:
    """Return what a line of mecab says (cached).

    The features are tag, meaning, final consonant, reading, type, first tag, last tag and
    expression, by commas; `*` is none.
    """
    form, _, features = line.rpartition("\t")
    tag, meaning, *_, expression = features.split(",")
    parts: tuple[tuple[str, str], ...] = ((form, tag),)
    if expression != "*" and "+" in tag:
        pieces = (piece.split("/") for piece in expression.split("+"))
        parts = tuple((piece[0], piece[1]) for piece in pieces if len(piece) >= 2) or parts
    return Reading(form, tag, parts, "" if meaning == "*" else meaning)


@cache
def _tagger() -> Any:
    try:
        from mecab import MeCab
    except ImportError:
        raise MissingDependencyError("python-mecab-ko", install_command()) from None
    try:
        return MeCab()._tagger
    except ValueError:  # mecab does not say why
        raise FatalError(
            "the dictionary of mecab cannot be loaded: memory is short, or its files are damaged;"
            " give more memory, or run: pip install --force-reinstall python-mecab-ko-dic"
        ) from None
