"""Dialogue state tracking (DST, Section 3.8): a dialogue with the state after each user turn.

A state is DOMAIN-SLOT-VALUE, split at the first two hyphens. Its order is the one given and has no
meaning: states are compared as sets. A slot for which the spec lists values takes no other, but for
`dontcare`; KLUE-DST keeps to it in all of its 700 published dev dialogues that were read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.contracts.spec import Round, Slot, TaskSpec
from pipeline.contracts.task import (
    Fields,
    Task,
    Texts,
    f1,
    mask,
    nfc,
    one_of,
    with_verdicts,
    wrong,
)
from pipeline.tasks.dst.schema import ANY, YES_NO

Dialogue = dict[str, list[dict[str, Any]]]
_ROLES = ("user", "sys")
#: The keys of label and fields that give the answer away; the rest is input.
ANSWER_KEYS: Final = frozenset({"state", "domains", "goal"})


@with_verdicts
def parse(answer: Any, _fields: Fields, spec: TaskSpec, _round: Round) -> Dialogue:
    """Return a dialogue; the state of a system turn is the empty list."""
    if not isinstance(answer, dict) or set(answer) != {"turns"}:
        raise wrong("form", f"a dialogue is an object with turns, not {mask(answer)}")
    turns = answer["turns"]
    if not isinstance(turns, list) or not turns:
        raise wrong("form", "a dialogue needs a list of turns, at least one")
    slots = {slot.id: slot for slot in spec.slots if slot.informable}
    return {"turns": [_turn(turn, place, slots) for place, turn in enumerate(turns)]}


def _turn(turn: Any, place: int, slots: Mapping[str, Slot]) -> dict[str, Any]:
    where = f"turn {place + 1}"
    if not isinstance(turn, dict) or not {"role", "text"} <= set(turn) <= {"role", "text", "state"}:
        raise wrong("form", f"{where} is an object with role, text and state, not {mask(turn)}")
    role = _ROLES[place % 2]
    if turn["role"] != role:
        raise wrong("turns", f"{where} is by {mask(turn['role'])}; user and sys take turns: {role}")
    text, state = turn["text"], turn.get("state", [])
    if not isinstance(text, str) or not text.strip():
        raise wrong("form", f"{where} has a blank text")
    if state and role == "sys":
        raise wrong("form", f"{where} is by sys and has a state; only user turns have one")
    return {"role": role, "text": text, "state": _state(state, where, slots)}


def _state(state: list[Any], where: str, slots: Mapping[str, Slot]) -> list[str]:
    values = slot_values(state, where, tuple(slots))
    for slot, value in values.items():
        allowed = YES_NO if slots[slot].boolean else slots[slot].values
        if allowed and value != ANY:
            values[slot] = one_of(value, (*allowed, ANY), f"value of {slot!r} in {where}")
    return [f"{slot}-{value}" for slot, value in values.items()]


def slot_values(state: Any, where: str, slots: tuple[str, ...]) -> dict[str, str]:
    """Return the values of a state by slot, in the order given, whatever values a slot may have.

    Raises RecordError for other slots than these, for one that is there twice, and for no value.
    """
    if not isinstance(state, list):
        raise wrong("form", f"{where}: the state is {mask(state)}; give a list, empty if none")
    values: dict[str, str] = {}
    for text in state:
        slot, value = split_state(text) if isinstance(text, str) else ("", "")
        if not value:
            raise wrong("form", f"{where}: a slot-value is {mask(text)}; give DOMAIN-SLOT-VALUE")
        if slot not in slots:
            allowed = ", ".join(slots)
            raise wrong("label", f"{where}: the slot is {mask(slot)}; allowed: {allowed}")
        if value == "none":
            raise wrong("label", f"{where}: `none` is no value of {slot!r}; leave it out")
        if slot in values:
            raise wrong("form", f"{where}: the slot {slot!r} is there twice; give one value")
        values[slot] = value
    return values


def split_state(state: str) -> tuple[str, str]:
    """Return slot and value of DOMAIN-SLOT-VALUE, in NFC; the value is '' where there is none."""
    domain, slot, value = [*nfc(state).split("-", 2), "", ""][:3]
    return f"{domain}-{slot}", value.strip()


def _turn_texts(answer: Dialogue) -> list[str]:
    return [turn["text"] for turn in answer["turns"]]


def _view(answer: Dialogue) -> list[frozenset[str]]:
    return [frozenset(turn["state"]) for turn in answer["turns"] if turn["role"] == "user"]


def _compare(left: Dialogue, right: Dialogue) -> dict[str, float]:
    ours, theirs = _view(left), _view(right)
    turns = max(len(ours), len(theirs))
    pairs = list(zip(ours, theirs, strict=False))  # a turn that only one has counts 0
    return {
        "joint": sum(a == b for a, b in pairs) / turns,
        "slot_f1": sum(f1(set(a), set(b)) for a, b in pairs) / turns,
    }


TASK = Task(
    id="dst",
    config="wos",
    kind="states",
    fields=("goal",),
    titles={"goal": "목표"},
    shapes={"goal": "lines"},
    parse=parse,
    view=_view,
    compare=_compare,
    free=True,
    texts=Texts(
        fields=(),
        joined=lambda label: "\n".join(_turn_texts(label)),
        written=_turn_texts,
        near_only=("goal",),
        long=True,
    ),
    takes="nothing",
)
