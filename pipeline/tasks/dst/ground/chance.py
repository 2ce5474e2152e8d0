"""Keyed chance: each question about one thing has a draw of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pipeline.core.ids import draw

T = TypeVar("T")


@dataclass(frozen=True)
class Chance:
    """The chance of one thing; `name` tells it from others, and `what` its questions apart."""

    seed: int
    purpose: str
    name: str

    def happens(self, what: str, share: float) -> bool:
        """Tell whether something happens that does so in that share of cases."""
        return self._draw(what) < share

    def number(self, what: str, low: int, high: int) -> int:
        """Return a whole number between two, both included."""
        return low + int(self._draw(what) * (high - low + 1))

    def pick(self, what: str, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[int(self._draw(what) * len(options))]

    def weighted(self, what: str, weights: Mapping[Any, float]) -> Any:
        """Return a key, each as often as its weight says; the order of the keys matters."""
        place = self._draw(what) * sum(weights.values())
        for key, weight in weights.items():
            place -= weight
            if place < 0:
                return key
        return next(reversed(weights))

    def order(self, what: str, options: Mapping[T, float]) -> list[T]:
        """Return all keys in the order of a draw without replacement by their weights."""
        # Efraimidis and Spirakis (2006): the largest u ** (1 / weight) comes first.
        keyed = [
            (-(self._draw(f"{what}/{option}") ** (1 / weight)), place, option)
            for place, (option, weight) in enumerate(options.items())
        ]
        return [option for _, _, option in sorted(keyed, key=lambda entry: entry[:2])]

    def some(self, what: str, options: Sequence[T], size: int) -> list[T]:
        """Return so many of the options, in a drawn order."""
        places = self.order(what, dict.fromkeys(range(len(options)), 1.0))
        return [options[place] for place in places[:size]]

    def turned(self, what: str, options: Sequence[T]) -> list[T]:
        """Return all options, as a ring that begins at a drawn one: a cheap order, by one draw."""
        start = self.number(what, 0, max(len(options) - 1, 0))
        return [*options[start:], *options[:start]]

    def _draw(self, what: str) -> float:
        return draw(self.seed, f"dst.{self.purpose}", f"{self.name}/{what}")
