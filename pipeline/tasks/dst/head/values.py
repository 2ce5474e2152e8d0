"""Values of slots found again from what a tokenizer leaves of them.

Tokens forget blanks, letter case and forms of Unicode: `10:30` comes back as `10 : 30`. A generated
text is therefore taken as the value, known for its slot, of which the same is left; else as the
part of the history that says the same; else as it is, with the blanks inside a time taken out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import nfc
from pipeline.tasks.dst.schema import ANY, YES_NO
from pipeline.tasks.dst.task import split_state
from pipeline.training.tokens import Tokens

_TIME: Final = re.compile(r"(?<=\d) ?: ?(?=\d)")


def known_values(spec: TaskSpec, train: Iterable[Example]) -> dict[str, tuple[str, ...]]:
    """Return the values of each informable slot that are generated, the most frequent first.

    They are those of the spec and of the states of the train split; values of one frequency stand
    in the order of their letters. What is a gate is left out.
    """
    counts = Counter(map(split_state, _states(train)))
    values: dict[str, tuple[str, ...]] = {}
    for slot in (slot for slot in spec.slots if slot.informable):
        # values that are gates and never generated; yes and no only where the spec says boolean
        gates = ("", ANY, *(YES_NO if slot.boolean else ()))
        known = {*map(nfc, slot.values), *(value for name, value in counts if name == slot.id)}
        ordered = sorted((-counts[slot.id, value], value) for value in known.difference(gates))
        values[slot.id] = tuple(value for _, value in ordered)
    return values


class KnownValues:
    """The known values of slots by what a tokenizer leaves of them; the first of equals counts."""

    def __init__(self, values: Mapping[str, Sequence[str]], tokens: Tokens, length: int) -> None:
        """Have the values tokenised and cut to so many tokens, as targets are."""
        every = list(dict.fromkeys(value for known in values.values() for value in known))
        ids = tokens.ids(every)
        left = {value: bare(tokens.text(ids[i][:length])) for i, value in enumerate(every)}
        self._values = {
            slot: {left[value]: value for value in reversed(known) if left[value]}
            for slot, known in values.items()
        }

    def find(self, slot: str, text: str) -> str | None:
        """Return the known value of a slot that a generated text stands for."""
        return self._values[slot].get(bare(text))


def bare(text: str) -> str:
    """Return a text without blanks, letter case and forms of Unicode."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def match_history(text: str, history: Sequence[str]) -> str:
    """Return what the latest turn that says the same as a generated text has, or the text."""
    sought = bare(text)
    for turn in map(nfc, reversed(history) if sought else ()):
        pieces = [bare(letter) for letter in turn]
        at = "".join(pieces).rfind(sought)
        if at >= 0:
            places = [place for place, piece in enumerate(pieces) for _ in piece]
            return turn[places[at] : places[at + len(sought) - 1] + 1]
    return _TIME.sub(":", text)


def _states(examples: Iterable[Example]) -> Iterator[str]:
    """Yield the states of all turns; what is none is left for the check of the examples to tell."""
    for example in examples:
        for turn in _list_field(example.label, "turns"):
            yield from (state for state in _list_field(turn, "state") if isinstance(state, str))


def _list_field(held: Any, name: str) -> list[Any]:
    items = held.get(name) if isinstance(held, Mapping) else None
    return items if isinstance(items, list) else []
