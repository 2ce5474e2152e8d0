"""Sampling of dialogues: goals (Section 3.8.1)."""

from __future__ import annotations

from typing import Literal, Self

from pipeline.tasks.sampling.base import Quota, Sampling


class DialogueSampling(Sampling):
    """Goals wanted."""

    rule: Literal["goals"]
    goals: Quota

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return self.goals

    def scaled(self, total: int) -> Self:
        """Return the same section with `total` goals."""
        return self.model_copy(update={"goals": total})
