"""Whether a value of a slot can be heard in what was said: words, numbers and times of Korean.

Values come from people and may be any text: one that is no number, no time or no name is heard
where it stands in the text as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from pipeline.tasks.dst.ground.names import DAY, FROM, NAME, PEOPLE, STAY, TO, word_of
from pipeline.tasks.dst.ground.times import minutes_of
from pipeline.tasks.dst.returned.lexicon import Lexicon

#: Numbers as they are said of people and of days, besides the figure.
_PEOPLE: Final = ("혼자", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_COUNTED: Final = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_DAYS: Final = ("하루", "이틀", "사흘", "나흘", "닷새", "엿새", "이레", "여드레", "아흐레", "열흘")
_READ: Final = ("일", "이", "삼", "사", "오", "육", "칠", "팔", "구", "십")
_HOURS: Final = {word: n for n, word in enumerate((*_COUNTED, "열한", "열두"), start=1)}
_HOUR: Final = rf"([0-9]{{1,2}}|{'|'.join(sorted(_HOURS, key=len, reverse=True))})"
_CLOCK: Final = re.compile(rf"{_HOUR}(?::([0-9][0-9])|시(?:([0-9]{{1,2}})분|(반))?)")
_TIME: Final = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_HALF: Final = 12 * 60
#: A first word of a name longer than this stands for all of it.
_SHORT: Final = 4
_BLANK: Final = re.compile(r"\s+")
_LITERAL: Final = frozenset((NAME, DAY, STAY, PEOPLE, FROM, TO))


def squeezed(text: str) -> str:
    """Return a text without blanks."""
    return _BLANK.sub("", text)


def is_literal(slot: str) -> bool:
    """Tell whether a slot's value is said more or less as it is written: no feature, no price."""
    word = word_of(slot)
    return word in _LITERAL or word.endswith("시간")


def heard(slot: str, value: str, text: str, words: Lexicon) -> bool:
    """Tell whether a text (without blanks) can have said that a slot has a value.

    Of features only the topic is looked for, not whether it is wanted. A blank value is never
    heard.
    """
    word, plain = word_of(slot), squeezed(value)
    if not plain:
        return False
    if word in words.topics:
        return _any(words.topics[word], text)
    if word in words.values:
        return plain in text or _any(words.values[word].get(value, ()), text)
    if word == DAY:
        return plain[:2] in text or f"{plain[0]}욜" in text or _any(words.days, text)
    return _spoken(word, value, text)


def refers_back(text: str, words: Lexicon) -> bool:
    """Tell whether a text (without blanks) says that something is as before."""
    for seeming in words.seems:
        text = text.replace(seeming, " ")
    return _any(words.same, text)


def _spoken(word: str, value: str, text: str) -> bool:
    """Tell whether a number, a time or a name is said."""
    if word == PEOPLE and _NUMBER.fullmatch(value):
        return _any(_people(int(value)), text)
    if word == STAY and _NUMBER.fullmatch(value):
        return _any(_stay(int(value)), text)
    if word.endswith("시간") and _TIME.fullmatch(value):
        return minutes_of(value) % _HALF in _times(text)
    return _named(value, text)


def _any(cues: Iterable[str], text: str) -> bool:
    return any(cue in text for cue in cues)


def _named(value: str, text: str) -> bool:
    """Tell whether a name is said, or its long first word, or a station without 역."""
    full = squeezed(value.split("(", maxsplit=1)[0]) or squeezed(value)
    short = full.removesuffix("역") if full not in ("서울역", "역") else full
    first = value.split(maxsplit=1)[0]
    return full in text or short in text or (len(first) > _SHORT and first in text)


def _people(number: int) -> list[str]:
    """Return the ways to say how many people."""
    forms = [f"{number}{unit}" for unit in ("명", "인", "분", "사람")]
    forms += [f"{word}{unit}" for word in _word(_COUNTED, number) for unit in ("명", "분", "사람")]
    forms += [f"{word}{unit}" for word in _word(_READ, number) for unit in ("명", "인")]
    return [*forms, *_word(_PEOPLE, number), *(["한명", "저만", "홀로"] if number == 1 else [])]


def _stay(number: int) -> list[str]:
    """Return the ways to say how many days."""
    forms = [f"{number}일", f"{number}박", *_word(_DAYS, number)]
    forms += [f"{word}{unit}" for word in _word(_READ, number) for unit in ("박", "일")]
    return [*forms, *(["일주일", "1주일"] if number == 7 else [])]


def _word(words: Sequence[str], number: int) -> Sequence[str]:
    """Return the word of a number from 1 on, if there is one."""
    return words[number - 1 : number] if number else ()


def _times(text: str) -> set[int]:
    """Return the times of a text as minutes of half a day: 3시 may be 15:00."""
    found = set()
    for hours, *minutes, half in _CLOCK.findall(text):
        hour = _HOURS.get(hours) or int(hours)
        part = 30 if half else int("".join(minutes) or 0)
        found.add((hour * 60 + part) % _HALF)
    return found
