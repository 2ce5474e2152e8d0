"""How often slot-values and pairs of them were drawn (Section 3.8.1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from pipeline.tasks.dst.goals.goal import Goal, Pair, SlotValue
from pipeline.tasks.dst.ground.names import ANY
from pipeline.tasks.dst.ground.schema import Schema


@dataclass
class Monitor:
    """Counts over goals drawn so far; only closed slots are counted, and no `dontcare`."""

    schema: Schema
    goals: int = 0
    values: Counter[SlotValue] = field(default_factory=Counter)
    pairs: Counter[Pair] = field(default_factory=Counter)

    def add(self, goal: Goal) -> None:
        """Count a goal."""
        found = sorted(
            (want.slot, want.value)
            for want in goal.wants
            if want.value not in ("", ANY) and self.schema.values(want.slot)
        )
        self.goals += 1
        self.values.update(found)
        self.pairs.update(combinations(found, 2))
