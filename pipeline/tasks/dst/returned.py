"""Checks of a dialogue that returns: marked too early, too late, without cause, or off its goal.

Section 3.8.1 names early and delayed mark-up as the errors of the pilot. A value counts as heard
when a user turn says it, or a system turn before that; features, prices, areas, types and
`dontcare` are said in too many ways to be told late or unheard, and only literal slots are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pipeline.tasks.dst.schema import ANY, FROM, NAME, TO, word_of
from pipeline.tasks.dst.value_matching import Said, is_literal, said_in

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
    said = said_in(turns)
    found = [finding for turn in said.users(0, len(turns)) for finding in _of_turn(said, turn)]
    found += _off_goal(said, expected or {})
    if candidates is not None:
        found += _strangers(said, candidates)
    return sorted(found)


def _of_turn(said: Said, turn: int) -> Iterator[Finding]:
    before = said.states[turn - 2] if turn >= 2 else {}
    for slot, value in said.states[turn].items():
        if before.get(slot) == value or value == ANY:
            continue
        if slot in before:
            if is_literal(slot) and not _explained(said, turn, slot, value):
                yield Finding(turn, CHANGED, slot, "has another value; nothing said it")
        else:
            yield from _new(said, turn, slot, value)


def _new(said: Said, turn: int, slot: str, value: str) -> Iterator[Finding]:
    spoken = _spoken_before(said, turn, slot, value)
    if spoken is not None:
        yield Finding(turn, DELAYED, slot, f"was said in turn {spoken}, and is in the state now")
    elif not _explained(said, turn, slot, value) and not any(
        said.says(n, slot, value) for n in range(turn - 1)
    ):
        later = next((n for n in said.users(turn + 1, turn + 5) if said.says(n, slot, value)), None)
        if later is not None:
            yield Finding(turn, EARLY, slot, f"is in the state, but first said in turn {later}")
        elif is_literal(slot) and word_of(slot) not in _DEDUCED:
            yield Finding(turn, UNHEARD, slot, "is in the state, but nobody said it")


def _spoken_before(said: Said, turn: int, slot: str, value: str) -> int | None:
    """Return the last user turn before that said a value, if nothing in this one explains it.

    Then no other slot had the value. What the system repeats explains nothing, unless it is a name.
    """
    if said.says(turn, slot, value) or said.refers(turn, slot) or said.takes(turn, slot, value):
        return None
    if word_of(slot) in (NAME, *_DEDUCED) and _explained(said, turn, slot, value):
        return None
    spoken = [n for n in said.users(0, turn) if said.says(n, slot, value)]
    return None if not spoken or _other_holds(said, spoken[-1], slot, value) else spoken[-1]


def _explained(said: Said, turn: int, slot: str, value: str) -> bool:
    """Tell whether this turn, or the answer before it, says or means a value."""
    near = [n for n in (turn, turn - 1) if n >= 0]
    if any(said.says(n, slot, value) for n in near):
        return True
    return said.refers(turn, slot) or said.takes(turn, slot, value)


def _other_holds(said: Said, turn: int, slot: str, value: str) -> bool:
    """Tell whether what was said in a turn is the value of another slot of that state."""
    return any(s != slot and v == value for s, v in said.states[turn].items())


def _off_goal(said: Said, expected: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    last = max(said.users(0, len(said.roles)), default=0)
    final = said.states[last] if said.states else {}
    for slot, values in expected.items():
        if slot not in final:
            yield Finding(last, UNREACHED, slot, "is wanted by the goal, and never in the state")
        elif final[slot] not in values:
            yield Finding(last, UNREACHED, slot, "ends with a value that the goal does not allow")


def _strangers(said: Said, candidates: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    known: Mapping[str, str] = {}
    for turn in said.users(0, len(said.roles)):
        for slot, value in said.states[turn].items():
            if known.get(slot) != value and value not in candidates.get(slot, ()):
                yield Finding(turn, STRANGER, slot, "has a value that was not among those offered")
        known = said.states[turn]
