"""When the examples of each split were published, by month, year or decade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import pyarrow as pa

from pipeline.report.quality.distributions_bins import BARS
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import TOTAL, Tally
from pipeline.report.record import Chart, Series


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
    days = Counter(each(examples, "split", "date"))
    known = {(split, day): many for (split, day), many in days.items() if day is not None}
    if not known:
        return []
    period, places = _periods(sorted({day for _, day in known}))
    tally = Tally(examples)
    for (split, day), many in known.items():
        tally.add(period.name(period.number(day)), split, many)
    series = [
        Series(split, places, [tally.share(place, split) for place in places])
        for split in tally.splits
        if tally.count(TOTAL, split)
    ]
    lost = examples.num_rows - sum(known.values())
    note = f"Without a date: {lost:,} of {examples.num_rows:,} examples." if lost else ""
    title, y = f"Dates by {period.title}", "share of the split's dates"
    return [Chart(f"{task}-dates", title, "bars", period.title, y, series, note=note, form="share")]


def _periods(days: Sequence[str]) -> tuple[_Period, list[str]]:
    """Return a period, and the names of all from the first day to the last one."""
    for period in _PERIODS:
        first, last = period.number(days[0]), period.number(days[-1])
        if last - first < BARS:
            break
    return period, [period.name(number) for number in range(first, last + 1)]
