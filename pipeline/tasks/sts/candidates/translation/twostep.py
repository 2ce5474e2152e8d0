"""A round trip made of two translations, each of them kept in a journal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline.tasks.sts.candidates.translation.journal import Journal
from pipeline.tasks.sts.candidates.translation.protocol import KOREAN, Problem, RoundTrip

#: Translates a text from one language to another.
Step = Callable[[str, str, str], str]


@dataclass(frozen=True)
class TwoStep:
    """A translator that asks `step` for the pivot and then for the way back.

    What stands in the journal is not asked again: a run that stopped between the two steps goes on
    with the second.
    """

    name: str
    pivot: str
    step: Step
    journal: Journal
    problems: tuple[Problem, ...] = field(default=())

    def offers(self, text: str) -> bool:
        """Tell whether there is anything to translate."""
        return bool(text.strip())

    def round_trip(self, text: str) -> RoundTrip:
        """Translate a text; an empty pivot ends the trip with an empty way back."""
        pivot = self._once(text, KOREAN, self.pivot)
        if not pivot.strip():
            return RoundTrip(pivot, "")
        return RoundTrip(pivot, self._once(pivot, self.pivot, KOREAN))

    def _once(self, text: str, source: str, target: str) -> str:
        answer = self.journal.get(text, source, target)
        if answer is None:
            answer = self.step(text, source, target)
            self.journal.put(text, source, target, answer)
        return answer
