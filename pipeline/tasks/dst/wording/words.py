"""What the sentences of one part of a goal are made with: templates, and which variant is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.tasks.dst.goals.goal import Want
from pipeline.tasks.dst.ground.chance import Chance
from pipeline.tasks.dst.ground.names import domain_of
from pipeline.tasks.dst.ground.schema import Schema
from pipeline.tasks.dst.wording.phrases import Either, Phrases


@dataclass(frozen=True)
class Words:
    """Templates for the part at `place` of a goal; `chance` is that of the whole goal."""

    phrases: Phrases
    schema: Schema
    chance: Chance
    place: int

    def pick(self, what: str, options: Sequence[str], turn: int | None = None) -> str:
        """Return a variant: the first drawn for the goal, and the next one at each turn.

        So a goal says the same thing in other words each time, as far as there are variants. A turn
        is a part, unless it is given.
        """
        ring = self.chance.turned(what, options)
        return ring[(self.place if turn is None else turn) % len(ring)]

    def called(self, slot: str) -> str:
        """Return what the place of another domain's slot is called."""
        return self.phrases.domains[domain_of(slot)].called

    def either(self, what: str, forms: Either, want: Want) -> str:
        """Return the template for a value, or for one that is as before."""
        return self.pick(what, forms.same if want.same_as else forms.value)


def listed(names: Sequence[str]) -> str:
    """Return names in a row: 주소, 평점과 요금."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])}(과/와) {names[-1]}"
