"""Checks of a dialogue that returns: marked too early, too late, without cause, or off its goal.

Section 3.8.1 names early and delayed mark-up as the errors of the pilot. A value counts as heard
when a user turn says it, or a system turn before that; features, prices, areas, types and
`dontcare` are said in too many ways to be told late or unheard, and only literal slots are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pipeline.contracts import returned
from pipeline.tasks.dst import requests
from pipeline.tasks.dst.schema import (
    ANY,
    FROM,
    NAME,
    TO,
    domain_of,
    word_of,
)
from pipeline.tasks.dst.task import split_state
from pipeline.tasks.dst.value_matching import (
    can_be_heard,
    is_any,
    is_literal,
    lexicon,
    without_blanks,
)

EARLY: Final = "dst.early@1"
DELAYED: Final = "dst.delayed@1"
UNHEARD: Final = "dst.unheard@1"
CHANGED: Final = "dst.changed@1"
UNREACHED: Final = "dst.unreached@1"
STRANGER: Final = "dst.not_offered@1"
UNANSWERED: Final = "dst.unanswered@1"
NO_REPLY: Final = "dst.no_reply@1"
BEFORE_BOOKING: Final = "dst.before_booking@1"

#: Slots whose values may follow from places named before.
_DEDUCED: Final = (FROM, TO)


class Finding(NamedTuple):
    """Something to look at: turn from 0, rule, slot, and what is wrong without any text."""

    turn: int
    rule: str
    slot: str
    detail: str


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
        return any(others) and is_any(lexicon().same, text)

    def takes(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn takes a place that was named before."""
        takes = word_of(slot) == NAME and is_any(lexicon().takes, self.texts[turn])
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
    results += _unanswered(dialogue)
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


def _unanswered(dialogue: Dialogue) -> Iterator[Finding]:
    roles, texts = dialogue.roles, dialogue.texts
    for turn, slot in requests.unanswered(roles, texts):
        yield Finding(turn, UNANSWERED, slot, "is asked for, and no system turn tells it")
    for turn in requests.early_booking_turns(roles, texts, dialogue.states):
        yield Finding(turn, BEFORE_BOOKING, "예약 번호", "is told before anything is booked")


def _not_offered(dialogue: Dialogue, candidates: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    known: Mapping[str, str] = {}
    for turn in dialogue.users(0, len(dialogue.roles)):
        for slot, value in dialogue.states[turn].items():
            if known.get(slot) != value and value not in candidates.get(slot, ()):
                yield Finding(turn, STRANGER, slot, "has a value that was not among those offered")
        known = dialogue.states[turn]


def _check(
    answer: Any, fields: Mapping[str, Any], meta: Mapping[str, Any], _spec: object
) -> Iterator[returned.Finding]:
    turns = answer["turns"]
    if turns[-1]["role"] == "user":
        yield returned.Finding(NO_REPLY, f"turn {len(turns) - 1} is the last one, and the user's")
    goal, offers = returned.texts_of(meta, "expected"), returned.texts_of(fields, "candidates")
    for finding in findings(turns, expected=goal, candidates=offers or None):
        where = ", ".join(filter(None, (f"turn {finding.turn}", finding.slot)))
        yield returned.Finding(finding.rule, f"{where}: {finding.detail}")


CHECK: Final = _check
