"""Dialogue state tracking (DST, Section 3.8): a dialogue with the state after each user turn.

A state is DOMAIN-SLOT-VALUE, split at the first two hyphens. Its order is the one given and has no
meaning: states are compared as sets. A slot for which the spec lists values takes no other, but for
`dontcare`; KLUE-DST keeps to it in all of its 700 published dev dialogues that were read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.contracts.spec import Round, Slot, TaskSpec
from pipeline.contracts.task import Fields, Task, Texts, f1, nfc, one_of, shown, verdict, wrong

Dialogue = dict[str, list[dict[str, Any]]]
_ROLES = ("user", "sys")
_ANY = "dontcare"
#: The keys of label and fields that give the answer away; the rest is input.
ANSWER_KEYS: Final = frozenset({"state", "domains", "goal"})


def parse(answer: Any, fields: Fields, spec: TaskSpec, round_: Round) -> Any:
    """Return a dialogue; the state of a system turn is the empty list."""
    if round_.answer == "verdict":
        return verdict(answer, fields, spec, round_, _dialogue)
    return _dialogue(answer, fields, spec, round_)


def _dialogue(answer: Any, _fields: Fields, spec: TaskSpec, _round: Round) -> Dialogue:
    if not isinstance(answer, dict) or set(answer) != {"turns"}:
        raise wrong("form", f"a dialogue is an object with turns, not {shown(answer)}")
    turns = answer["turns"]
    if not isinstance(turns, list) or not turns:
        raise wrong("form", "a dialogue needs a list of turns, at least one")
    slots = {slot.id: slot for slot in spec.slots if slot.informable}
    return {"turns": [_turn(turn, place, slots) for place, turn in enumerate(turns)]}


def _turn(turn: Any, place: int, slots: Mapping[str, Slot]) -> dict[str, Any]:
    where = f"turn {place + 1}"
    if not isinstance(turn, dict) or not {"role", "text"} <= set(turn) <= {"role", "text", "state"}:
        raise wrong("form", f"{where} is an object with role, text and state, not {shown(turn)}")
    role = _ROLES[place % 2]
    if turn["role"] != role:
        raise wrong("form", f"{where} is by {shown(turn['role'])}; user and sys take turns: {role}")
    text, state = turn["text"], turn.get("state", [])
    if not isinstance(text, str) or not text.strip():
        raise wrong("form", f"{where} has a blank text")
    if not isinstance(state, list):
        raise wrong("form", f"the state of {where} is a list, not {shown(state)}")
    if state and role == "sys":
        raise wrong("form", f"{where} is by sys and has a state; only user turns have one")
    return {"role": role, "text": text, "state": _state(state, where, slots)}


def _state(state: list[Any], where: str, slots: Mapping[str, Slot]) -> list[str]:
    values: dict[str, str] = {}
    for text in state:
        slot, value = _slot_value(text, where, slots)
        if slot in values:
            raise wrong("form", f"{where} gives the slot {slot!r} twice; give one value")
        values[slot] = value
    return [f"{slot}-{value}" for slot, value in values.items()]


def _slot_value(one: Any, where: str, slots: Mapping[str, Slot]) -> tuple[str, str]:
    parts = nfc(one).split("-", 2) if isinstance(one, str) else []
    if len(parts) < 3 or not parts[2].strip():
        raise wrong("form", f"{where}: a state is DOMAIN-SLOT-VALUE, not {shown(one)}")
    slot, value = one_of("-".join(parts[:2]), tuple(slots), f"slot of {where}"), parts[2].strip()
    if value == "none":
        raise wrong("label", f"{where}: none is no value of {slot!r}; leave the slot out")
    allowed = ("yes", "no") if slots[slot].boolean else slots[slot].values
    if allowed and value != _ANY:
        value = one_of(value, (*allowed, _ANY), f"value of {slot!r} in {where}")
    return slot, value


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
        joined=lambda label: "\n".join(turn["text"] for turn in label["turns"]),
        near_only=("goal",),
        long=True,
    ),
    takes="nothing",
)
