"""Dialogue state tracking (DST): the state after each user turn (paper, Section 5.1.3).

One input a user turn: all turns up to it, each followed by the separator, the oldest tokens cut
where they are too many. Network: trade.py. Generated texts become values as values.py says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import Slot, TaskSpec
from pipeline.core.errors import InputError
from pipeline.core.wording import count, verb
from pipeline.tasks.dst.head.trade import GATES, PTR, Trade
from pipeline.tasks.dst.head.values import KnownValues, known_values, match_history
from pipeline.tasks.dst.schema import ANY, YES_NO
from pipeline.tasks.dst.task import slot_values, split_state
from pipeline.training.features import IGNORED, Features, Ints, Ragged, starts_of
from pipeline.training.head import Decoder, Head, Network
from pipeline.training.heads.texts import example_errors
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Tokens

#: The fewest tokens of a history that leave room for a turn.
_SHORTEST: Final = 16
_NONE: Final = GATES.index("none")
#: What stands for no value: a slot of it is left out of a state.
_NO_VALUE: Final = ("", GATES[_NONE])


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Tracking:
    """Return the head; the known values are those of the spec and of the train split."""
    return Tracking(spec, recipe, known_values(spec, train))


@dataclass(frozen=True)
class Tracking(Head):
    """State tracking of the informable slots of a spec, with their known values.

    Inputs have `target_gates`, one gate a slot (GATES), and `target_values`, `value_length` tokens
    for each slot whose gate is ptr, in the order of the slots; see trade.py.
    """

    spec: TaskSpec
    recipe: Recipe
    values: Mapping[str, Sequence[str]]

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the gates, the slots in their order, and the known values of each."""
        return {
            "gates": list(GATES),
            "slots": list(self.slots),
            "values": {slot: list(self.values[slot]) for slot in self.slots},
        }

    @cached_property
    def slots(self) -> dict[str, Slot]:
        """Return the slots that are tracked, by id, in the order of the spec."""
        return {slot.id: slot for slot in self.spec.slots if slot.informable}

    def check(self, examples: Sequence[Example], *, labels: bool) -> None:
        """Raise InputError for a recipe or example that cannot be used."""
        if self.recipe.max_length < _SHORTEST:
            raise InputError(
                f"max_length {self.recipe.max_length} of the recipe is too short for a dialogue;"
                f" give at least {_SHORTEST}"
            )
        for example in examples:
            for place, turn in enumerate(_checked_turns(example), start=1):
                if labels and turn["role"] == "user":
                    with example_errors(example):
                        slot_values(turn.get("state"), f"turn {place}", tuple(self.slots))

    def encode(self, examples: Sequence[Example], tokens: Tokens, *, labels: bool) -> Features:
        """Return one input a user turn; raises InputError for a tokenizer without separator."""
        owners, seen, histories, cut = _histories(examples, tokens, self.recipe.max_length)
        notes = []
        if cut:
            notes.append(
                f"{cut:,} of {count(len(histories), 'history', 'histories')}"
                f" {verb(cut, 'has', 'have')} more than {self.recipe.max_length}"
                " tokens: their oldest turns are cut"
            )
        columns: dict[str, npt.NDArray[Any] | Ragged] = {}
        if labels:
            gates, values, long = self._targets(examples, tokens)
            columns = {"target_gates": gates, "target_values": values}
            if long:
                notes += [
                    f"{count(long, 'value')} of more than {self.recipe.value_length} tokens: cut"
                ]
        return Features(owners, histories, columns=columns, beside={"turns": seen}, notes=(*notes,))

    def network(self, body: Any) -> Network:
        slots = {slot.id: slot.boolean for slot in self.slots.values()}
        return Trade(body, slots, steps=self.recipe.value_length)

    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:
        return _States(self, features, examples, tokens)

    def _targets(
        self, examples: Sequence[Example], tokens: Tokens
    ) -> tuple[npt.NDArray[np.int8], Ragged, int]:
        """Return gates [inputs, slots], value tokens, and how many values were cut."""
        places = {slot: place for place, slot in enumerate(self.slots)}
        rows = [
            turn["state"]
            for example in examples
            for turn in example.label["turns"]
            if turn["role"] == "user"
        ]
        gates = np.full((len(rows), len(places)), _NONE, dtype=np.int8)
        spelt = np.full(gates.shape, -1, dtype=np.int32)
        numbers: dict[str, int] = {}
        for row, state in enumerate(rows):
            for slot, value in map(split_state, state):
                if value == ANY or (value in YES_NO and self.slots[slot].boolean):
                    gates[row, places[slot]] = GATES.index(value)
                else:
                    gates[row, places[slot]] = PTR
                    spelt[row, places[slot]] = numbers.setdefault(value, len(numbers))
        table, long = _value_table(list(numbers), tokens, self.recipe.value_length)
        pairs = spelt[spelt >= 0]
        return gates, Ragged(table[pairs], starts_of((spelt >= 0).sum(1))), int(long[pairs].sum())


class _States:
    def __init__(
        self, topic: Tracking, features: Features, examples: Sequence[Example], tokens: Tokens
    ) -> None:
        self.slots = list(topic.slots)
        self.features, self.examples, self.tokens = features, examples, tokens
        self.known = KnownValues(topic.values, tokens, topic.recipe.value_length)
        self.end = _separator(tokens)
        self.states: list[list[str]] = [[] for _ in range(len(features))]

    def take(self, rows: npt.NDArray[np.int64], outputs: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take gates [rows, slots] and values [rows, slots, tokens]."""
        for row, gates, values in zip(
            rows.tolist(), outputs["gates"], outputs["values"], strict=True
        ):
            state = []
            for place in np.flatnonzero(gates != _NONE).tolist():
                slot, gate = self.slots[place], int(gates[place])
                value = self._value(row, slot, values[place]) if gate == PTR else GATES[gate]
                if value not in _NO_VALUE:
                    state.append(f"{slot}-{value}")
            self.states[row] = state

    def predictions(self) -> list[Prediction]:
        """Return the states of each example, one a user turn, in their order."""
        predictions = [Prediction(example.id, []) for example in self.examples]
        for owner, state in zip(self.features.owners.tolist(), self.states, strict=True):
            predictions[owner].label.append(state)
        return predictions

    def _value(self, row: int, slot: str, ids: npt.NDArray[Any]) -> str:
        """Return the value that generated tokens stand for; '' where there is none."""
        ends = np.flatnonzero(ids == self.end)
        text = self.tokens.text(ids[: ends[0]].tolist() if len(ends) else ids.tolist())
        known = self.known.find(slot, text)
        if known is not None:
            return known
        turns = self.examples[self.features.owners[row]].label["turns"]
        return match_history(
            text, [turn["text"] for turn in turns[: self.features.beside["turns"][row]]]
        )


def _histories(
    examples: Sequence[Example], tokens: Tokens, limit: int
) -> tuple[Ints, Ints, Ragged, int]:
    """Return each input's example, how many of its turns it has and its tokens; and how many cut.

    An input has the last tokens of the turns up to one of the user's.
    """
    texts: list[str] = []
    rows: list[tuple[int, int, int, int]] = []
    for owner, example in enumerate(examples):
        first = len(texts)
        for place, turn in enumerate(example.label["turns"], start=1):
            texts.append(turn["text"])
            if turn["role"] == "user":
                rows.append((owner, place, first, first + place))
    owners, turns, firsts, stops = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    closed = _append_separators(tokens.ids(texts), tokens)
    stream, starts = closed.values, closed.starts
    head = np.array(tokens.single.parts[0], dtype=np.int32)
    whole = starts[stops] - starts[firsts]
    lengths = np.minimum(whole, limit - len(head))
    ends = starts_of(lengths + len(head))
    values = np.empty(int(ends[-1]), dtype=np.int32)
    places = zip(ends.tolist(), starts[stops].tolist(), lengths.tolist(), strict=False)
    for begin, stop, length in places:
        values[begin : begin + len(head)] = head
        values[begin + len(head) : begin + len(head) + length] = stream[stop - length : stop]
    cut = int((whole > lengths).sum())
    return owners.astype(np.int32), turns.astype(np.int32), Ragged(values, ends), cut


def _value_table(
    values: Sequence[str], tokens: Tokens, length: int
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return the tokens of values with the end, cut and filled to a length, and which were cut."""
    ids = tokens.ids(values)
    padded = _append_separators(ids, tokens).pad(np.arange(len(values)), IGNORED)
    table = np.full((len(values), length), IGNORED, dtype=np.int32)
    wide = min(length, padded.shape[1])
    table[:, :wide] = padded[:, :wide]
    return table, ids.lengths > length


def _append_separators(ids: Ragged, tokens: Tokens) -> Ragged:
    """Return rows of tokens, each followed by the separator."""
    values = np.insert(ids.values, ids.starts[1:], _separator(tokens)).astype(np.int32)
    return Ragged(values, ids.starts + np.arange(len(ids.starts)))


def _separator(tokens: Tokens) -> int:
    """Return the id that stands between turns and ends a value: what ends a framed text."""
    last = tokens.single.parts[-1]
    if not last:
        raise InputError("the tokenizer puts no separator after a text; dialogues need one")
    return last[-1]


def _checked_turns(example: Example) -> Sequence[Mapping[str, Any]]:
    where = f"example {example.id}"
    turns = example.label.get("turns") if isinstance(example.label, Mapping) else None
    if not isinstance(turns, list) or not turns:
        raise InputError(f"{where}: it has no turns; a dialogue needs at least a user's")
    for place, turn in enumerate(turns, start=1):
        known = isinstance(turn, Mapping) and turn.get("role") in ("user", "sys")
        if not known or not isinstance(turn.get("text"), str):
            raise InputError(f"{where}: turn {place} needs a role, user or sys, and a text")
    if turns[0]["role"] != "user":
        raise InputError(f"{where}: its first turn is not the user's; dialogues begin with one")
    return turns
