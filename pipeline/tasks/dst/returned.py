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
from pipeline.tasks.dst.task import split_state

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
def lexicon() -> Lexicon:
    """Return the words by which values are heard."""
    return load(DATA / "heard.yaml", Lexicon)


@dataclass(frozen=True)
class Dialogue:
    """The dialogue by turns: texts without blanks, and states as slots and values."""

    roles: Sequence[str]
    texts: Sequence[str]
    states: Sequence[Mapping[str, str]]

    def users(self, first: int, end: int) -> Iterator[int]:
        """Yield the user turns of a range."""
        turns = range(max(first, 0), min(end, len(self.roles)))
        return (turn for turn in turns if self.roles[turn] == "user")

    def says(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn can have said a value."""
        return can_be_heard(slot, value, self.texts[turn])

    def refers(self, turn: int, slot: str) -> bool:
        """Tell whether a turn can have meant what is known of another domain."""
        text = self.texts[turn]
        for seeming in lexicon().seems:
            text = text.replace(seeming, " ")
        others = (s for s in self.states[turn] if domain_of(s) != domain_of(slot))
        return any(others) and _any(lexicon().same, text)

    def takes(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn takes a place that was named before."""
        takes = word_of(slot) == NAME and _any(lexicon().takes, self.texts[turn])
        return takes and any(self.says(n, slot, value) for n in range(turn))

    def explains(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn, or the answer before it, says or means a value."""
        if any(self.says(n, slot, value) for n in (turn, turn - 1) if n >= 0):
            return True
        return self.refers(turn, slot) or self.takes(turn, slot, value)


def _state(state: Sequence[str]) -> dict[str, str]:
    """Return the values by slot; what is not DOMAIN-SLOT-VALUE is for the form of answers."""
    return {slot: value for slot, value in map(split_state, state) if value}


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
    dialogue = Dialogue(
        [turn["role"] for turn in turns],
        [without_blanks(turn["text"]) for turn in turns],
        [_state(turn.get("state") or ()) for turn in turns],
    )
    every = list(dialogue.users(0, len(turns)))
    results = [finding for turn in every for finding in _of_turn(dialogue, turn)]
    results += _off_goal(dialogue, max(every, default=0), expected or {})
    if candidates is not None:
        results += _not_offered(dialogue, candidates)
    return sorted(results)


def _of_turn(dialogue: Dialogue, turn: int) -> Iterator[Finding]:
    before = dialogue.states[turn - 2] if turn >= 2 else {}
    for slot, value in dialogue.states[turn].items():
        if before.get(slot) == value or value == ANY:
            continue
        if slot not in before:
            yield from _of_new_slot(dialogue, turn, slot, value)
        elif is_literal(slot) and not dialogue.explains(turn, slot, value):
            yield Finding(turn, CHANGED, slot, "has another value; nothing said it")


def _of_new_slot(dialogue: Dialogue, turn: int, slot: str, value: str) -> Iterator[Finding]:
    spoken = _spoken_before(dialogue, turn, slot, value)
    if spoken is not None:
        yield Finding(turn, DELAYED, slot, f"was said in turn {spoken}, and is in the state now")
    elif not dialogue.explains(turn, slot, value) and not any(
        dialogue.says(n, slot, value) for n in range(turn - 1)
    ):
        later = next(
            (n for n in dialogue.users(turn + 1, turn + 5) if dialogue.says(n, slot, value)), None
        )
        if later is not None:
            yield Finding(turn, EARLY, slot, f"is in the state, but first said in turn {later}")
        elif is_literal(slot) and word_of(slot) not in _DEDUCED:
            yield Finding(turn, UNHEARD, slot, "is in the state, but nobody said it")


def _spoken_before(dialogue: Dialogue, turn: int, slot: str, value: str) -> int | None:
    """Return the last user turn before that said a value, if nothing in this one explains it.

    Then no other slot had the value. What the system repeats explains nothing, unless it is a name.
    """
    if (
        dialogue.says(turn, slot, value)
        or dialogue.refers(turn, slot)
        or dialogue.takes(turn, slot, value)
    ):
        return None
    if word_of(slot) in (NAME, *_DEDUCED) and dialogue.explains(turn, slot, value):
        return None
    last = max((n for n in dialogue.users(0, turn) if dialogue.says(n, slot, value)), default=None)
    if last is None or any(s != slot and v == value for s, v in dialogue.states[last].items()):
        return None
    return last


def _off_goal(
    dialogue: Dialogue, last: int, expected: Mapping[str, Sequence[str]]
) -> Iterator[Finding]:
    final = dialogue.states[last] if dialogue.states else {}
    for slot, values in expected.items():
        if slot not in final:
            yield Finding(last, UNREACHED, slot, "is wanted by the goal, and never in the state")
        elif final[slot] not in values:
            yield Finding(last, UNREACHED, slot, "ends with a value that the goal does not allow")


def _not_offered(dialogue: Dialogue, candidates: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    known: Mapping[str, str] = {}
    for turn in dialogue.users(0, len(dialogue.roles)):
        for slot, value in dialogue.states[turn].items():
            if known.get(slot) != value and value not in candidates.get(slot, ()):
                yield Finding(turn, STRANGER, slot, "has a value that was not among those offered")
        known = dialogue.states[turn]


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
    return _any(cues, text)


def _any(cues: Iterable[str], text: str) -> bool:
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


def _check(
    answer: Any, fields: Mapping[str, Any], meta: Mapping[str, Any], _spec: object
) -> Iterator[returned.Finding]:
    goal, offers = returned.texts_of(meta, "expected"), returned.texts_of(fields, "candidates")
    for finding in findings(answer["turns"], expected=goal, candidates=offers or None):
        yield returned.Finding(
            finding.rule, f"turn {finding.turn}, {finding.slot}: {finding.detail}"
        )


CHECK: Final = _check
