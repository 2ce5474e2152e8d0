"""Intervals as small drawings: coordinates for an SVG, which needs neither styles nor scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.leaderboard.web.views import words

WIDTH: Final = 180
_MARGIN: Final = 6.0


@dataclass(frozen=True)
class Axis:
    """The scores at both ends of a drawing."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return where a score stands, in units of the drawing."""
        share = (value - self.low) / (self.high - self.low)
        return round(_MARGIN + share * (WIDTH - 2 * _MARGIN), 1)

    @property
    def ends(self) -> tuple[str, str]:
        """Return the scores at the ends in words."""
        return words.score(self.low), words.score(self.high)


@dataclass(frozen=True)
class Plot:
    """Where an interval begins and ends, and where its score stands."""

    left: float
    middle: float
    right: float


def axis_of(values: Sequence[float | None]) -> Axis | None:
    """Return an axis on which all these scores fit; None without a score."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    low, high = min(known), max(known)
    return Axis(low, high) if low < high else Axis(low - 1, high + 1)


def plot(axis: Axis, low: float | None, value: float | None, high: float | None) -> Plot | None:
    """Return the drawing of a score; without an interval it is a point; None without a score."""
    if value is None:
        return None
    left = value if low is None else low
    right = value if high is None else high
    return Plot(axis.place(left), axis.place(value), axis.place(right))
