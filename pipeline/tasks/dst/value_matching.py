"""Whether a text can have said a value of a slot: by its words, as a number, or as a time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from pipeline.core.specs import Many, Spec, Text, load
from pipeline.tasks.dst.schema import DATA, DAY, FROM, NAME, PEOPLE, STAY, TO, minutes_of, word_of


class Lexicon(Spec):
    """`data/dialogue/heard.yaml`."""

    values: dict[str, dict[str, Many[Text]]]
    topics: dict[str, Many[Text]]
    same: Many[Text]
    seems: Many[Text]
    days: Many[Text]
    takes: Many[Text]


@cache
def lexicon() -> Lexicon:
    """Return the words by which values are heard."""
    return load(DATA / "heard.yaml", Lexicon)


#: Numbers as they are said of people and of days, besides the figure.
_PEOPLE: Final = ("혼자", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_COUNTED: Final = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_DAYS: Final = ("하루", "이틀", "사흘", "나흘", "닷새", "엿새", "이레", "여드레", "아흐레", "열흘")
_READ: Final = ("일", "이", "삼", "사", "오", "육", "칠", "팔", "구", "십")
#: Numbers of people and of days: units behind figures, units behind numerals, and other words.
_FIGURES: Final = {PEOPLE: ("명", "인", "분", "사람"), STAY: ("일", "박")}
_NUMERALS: Final = {
    PEOPLE: ((_COUNTED, ("명", "분", "사람")), (_READ, ("명", "인")), (_PEOPLE, ("",))),
    STAY: ((_READ, ("박", "일")), (_DAYS, ("",))),
}
_OTHERWISE: Final = {(PEOPLE, 1): ("저만", "홀로"), (STAY, 7): ("일주일", "1주일")}
_HOURS: Final = {word: n for n, word in enumerate((*_COUNTED, "열한", "열두"), start=1)}
_HOUR: Final = rf"([0-9]{{1,2}}|{'|'.join(sorted(_HOURS, key=len, reverse=True))})"
_CLOCK: Final = re.compile(rf"{_HOUR}(?::([0-9][0-9])|시(?:([0-9]{{1,2}})분|(반))?)")
_TIME: Final = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_HALF: Final = 12 * 60
#: A first word of a name longer than this stands for all of it.
_SHORT: Final = 4
_LITERAL: Final = frozenset((NAME, DAY, STAY, PEOPLE, FROM, TO))


def without_blanks(text: str) -> str:
    """Return a text without blanks."""
    return "".join(text.split())


def is_literal(slot: str) -> bool:
    """Tell whether a slot's value is said more or less as it is written: no feature, no price."""
    word = word_of(slot)
    return word in _LITERAL or word.endswith("시간")


def can_be_heard(slot: str, value: str, text: str) -> bool:
    """Tell whether a text (without blanks) can have said that a slot has a value.

    Of features only the topic is looked for, not whether it is wanted. A blank value is never
    heard.
    """
    word, plain, words = word_of(slot), without_blanks(value), lexicon()
    if not plain:
        return False
    if word.endswith("시간") and _TIME.fullmatch(value):
        return minutes_of(value) % _HALF in _times(text)
    cues: Iterable[str]
    if word in words.topics:
        cues = words.topics[word]
    elif word in words.values:
        cues = (plain, *words.values[word].get(value, ()))
    elif word == DAY:
        cues = (plain[:2], f"{plain[0]}욜", *words.days)
    elif word in _FIGURES and _NUMBER.fullmatch(value):
        cues = _number_forms(word, int(value))
    else:  # a name is said, or its long first word, or a station without 역
        full = without_blanks(value.split("(", maxsplit=1)[0]) or plain
        short = full.removesuffix("역") if full not in ("서울역", "역") else full
        first = value.split(maxsplit=1)[0]
        cues = (full, short, first if len(first) > _SHORT else full)
    return is_any(cues, text)


def is_any(cues: Iterable[str], text: str) -> bool:
    """Tell whether a text holds one of some words."""
    return any(cue in text for cue in cues)


def _number_forms(word: str, number: int) -> list[str]:
    forms = [f"{number}{unit}" for unit in _FIGURES[word]]
    for numerals, units in _NUMERALS[word]:
        forms += [f"{numeral}{unit}" for numeral in numerals[number - 1 : number] for unit in units]
    return [*forms, *_OTHERWISE.get((word, number), ())]


def _times(text: str) -> set[int]:
    """Return the times of a text as minutes of half a day: 3시 may be 15:00."""
    times = set()
    for hours, *minutes, half in _CLOCK.findall(text):
        hour = _HOURS.get(hours) or int(hours)
        part = 30 if half else int("".join(minutes) or 0)
        times.add((hour * 60 + part) % _HALF)
    return times
