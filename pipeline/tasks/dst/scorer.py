"""Scoring of dialogue state tracking: joint goal accuracy and slot F1.

A prediction is a state for each user turn, as lists of DOMAIN-SLOT-VALUE, or a whole dialogue as a
release has it. Values are free texts, also of slots for which the spec lists values.

A state is a set of texts DOMAIN-SLOT-VALUE without regard to order. A slot without a value ("none")
never stands in it; `dontcare` is a value like any other. Only user turns have states. All turns of
all dialogues count the same: a long dialogue weighs more than a short one.

The variants do not differ. The paper says that slot F1 "ignores when value of the ground truth is
None": such a slot is no pair of the gold state. It does not say that a pair predicted for such a
slot is ignored: precision is of "predicted slot-value pairs", and without those a model that fills
every slot would lose nothing. Nor does it leave out the turns whose gold state is empty. The
system turns among "the total number of dialogue turns" have no state to compare.

Source: Section 3.8.2; the computation of the public baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import f1, nfc, shown
from pipeline.core.errors import InputError, RecordError
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Ratio, Variant, check_aligned
from pipeline.scoring.scorer import Scorer

_COLUMNS: Final = ("states", "dialogue")
#: The state after each user turn.
States = Sequence[Collection[str]]


def _gold(example: Example) -> States:
    turns = _user_turns(example)
    if not turns or any(turn.get("state") is None for turn in turns):
        reason = "user turns without a state; those of a test file lie apart"
        raise RecordError("gold.label@1", reason)
    return [["-".join(_parts(one)) for one in turn["state"]] for turn in turns]


def _user_turns(example: Example) -> list[dict[str, Any]]:
    return [turn for turn in (example.label or {}).get("turns", ()) if turn["role"] == "user"]


def _parts(slot_value: str) -> list[str]:
    """Return domain, slot and value, in NFC and without blanks around the value."""
    *slot, value = nfc(slot_value).split("-", 2)
    return [*slot, value.strip()]


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    name = next((one for one in ("label", *_COLUMNS) if row.get(one) is not None), None)
    if name is None:
        reason = "none of `label`, `states` and `dialogue`"
        raise rows.wrong("form", f"{reason}; give a list of states, one a user turn")
    states, turns = _states(name, row[name]), len(_user_turns(example))
    if len(states) != turns:
        reason = f"states in `{name}`: {len(states)}, user turns: {turns}"
        raise rows.wrong("length", f"{reason}; give one state a user turn")
    slots = [slot.id for slot in spec.slots if slot.informable]
    numbered = enumerate(states, start=1)
    label = [_state(state, f"`{name}`, user turn {place}", slots) for place, state in numbered]
    return Prediction(example.id, label)


def _states(name: str, given: Any) -> list[Any]:
    turns = given.get("turns") if isinstance(given, dict) else given
    if not isinstance(turns, list):
        reason = f"`{name}` is {shown(given)}; give a list of states, one a user turn"
        raise rows.wrong("form", reason)
    if not turns or not isinstance(turns[0], dict):
        return turns
    if not all(isinstance(turn, dict) and turn.get("role") in ("user", "sys") for turn in turns):
        raise rows.wrong("form", f"`{name}`: every turn is an object with the role user or sys")
    return [turn.get("state") for turn in turns if turn["role"] == "user"]


def _state(state: Any, where: str, slots: Collection[str]) -> list[str]:
    if not isinstance(state, list):
        reason = f"{where}: the state is {shown(state)}; give a list, empty if none"
        raise rows.wrong("form", reason)
    values: dict[str, str] = {}
    for text in state:
        slot, value = _slot_value(text, where, slots)
        if slot in values:
            reason = f"{where}: the slot {slot!r} is there twice; give one value"
            raise rows.wrong("label", reason)
        values[slot] = value
    return [f"{slot}-{value}" for slot, value in values.items()]


def _slot_value(one: Any, where: str, slots: Collection[str]) -> tuple[str, str]:
    parts = _parts(one) if isinstance(one, str) else []
    if len(parts) < 3 or not parts[2]:
        raise rows.wrong("form", f"{where}: a slot-value is {shown(one)}; give DOMAIN-SLOT-VALUE")
    slot, value = "-".join(parts[:2]), parts[2]
    if slot not in slots:
        reason = f"{where}: the slot is {shown(slot)}; allowed: {', '.join(slots)}"
        raise rows.wrong("label", reason)
    if value == "none":
        reason = f"{where}: `none` is no value of {slot!r}; leave a slot without a value out"
        raise rows.wrong("label", reason)
    return slot, value


def _measures(
    golds: Sequence[States], predictions: Sequence[Prediction], _spec: TaskSpec, _variant: Variant
) -> dict[str, Measure | str]:
    given = [prediction.label for prediction in predictions]
    return {"jga": jga_measure(golds, given), "slot_f1": slot_f1_measure(golds, given)}


def _labels(example: Example) -> tuple[str, ...]:
    return tuple(sorted({one.partition("-")[0] for one in _user_turns(example)[-1]["state"]}))


def jga_measure(gold: Sequence[States], predicted: Sequence[States]) -> Measure:
    """Return the share of user turns whose whole state is right, 0 to 100, over dialogues.

    Raises InputError for dialogues of unequal numbers of turns; NaN without any turn.
    """
    return _by_turn(gold, predicted, lambda ours, theirs: float(ours == theirs))


def slot_f1_measure(gold: Sequence[States], predicted: Sequence[States]) -> Measure:
    """Return the mean over user turns of the F1 of slot-values, 0 to 100, over dialogues.

    Two empty states are equal (100). Raises and is NaN as `jga_measure`.
    """
    return _by_turn(gold, predicted, f1)


def _by_turn(
    gold: Sequence[States],
    predicted: Sequence[States],
    likeness: Callable[[set[str], set[str]], float],
) -> Ratio:
    check_aligned(gold, predicted)
    turns = [len(states) for states in gold]
    for place, states in enumerate(predicted):
        if len(states) != turns[place]:
            raise InputError(
                f"dialogue {place + 1}: {turns[place]} gold states, {len(states)} predicted; give"
                " one a user turn"
            )
    sums = [
        sum(likeness(set(one), set(other)) for one, other in zip(ours, theirs, strict=True))
        for ours, theirs in zip(gold, predicted, strict=True)
    ]
    return Ratio(sums, turns)


SCORER: Final = Scorer(
    task="dst",
    names=("jga", "slot_f1"),
    measures=_measures,
    length=lambda example: sum(len(turn["text"]) for turn in example.label["turns"]),
    gold=_gold,
    read=_read,
    labels=_labels,
    columns=_COLUMNS,
)
