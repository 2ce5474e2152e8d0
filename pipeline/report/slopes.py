"""A chart of ranks: a line for each system between versions, the best on top, named at its end."""

from __future__ import annotations

from typing import Final

from pipeline.core.schemas import group
from pipeline.report.axes import LEFT, LONGEST_NAME, RIGHT
from pipeline.report.chart_series import axis_label, colours_of, names_of, number_text
from pipeline.report.drawing import (
    LINE,
    WIDTH,
    Drawing,
    Scale,
    box,
    drawing,
    line,
    mark,
    path,
    shorten,
    titled,
    width_of,
    words,
)
from pipeline.report.record import Cell, Chart, Series

#: From the end of a line to the name after it, in pixels.
_GAP: Final = 12


def slopes(chart: Chart) -> Drawing:
    """Return the drawing of ranks: numbers from 1 on, which grow downwards."""
    places = names_of(chart.series)
    names = _names(chart, places[-1])
    widest = min(max(map(width_of, names.values()), default=0), LONGEST_NAME)
    left, right = float(LEFT), WIDTH - RIGHT - _GAP - widest
    across = Scale(0, max(len(places) - 1, 1), left, right)
    ranks = range(1, int(max((y for one in chart.series for y in one.y if y), default=1)) + 1)
    top = 2.0 * LINE
    down = Scale(1, max(ranks[-1], 2), top, top + (max(ranks[-1], 2) - 1) * LINE)
    room = (right - left) / max(len(places), 1)
    anchors = ["", *["middle"] * (len(places) - 2), "end"]
    parts = [
        words(across(place), 12, shorten(name, room), "soft", anchor)
        for (place, name), anchor in zip(enumerate(places), anchors, strict=False)
    ]
    for rank in ranks:
        parts.append(line(left, down(rank), right, down(rank), "rule"))
        parts.append(words(left - _GAP, down(rank) + 4, f"{rank}", "small", "end"))
    for number, (one, kind) in enumerate(zip(chart.series, colours_of(chart.series), strict=True)):
        points = [
            (across(places.index(axis_label(x))), down(y), _title(one, x, y, chart))
            for x, y in zip(one.x, one.y, strict=True)
            if y is not None
        ]
        parts.append(path([point[:2] for point in points], f"{kind} line dash{number % 4}"))
        parts += [
            titled(title, [box(x - 6, y - 6, 12, 12, "hit"), mark(x, y, kind, number)])
            for x, y, title in points
        ]
    for last, name in names.items():
        parts.append(words(right + _GAP, down(last) + 4, shorten(name, widest)))
    return drawing(parts, WIDTH, down(ranks[-1]) + LINE)


def _title(one: Series, x: Cell, y: float, chart: Chart) -> str:
    return f"{one.name}, {axis_label(x)}: {number_text(y, chart.form)}"


def _names(chart: Chart, place: str) -> dict[float, str]:
    """Return the ranks at a place, each with the names of all series that have it."""
    last = (
        (y, one.name)
        for one in chart.series
        for x, y in zip(one.x, one.y, strict=True)
        if axis_label(x) == place and y is not None
    )
    return {rank: ", ".join(names) for rank, names in group(last).items()}
