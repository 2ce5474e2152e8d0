"""What a returned dialogue says: values that are heard in utterances."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from pipeline.core.specs import Many, Spec, Text, load
from pipeline.tasks.dst.schema import (
    DATA,
    DAY,
    FROM,
    NAME,
    PEOPLE,
    STAY,
    TO,
    domain_of,
    minutes_of,
    word_of,
)


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


@dataclass(frozen=True)
class Said:
    """The dialogue by turns: texts without blanks, and states as slots and values."""

    roles: Sequence[str]
    texts: Sequence[str]
    states: Sequence[Mapping[str, str]]
    words: Lexicon

    def users(self, first: int, end: int) -> Iterator[int]:
        """Yield the user turns of a range."""
        return (n for n in range(max(first, 0), min(end, len(self.roles))) if self.is_user(n))

    def is_user(self, turn: int) -> bool:
        return self.roles[turn] == "user"

    def says(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn can have said a value."""
        return heard(slot, value, self.texts[turn], self.words)

    def refers(self, turn: int, slot: str) -> bool:
        """Tell whether a turn can have meant what is known of another domain."""
        others = (s for s in self.states[turn] if domain_of(s) != domain_of(slot))
        return any(others) and refers_back(self.texts[turn], self.words)

    def takes(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn takes a place that was named before."""
        if word_of(slot) != NAME or not any(cue in self.texts[turn] for cue in self.words.takes):
            return False
        return any(self.says(n, slot, value) for n in range(turn))


def said_in(turns: Sequence[Mapping[str, Any]]) -> Said:
    """Return the turns of an answer (role, text, state) for checks."""
    return Said(
        [turn["role"] for turn in turns],
        [squeezed(turn["text"]) for turn in turns],
        [_state(turn.get("state") or ()) for turn in turns],
        lexicon(),
    )


def _state(state: Sequence[str]) -> dict[str, str]:
    """Return the values by slot; what is not DOMAIN-SLOT-VALUE is for the form of answers."""
    parts = [one.split("-", 2) for one in state]
    return {"-".join(part[:2]): part[2] for part in parts if len(part) == 3}


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
