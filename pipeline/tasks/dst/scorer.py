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
from pipeline.contracts.task import f1, mask
from pipeline.core.errors import InputError, RecordError
from pipeline.core.wording import count
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Ratio, Variant, check_aligned
from pipeline.scoring.scorer import Scorer
from pipeline.tasks.dst.task import slot_values, split_state

_COLUMNS: Final = ("states", "dialogue")
#: The state after each user turn.
States = Sequence[Collection[str]]


def _gold(example: Example) -> States:
    turns = _user_turns(example)
    if not turns or any(turn.get("state") is None for turn in turns):
        raise RecordError(
            "gold.label@1", "user turns without a state; those of a test file lie apart"
        )
    return [["-".join(split_state(state)) for state in turn["state"]] for turn in turns]


def _user_turns(example: Example) -> list[dict[str, Any]]:
    return [turn for turn in (example.label or {}).get("turns", ()) if turn["role"] == "user"]


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    name = next((column for column in ("label", *_COLUMNS) if row.get(column) is not None), None)
    if name is None:
        raise rows.wrong(
            "form",
            "none of `label`, `states` and `dialogue`; give a list of states, one a user turn",
        )
    states, turns = _states(name, row[name]), len(_user_turns(example))
    if len(states) != turns:
        raise rows.wrong(
            "length",
            f"states in `{name}`: {len(states)}, user turns: {turns}; give one state a user turn",
        )
    slots = tuple(slot.id for slot in spec.slots if slot.informable)
    label = []
    with rows.answer_faults():
        for place, state in enumerate(states, start=1):
            values = slot_values(state, f"`{name}`, user turn {place}", slots)
            label.append([f"{slot}-{value}" for slot, value in values.items()])
    return Prediction(example.id, label)


def _states(name: str, states: Any) -> list[Any]:
    turns = states.get("turns") if isinstance(states, dict) else states
    if not isinstance(turns, list):
        raise rows.wrong(
            "form", f"`{name}` is {mask(states)}; give a list of states, one a user turn"
        )
    if not turns or not isinstance(turns[0], dict):
        return turns
    if not all(isinstance(turn, dict) and turn.get("role") in ("user", "sys") for turn in turns):
        raise rows.wrong("form", f"`{name}`: every turn is an object with the role user or sys")
    return [turn.get("state") for turn in turns if turn["role"] == "user"]


def _measures(
    golds: Sequence[States], predictions: Sequence[Prediction], _spec: TaskSpec, _variant: Variant
) -> dict[str, Measure | str]:
    predicted = [prediction.label for prediction in predictions]
    return {"jga": jga_measure(golds, predicted), "slot_f1": slot_f1_measure(golds, predicted)}


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
                f"dialogue {place + 1}: {count(turns[place], 'gold state')}, {len(states):,}"
                " predicted; give"
                " one a user turn"
            )
    sums = [
        sum(likeness(set(state), set(other)) for state, other in zip(ours, theirs, strict=True))
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
    labels=lambda example: tuple(
        sorted({state.partition("-")[0] for state in _user_turns(example)[-1]["state"]})
    ),
    columns=_COLUMNS,
    sample=lambda _spec: [["숙소-지역-서울 중앙"]],
)
