"""Checks of a dialogue that returns: marked too early, too late, without cause, or off its goal.

Section 3.8.1 names early and delayed mark-up as the errors of the pilot. A value counts as heard
when a user turn says it, or a system turn before that; features, prices, areas, types and
`dontcare` are said in too many ways to be told late or unheard, and only literal slots are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.contracts import returned
from pipeline.core.specs import Many, Spec, Text, load
from pipeline.tasks.dst.schema import (
    ANY,
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

EARLY: Final = "dst.early@1"
DELAYED: Final = "dst.delayed@1"
UNHEARD: Final = "dst.unheard@1"
CHANGED: Final = "dst.changed@1"
UNREACHED: Final = "dst.unreached@1"
STRANGER: Final = "dst.not_offered@1"

#: Slots whose values may follow from places named before.
_DEDUCED: Final = (FROM, TO)


class Finding(NamedTuple):
    """Something to look at: turn from 0, rule, slot, and what is wrong without any text."""

    turn: int
    rule: str
    slot: str
    detail: str


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
class Dialogue:
    """The dialogue by turns: texts without blanks, and states as slots and values."""

    roles: Sequence[str]
    texts: Sequence[str]
    states: Sequence[Mapping[str, str]]
    words: Lexicon

    def users(self, first: int, end: int) -> Iterator[int]:
        """Yield the user turns of a range."""
        turns = range(max(first, 0), min(end, len(self.roles)))
        return (turn for turn in turns if self.roles[turn] == "user")

    def says(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn can have said a value."""
        return heard(slot, value, self.texts[turn], self.words)

    def refers(self, turn: int, slot: str) -> bool:
        """Tell whether a turn can have meant what is known of another domain."""
        text = self.texts[turn]
        for seeming in self.words.seems:
            text = text.replace(seeming, " ")
        others = (s for s in self.states[turn] if domain_of(s) != domain_of(slot))
        return any(others) and _any(self.words.same, text)

    def takes(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn takes a place that was named before."""
        takes = word_of(slot) == NAME and _any(self.words.takes, self.texts[turn])
        return takes and any(self.says(n, slot, value) for n in range(turn))

    def explains(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn, or the answer before it, says or means a value."""
        if any(self.says(n, slot, value) for n in (turn, turn - 1) if n >= 0):
            return True
        return self.refers(turn, slot) or self.takes(turn, slot, value)


def _state(state: Sequence[str]) -> dict[str, str]:
    """Return the values by slot; what is not DOMAIN-SLOT-VALUE is for the form of answers."""
    parts = [one.split("-", 2) for one in state]
    return {"-".join(part[:2]): part[2] for part in parts if len(part) == 3}


def findings(
    turns: Sequence[Mapping[str, Any]],
    *,
    expected: Mapping[str, Sequence[str]] | None = None,
    candidates: Mapping[str, Sequence[str]] | None = None,
) -> list[Finding]:
    """Return what is to be looked at in the turns of an answer (role, text, state), by turn.

    `expected` is the final state of the goal, the values that each slot may have; `candidates` are
    the values that the writer was offered. Both may be absent: then only the turns are checked.
    """
    said = Dialogue(
        [turn["role"] for turn in turns],
        [squeezed(turn["text"]) for turn in turns],
        [_state(turn.get("state") or ()) for turn in turns],
        lexicon(),
    )
    every = list(said.users(0, len(turns)))
    results = [finding for turn in every for finding in _of_turn(said, turn)]
    results += _off_goal(said, max(every, default=0), expected or {})
    if candidates is not None:
        results += _not_offered(said, candidates)
    return sorted(results)


def _of_turn(said: Dialogue, turn: int) -> Iterator[Finding]:
    before = said.states[turn - 2] if turn >= 2 else {}
    for slot, value in said.states[turn].items():
        if before.get(slot) == value or value == ANY:
            continue
        if slot not in before:
            yield from _of_new_slot(said, turn, slot, value)
        elif is_literal(slot) and not said.explains(turn, slot, value):
            yield Finding(turn, CHANGED, slot, "has another value; nothing said it")


def _of_new_slot(said: Dialogue, turn: int, slot: str, value: str) -> Iterator[Finding]:
    spoken = _spoken_before(said, turn, slot, value)
    if spoken is not None:
        yield Finding(turn, DELAYED, slot, f"was said in turn {spoken}, and is in the state now")
    elif not said.explains(turn, slot, value) and not any(
        said.says(n, slot, value) for n in range(turn - 1)
    ):
        later = next((n for n in said.users(turn + 1, turn + 5) if said.says(n, slot, value)), None)
        if later is not None:
            yield Finding(turn, EARLY, slot, f"is in the state, but first said in turn {later}")
        elif is_literal(slot) and word_of(slot) not in _DEDUCED:
            yield Finding(turn, UNHEARD, slot, "is in the state, but nobody said it")


def _spoken_before(said: Dialogue, turn: int, slot: str, value: str) -> int | None:
    """Return the last user turn before that said a value, if nothing in this one explains it.

    Then no other slot had the value. What the system repeats explains nothing, unless it is a name.
    """
    if said.says(turn, slot, value) or said.refers(turn, slot) or said.takes(turn, slot, value):
        return None
    if word_of(slot) in (NAME, *_DEDUCED) and said.explains(turn, slot, value):
        return None
    spoken = [n for n in said.users(0, turn) if said.says(n, slot, value)]
    last = max(spoken, default=None)
    if last is None or any(s != slot and v == value for s, v in said.states[last].items()):
        return None
    return last


def _off_goal(
    said: Dialogue, last: int, expected: Mapping[str, Sequence[str]]
) -> Iterator[Finding]:
    final = said.states[last] if said.states else {}
    for slot, values in expected.items():
        if slot not in final:
            yield Finding(last, UNREACHED, slot, "is wanted by the goal, and never in the state")
        elif final[slot] not in values:
            yield Finding(last, UNREACHED, slot, "ends with a value that the goal does not allow")


def _not_offered(said: Dialogue, candidates: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    known: Mapping[str, str] = {}
    for turn in said.users(0, len(said.roles)):
        for slot, value in said.states[turn].items():
            if known.get(slot) != value and value not in candidates.get(slot, ()):
                yield Finding(turn, STRANGER, slot, "has a value that was not among those offered")
        known = said.states[turn]


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
_LITERAL: Final = frozenset((NAME, DAY, STAY, PEOPLE, FROM, TO))


def squeezed(text: str) -> str:
    """Return a text without blanks."""
    return "".join(text.split())


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
    return _is_spoken(word, value, text)


def _is_spoken(word: str, value: str, text: str) -> bool:
    if word == PEOPLE and _NUMBER.fullmatch(value):
        return _any(_people(int(value)), text)
    if word == STAY and _NUMBER.fullmatch(value):
        return _any(_stay(int(value)), text)
    if word.endswith("시간") and _TIME.fullmatch(value):
        return minutes_of(value) % _HALF in _times(text)
    # a name is said, or its long first word, or a station without 역
    full = squeezed(value.split("(", maxsplit=1)[0]) or squeezed(value)
    short = full.removesuffix("역") if full not in ("서울역", "역") else full
    first = value.split(maxsplit=1)[0]
    return full in text or short in text or (len(first) > _SHORT and first in text)


def _any(cues: Iterable[str], text: str) -> bool:
    return any(cue in text for cue in cues)


def _people(number: int) -> list[str]:
    forms = [f"{number}{unit}" for unit in ("명", "인", "분", "사람")]
    forms += [f"{word}{unit}" for word in _word(_COUNTED, number) for unit in ("명", "분", "사람")]
    forms += [f"{word}{unit}" for word in _word(_READ, number) for unit in ("명", "인")]
    return [*forms, *_word(_PEOPLE, number), *(["한명", "저만", "홀로"] if number == 1 else [])]


def _stay(number: int) -> list[str]:
    forms = [f"{number}일", f"{number}박", *_word(_DAYS, number)]
    forms += [f"{word}{unit}" for word in _word(_READ, number) for unit in ("박", "일")]
    return [*forms, *(["일주일", "1주일"] if number == 7 else [])]


def _word(words: Sequence[str], number: int) -> Sequence[str]:
    return words[number - 1 : number] if number else ()


def _times(text: str) -> set[int]:
    """Return the times of a text as minutes of half a day: 3시 may be 15:00."""
    times = set()
    for hours, *minutes, half in _CLOCK.findall(text):
        hour = _HOURS.get(hours) or int(hours)
        part = 30 if half else int("".join(minutes) or 0)
        times.add((hour * 60 + part) % _HALF)
    return times


def _check(
    answer: Any, fields: Mapping[str, Any], meta: Mapping[str, Any], _spec: object
) -> Iterator[returned.Finding]:
    goal, offers = returned.texts_of(meta, "expected"), returned.texts_of(fields, "candidates")
    for one in findings(answer["turns"], expected=goal, candidates=offers or None):
        yield returned.Finding(one.rule, f"turn {one.turn}, {one.slot}: {one.detail}")


CHECK: Final = _check
