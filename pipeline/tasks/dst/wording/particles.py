"""The particles of Korean that depend on the end of the word before them."""

from __future__ import annotations

import re
from typing import Final

#: As templates write them: the form after a final consonant, the form after a vowel.
_MARK: Final = re.compile(r"(\S)(\W*)\((을/를|이/가|은/는|과/와|으로/로)\)")
_FIRST: Final = 0xAC00
_LAST: Final = 0xD7A3
_FINALS: Final = 28
_RIEUL: Final = 8
#: Figures and letters that are read with a final consonant: 영 일 삼 육 칠 팔, 엘 엠 엔 알.
_CLOSED: Final = frozenset("013678LMNRlmnr")
#: Of these, those that end in ㄹ, after which it is 로.
_RIEUL_READ: Final = frozenset("178LRlr")


def resolve(text: str) -> str:
    """Return a text in which each mark such as `(을/를)` is the particle that fits."""
    return _MARK.sub(_fitting, text)


def _fitting(found: re.Match[str]) -> str:
    letter, between, forms = found.groups()
    closed, opened = forms.split("/")
    as_closed = _is_closed(letter) and not (closed == "으로" and _ends_in_rieul(letter))
    return f"{letter}{between}{closed if as_closed else opened}"


def _is_closed(letter: str) -> bool:
    if _FIRST <= ord(letter) <= _LAST:
        return (ord(letter) - _FIRST) % _FINALS != 0
    return letter in _CLOSED


def _ends_in_rieul(letter: str) -> bool:
    if _FIRST <= ord(letter) <= _LAST:
        return (ord(letter) - _FIRST) % _FINALS == _RIEUL
    return letter in _RIEUL_READ
