"""What the tagger sees of a piece: itself, two neighbours on each side, its place in its eojeol.

No list of names is used, but for the classes that the dictionary of mecab-ko gives to its own
(인명, 지명): these are worth 1.5 points of entity F1. Digits are all written 0 and Latin letters in
lower case; the shape keeps what they were.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pipeline.sampling.tagging.pieces import Piece

#: Raised when a feature changes, and with it the meaning of all weights.
VERSION: Final = 1
_BEFORE: Final = "^"
_AFTER: Final = "$"
_DIGIT: Final = re.compile(r"\d")
_REPEATED: Final = re.compile(r"(.)\1+", re.S)
_SIGNS: Final = frozenset(".,%()'\"<>[]~-:/·")
#: Two neighbours are written with what lies between them: nothing, or a blank.
_BLANK: Final = "_"


@dataclass(frozen=True)
class _Sentence:
    """The columns of a sentence, each with two marks before its first piece and two after."""

    words: list[str]
    tags: list[str]
    meanings: list[str]
    gaps: list[str]
    eojeols: list[tuple[int, int]]


def features(pieces: Sequence[Piece]) -> list[list[str]]:
    """Return the features of each piece, in order."""
    columns = _sentence(pieces)
    found = []
    for first, last in columns.eojeols:
        for i in range(first, last + 1):
            own = _shape(pieces[i - 2].form)
            found.append(_window(columns, i) + _place(columns, i, first, last) + own)
    return found


def _sentence(pieces: Sequence[Piece]) -> _Sentence:
    starts = [i for i, piece in enumerate(pieces) if not piece.joined]
    ends = [start - 1 for start in starts[1:]] + [len(pieces) - 1]
    return _Sentence(
        words=_framed([_word(piece.form) for piece in pieces]),
        tags=_framed([piece.tag for piece in pieces]),
        meanings=_framed([p.meaning if p.whole else f"{p.meaning}*" for p in pieces]),
        gaps=["", "", *("" if p.joined else _BLANK for p in pieces), "", ""],
        eojeols=[(a + 2, z + 2) for a, z in zip(starts, ends, strict=False)],
    )


def _framed(column: list[str]) -> list[str]:
    return [_BEFORE, _BEFORE, *column, _AFTER, _AFTER]


def _window(s: _Sentence, i: int) -> list[str]:
    """Return the features of a piece and of two pieces on each side."""
    w, t, g = s.words, s.tags, s.gaps
    word, tag = w[i], t[i]
    left_word, right_word = w[i - 1] + g[i], g[i + 1] + w[i + 1]
    left_tag, right_tag = t[i - 1] + g[i], g[i + 1] + t[i + 1]
    return [
        "bias",
        f"w={word}",
        f"t={tag}",
        f"wt={word}/{tag}",
        f"w-={left_word}",
        f"w+={right_word}",
        f"w--={w[i - 2]}",
        f"w++={w[i + 2]}",
        f"t-={left_tag}",
        f"t+={right_tag}",
        f"t--={t[i - 2]}",
        f"t++={t[i + 2]}",
        f"w-w={left_word}{word}",
        f"ww+={word}{right_word}",
        f"w-t={left_word}{tag}",
        f"tw+={tag}{right_word}",
        f"t-t={left_tag}{tag}",
        f"tt+={tag}{right_tag}",
        f"t-t+={left_tag}{tag}{right_tag}",
        f"t--t={t[i - 2]}{g[i - 1]}{left_tag}{tag}",
        f"tt++={tag}{right_tag}{g[i + 2]}{t[i + 2]}",
        f"$-={w[i - 1][-1:]}{g[i]}",
        f"^+={g[i + 1]}{w[i + 1][:1]}",
        f"$$-={w[i - 1][-2:]}",
        f"^^+={w[i + 1][:2]}",
        f"w--w-={w[i - 2]}{g[i - 1]}{left_word}",
        f"w+w++={right_word}{g[i + 2]}{w[i + 2]}",
        f"m={s.meanings[i]}",
        f"m-={s.meanings[i - 1]}",
        f"m+={s.meanings[i + 1]}",
    ]


def _place(s: _Sentence, i: int, first: int, last: int) -> list[str]:
    """Return where a piece stands in its eojeol, and what this begins and ends with."""
    return [
        f"e<={min(i - first, 3)}",
        f"e>={min(last - i, 3)}",
        f"e$={s.words[last]}{'*' if i == last else ''}",
        f"et$={s.tags[last]}",
        f"e^={s.words[first]}",
        f"et^={s.tags[first]}{'*' if i == first else ''}",
    ]


@lru_cache(maxsize=1 << 16)
def _word(form: str) -> str:
    """Return a form as a word: digits as 0, letters in lower case."""
    return _DIGIT.sub("0", form.lower())


@lru_cache(maxsize=1 << 16)
def _shape(form: str) -> list[str]:
    """Return the features of a form alone: kinds of characters, length, first and last ones."""
    word = _word(form)
    kinds = _REPEATED.sub(r"\1", "".join(map(_kind, form)))
    found = [f"k={kinds}", f"n={min(len(word), 5)}", f"^={word[:1]}", f"$={word[-1:]}"]
    if len(word) > 1:
        found += [f"^^={word[:2]}", f"$$={word[-2:]}"]
    return [*found, f"$$$={word[-3:]}"] if len(word) > 2 else found


def _kind(char: str) -> str:
    if char.isdigit():
        return "0"
    if "가" <= char <= "힣":
        return "H"
    if "ㄱ" <= char <= "ㆎ":
        return "J"
    if char.isascii() and char.isalpha():
        return "A" if char.isupper() else "a"
    if "一" <= char <= "鿿":
        return "C"
    return char if char in _SIGNS else "S"
