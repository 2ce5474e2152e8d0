"""Korean morphemes with their places in the text, by mecab-ko.

Importing this module is cheap; the dictionary is loaded on the first call, once per process.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, Final, NamedTuple

from pipeline.core.errors import MissingDependencyError

#: Distributions whose versions decide the analysis.
PACKAGES: Final = ("python-mecab-ko", "python-mecab-ko-dic")
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
    at which mecab would stop, as a blank.
    """
    clean = text.encode("utf-8", "replace").decode()
    with _LOCK:
        parsed = _tagger().parse(clean.replace("\0", " "))
    # python-mecab-ko counts from the first character that is no blank.
    shift = clean.find(parsed[0].surface) - parsed[0].span.start if parsed else 0
    return [_morpheme(m, shift) for m in parsed]


def _morpheme(token: Any, shift: int) -> Morpheme:
    feature = token.feature
    parts: tuple[tuple[str, str], ...] = ((token.surface, feature.pos),)
    if feature.expression and "+" in feature.pos:
        pieces = (p.split("/") for p in feature.expression.split("+"))
        parts = tuple((p[0], p[1]) for p in pieces if len(p) >= 2) or parts
    start, end = token.span.start + shift, token.span.end + shift
    return Morpheme(token.surface, feature.pos, start, end, parts, feature.semantic or "")


@cache
def _tagger() -> Any:
    try:
        from mecab import MeCab
    except ImportError:
        raise MissingDependencyError(
            "python-mecab-ko", "pip install -c constraints.txt python-mecab-ko"
        ) from None
    return MeCab()
