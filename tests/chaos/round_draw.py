"""What a round does: its fault, engine, work to do and moment, drawn by (seed, round) alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pipeline.core.ids import draw

T = TypeVar("T")


@dataclass(frozen=True)
class Round:
    """A round by its seed and number, with the name of its fault.

    `from_nothing` says that no stage is done before it; else a stretch of `width` stages, which
    begins at the share `begin` of all, is to be done. The fault strikes when the share `moment` of
    what is to be done is committed, or while the release is written (`publishing`).
    """

    seed: int
    number: int
    fault: str
    engine: str
    from_nothing: bool
    begin: float
    width: int
    moment: float
    publishing: bool

    def draw(self, purpose: str) -> float:
        """Return a number in [0, 1) for what a fault has to choose."""
        return draw(self.seed, purpose, str(self.number))

    def choose(self, purpose: str, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[int(self.draw(purpose) * len(items))]


def draw_round(seed: int, number: int, faults: Sequence[tuple[str, Sequence[str]]]) -> Round:
    """Draw a round. `faults` are names of faults, each with the engines that it strikes on.

    As many rounds as there are faults have each fault once, in an order of their own.
    """
    block, place = divmod(number, len(faults))
    order = sorted(faults, key=lambda fault: draw(seed, f"order {block}", fault[0]))
    name, engines = order[place]

    def number_of(purpose: str) -> float:
        return draw(seed, purpose, str(number))

    return Round(
        seed=seed,
        number=number,
        fault=name,
        engine=engines[0] if number_of("engine") < 0.85 else engines[-1],
        from_nothing=number_of("from nothing") < 0.06,
        begin=number_of("begin"),
        width=3 + int(18 * number_of("width")),
        moment=number_of("moment"),
        publishing=number_of("publishing") < 0.2,
    )
