"""The bars of charts: of whole numbers, and of dates by month, year or decade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core.wording import verb
from pipeline.report.quality.statistics import TOTAL, Tally, iter_rows
from pipeline.report.record import Chart, Series

Ints = npt.NDArray[np.int64]
#: No chart has more bars than this.
BARS: Final = 40
#: Numbers above this share of all go into the last bar, where one of them would stretch the axis.
_MOST: Final = 0.99


@dataclass(frozen=True)
class Bins:
    """`bars` bars of `width` whole numbers each, the first from `low` on; the last one is open."""

    low: int
    width: int
    bars: int

    @property
    def places(self) -> list[float]:
        """Return the middles of the bars."""
        return [self.low + (i + 0.5) * self.width - 0.5 for i in range(self.bars)]

    @property
    def open_from(self) -> int:
        """Return where the last bar begins."""
        return self.low + (self.bars - 1) * self.width

    def shares(self, numbers: Ints) -> list[float | None]:
        """Return the share of the numbers in each bar, to 1e-6; None where there is no number."""
        if not len(numbers):
            return [None] * self.bars
        counts = bin_counts(numbers, self.low, self.width, self.bars)
        return [round(n / len(numbers), 6) for n in counts]


def bin_counts(
    values: npt.ArrayLike,
    low: float,
    width: float,
    bars: int,
    weights: Sequence[int] | None = None,
) -> list[int]:
    """Return how many values each bar has; what lies outside is in the first or the last one."""
    places = np.floor((np.asarray(values) - low) / width + 1e-9).astype(np.int64)
    counts = np.bincount(np.clip(places, 0, bars - 1), weights, minlength=bars)
    return [int(n) for n in counts]


def bins(numbers: Ints) -> Bins:
    """Return bars for whole numbers, of which there is at least one.

    Their width is what Freedman and Diaconis (1981) give, twice the distance of the quartiles over
    the cube root of how many there are, made 1, 2 or 5 times a power of ten; wider where more than
    `BARS` bars would be needed up to the 99th percentile. Quartiles are values that occur, so that
    no rounding enters.
    """
    ordered = np.sort(numbers)
    low, first, third, high = (
        int(ordered[int(q * (len(ordered) - 1))]) for q in (0, 0.25, 0.75, _MOST)
    )
    width = _nice(max(2 * (third - first) / len(ordered) ** (1 / 3), 1))
    while high // width - low // width + 1 > BARS:
        width = _nice(width + 1)
    return Bins(low // width * width, width, high // width - low // width + 1)


def _nice(wanted: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 ... that is not below a number."""
    sizes: Iterator[int] = (step * 10**power for power in count() for step in (1, 2, 5))
    return next(size for size in sizes if size >= wanted)


def every(groups: Mapping[str, Sequence[int]]) -> Ints:
    """Return the numbers of all groups together."""
    return np.concatenate([np.asarray(numbers, np.int64) for numbers in groups.values()])


class _Period(NamedTuple):
    """A length of time: the number of that which a day (YYYY-MM-DD) is in, and its name."""

    title: str
    number: Callable[[str], int]
    name: Callable[[int], str]


_PERIODS: Final = (
    _Period(
        "month",
        lambda day: int(day[:4]) * 12 + int(day[5:7]) - 1,
        lambda number: f"{number // 12:04}-{number % 12 + 1:02}",
    ),
    _Period("year", lambda day: int(day[:4]), "{:04}".format),
    _Period("decade", lambda day: int(day[:3]), "{:03}0s".format),
)


def date_charts(examples: pa.Table, task: str) -> list[Chart]:
    """Return the shares of each split's dates by period; no chart where no date is known.

    The period is the finest of month, year and decade that needs no more bars than a chart has.
    Periods without any date have a bar of nothing, so that time runs evenly.
    """
    days = Counter(iter_rows(examples, "split", "date"))
    known = {(split, day): many for (split, day), many in days.items() if day is not None}
    if not known:
        return []
    days_known = sorted({day for _, day in known})
    for period in _PERIODS:
        first, last = period.number(days_known[0]), period.number(days_known[-1])
        if last - first < BARS:
            break
    places = [period.name(number) for number in range(first, last + 1)]
    tally = Tally(examples)
    for (split, day), many in known.items():
        tally.add(period.name(period.number(day)), split, many)
    series = [
        Series(split, places, [tally.share(place, split) for place in places])
        for split in tally.splits
        if tally.count(TOTAL, split)
    ]
    lost = examples.num_rows - sum(known.values())
    noun = verb(examples.num_rows, "example", "examples")
    note = f"Without a date: {lost:,} of {examples.num_rows:,} {noun}." if lost else ""
    title, y = f"Dates by {period.title}", "share of the split's dates"
    return [Chart(f"{task}-dates", title, "bars", period.title, y, series, note=note, form="share")]
