"""A dialogue as the checks of it need it: turn by turn, what was said and what was marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.tasks.dst.ground.names import NAME, domain_of, word_of
from pipeline.tasks.dst.returned.heard import heard, refers_back, squeezed
from pipeline.tasks.dst.returned.lexicon import Lexicon, lexicon


@dataclass(frozen=True)
class Said:
    """The dialogue by turns: texts without blanks, and states as slots and values."""

    roles: Sequence[str]
    texts: Sequence[str]
    states: Sequence[Mapping[str, str]]
    words: Lexicon

    def users(self, first: int, end: int) -> Iterator[int]:
        """Yield the user turns of a range."""
        return (n for n in range(max(first, 0), min(end, len(self.roles))) if self.is_user(n))

    def is_user(self, turn: int) -> bool:
        return self.roles[turn] == "user"

    def says(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn can have said a value."""
        return heard(slot, value, self.texts[turn], self.words)

    def refers(self, turn: int, slot: str) -> bool:
        """Tell whether a turn can have meant what is known of another domain."""
        others = (s for s in self.states[turn] if domain_of(s) != domain_of(slot))
        return any(others) and refers_back(self.texts[turn], self.words)

    def takes(self, turn: int, slot: str, value: str) -> bool:
        """Tell whether a turn takes a place that was named before."""
        if word_of(slot) != NAME or not any(cue in self.texts[turn] for cue in self.words.takes):
            return False
        return any(self.says(n, slot, value) for n in range(turn))


def said_in(turns: Sequence[Mapping[str, Any]]) -> Said:
    """Return the turns of an answer (role, text, state) for checks."""
    return Said(
        [turn["role"] for turn in turns],
        [squeezed(turn["text"]) for turn in turns],
        [_state(turn.get("state") or ()) for turn in turns],
        lexicon(),
    )


def _state(state: Sequence[str]) -> dict[str, str]:
    """Return the values by slot; what is not DOMAIN-SLOT-VALUE is for the form of answers."""
    parts = [one.split("-", 2) for one in state]
    return {"-".join(part[:2]): part[2] for part in parts if len(part) == 3}
