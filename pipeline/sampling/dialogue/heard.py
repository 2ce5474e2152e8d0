"""Whether a value of a slot can be heard in what was said: words, numbers and times of Korean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from pipeline.core.specs import Many, Spec, Text, load
from pipeline.sampling.dialogue.material import DATA
from pipeline.sampling.dialogue.schema import word_of
from pipeline.sampling.dialogue.times import minutes_of

#: Numbers as they are said of people and of days, besides the figure.
_PEOPLE: Final = ("혼자", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_COUNTED: Final = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_DAYS: Final = ("하루", "이틀", "사흘", "나흘", "닷새", "엿새", "이레", "여드레", "아흐레", "열흘")
_READ: Final = ("일", "이", "삼", "사", "오", "육", "칠", "팔", "구", "십")
_HOURS: Final = {word: n for n, word in enumerate((*_COUNTED, "열한", "열두"), start=1)}
_HOUR: Final = rf"(\d{{1,2}}|{'|'.join(sorted(_HOURS, key=len, reverse=True))})"
_CLOCK: Final = re.compile(rf"{_HOUR}(?::(\d\d)|시(?:(\d{{1,2}})분|(반))?)")
_HALF: Final = 12 * 60
#: A first word of a name longer than this stands for all of it.
_SHORT: Final = 4
_BLANK: Final = re.compile(r"\s+")


class Lexicon(Spec):
    """`data/dialogue/heard.yaml`."""

    values: dict[str, dict[str, Many[Text]]]
    topics: dict[str, Many[Text]]
    same: Many[Text]
    seems: Many[Text]
    days: Many[Text]
    takes: Many[Text]


@cache
def lexicon(folder: Path = DATA) -> Lexicon:
    """Return the words by which values are heard."""
    return load(folder / "heard.yaml", Lexicon)


def squeezed(text: str) -> str:
    """Return a text without blanks."""
    return _BLANK.sub("", text)


def is_literal(slot: str) -> bool:
    """Tell whether a slot's value is said more or less as it is written: no feature, no price."""
    word = word_of(slot)
    return word in _LITERAL or word.endswith("시간")


def heard(slot: str, value: str, text: str, words: Lexicon) -> bool:
    """Tell whether a text (without blanks) can have said that a slot has a value.

    Of features only the topic is looked for, not whether it is wanted.
    """
    word = word_of(slot)
    if word in words.topics:
        return _any(words.topics[word], text)
    if word in words.values:
        return squeezed(value) in text or _any(words.values[word].get(value, ()), text)
    if word == "예약 요일":
        return value[:2] in text or f"{value[0]}욜" in text or _any(words.days, text)
    return _spoken(word, value, text)


def _spoken(word: str, value: str, text: str) -> bool:
    """Tell whether a number, a time or a name is said."""
    if word == "예약 명수":
        return _people(int(value), text)
    if word == "예약 기간":
        return _stay(int(value), text)
    if word.endswith("시간"):
        return minutes_of(value) % _HALF in _times(text)
    return _named(value, text)


def refers_back(text: str, words: Lexicon) -> bool:
    """Tell whether a text (without blanks) says that something is as before."""
    for seeming in words.seems:
        text = text.replace(seeming, " ")
    return _any(words.same, text)


def _any(cues: Iterable[str], text: str) -> bool:
    return any(cue in text for cue in cues)


def _named(value: str, text: str) -> bool:
    """Tell whether a name is said, or its long first word, or a station without 역."""
    full = squeezed(value.split("(", maxsplit=1)[0])
    short = full.removesuffix("역") if full != "서울역" else full
    first = value.split(maxsplit=1)[0]
    return full in text or short in text or (len(first) > _SHORT and first in text)


def _people(number: int, text: str) -> bool:
    forms = [f"{number}{unit}" for unit in ("명", "인", "분", "사람")]
    forms += [f"{_COUNTED[number - 1]}{unit}" for unit in ("명", "분", "사람")]
    forms += [f"{_READ[number - 1]}{unit}" for unit in ("명", "인")]
    forms += [_PEOPLE[number - 1], *(["한명", "저만", "홀로"] if number == 1 else [])]
    return any(form in text for form in forms)


def _stay(number: int, text: str) -> bool:
    forms = [f"{number}일", f"{number}박", _DAYS[number - 1], f"{_READ[number - 1]}박"]
    forms += [f"{_READ[number - 1]}일", *(["일주일", "1주일"] if number == 7 else [])]
    return any(form in text for form in forms)


def _times(text: str) -> set[int]:
    """Return the times of a text as minutes of half a day: 3시 may be 15:00."""
    found = set()
    for hours, *minutes, half in _CLOCK.findall(text):
        hour = _HOURS.get(hours) or (int(hours) if hours.isdigit() else 0)
        part = 30 if half else int("".join(minutes) or 0)
        found.add((hour * 60 + part) % _HALF)
    return found


_LITERAL: Final = frozenset(("이름", "예약 요일", "예약 기간", "예약 명수", "출발지", "도착지"))
