"""Draws about one thing: keyed by the seed, what is drawn, and the name of the thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, TypeVar

from pipeline.core.ids import draw

T = TypeVar("T")
_NORMAL: Final = NormalDist()
_EDGE: Final = 1e-9


@dataclass(frozen=True)
class Chance:
    """The draws about one item, annotator, or answer; the order of drawing changes none."""

    seed: int
    name: str

    def at(self, purpose: str) -> float:
        """Return a number in [0, 1)."""
        return draw(self.seed, f"sim.{purpose}", self.name)

    def normal(self, purpose: str) -> float:
        """Return a number of the standard normal distribution, within 6 of 0."""
        return _NORMAL.inv_cdf(_EDGE + (1 - 2 * _EDGE) * self.at(purpose))

    def pick(self, purpose: str, among: Sequence[T]) -> T:
        """Return one of some things, each as likely."""
        return among[int(self.at(purpose) * len(among))]

    def weigh(self, purpose: str, among: Sequence[tuple[T, float]]) -> T:
        """Return one of some things, as likely as its weight."""
        left = self.at(purpose) * sum(weight for _, weight in among)
        for thing, weight in among:
            left -= weight
            if left < 0:
                return thing
        return among[-1][0]


def answering(seed: int, item: str, annotator: str) -> Chance:
    """Return the draws about one annotator's answer to one item."""
    return Chance(seed, f"{item}\x1f{annotator}")
