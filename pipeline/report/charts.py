"""The charts of the record as drawings: series side by side, in colour.

The colours are after Okabe and Ito (2008), which people with any form of colour blindness tell
apart; lines differ in dash and mark as well. Pointing at a place shows the numbers of all series
there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from pipeline.report.axes import (
    BELOW,
    LEFT,
    LONGEST_NAME,
    RIGHT,
    Field,
    finished,
    framed,
    keys_of,
    named_places,
    number_scale,
    numbered_places,
    ruled,
    rules_across,
)
from pipeline.report.chart_series import (
    MARKED,
    axis_label,
    cells_of,
    colours_of,
    names_in_order,
    names_of,
    number_text,
    place_name,
    slots_of,
    title_of,
    written,
)
from pipeline.report.drawing import (
    LINE,
    WIDE,
    WIDTH,
    Drawing,
    Scale,
    box,
    drawing,
    inner_ticks,
    line,
    mark,
    path,
    scale,
    shorten,
    titled,
    width_of,
    words,
)
from pipeline.report.funnel import funnel
from pipeline.report.language import in_svg
from pipeline.report.record import Cell, Chart, Series
from pipeline.report.slopes import slopes

#: Names side by side below the bars take so many half-width letters together; more lie on the left.
_ROOM: Final = 52
#: More bars than this are no longer told apart: series of histograms are drawn as steps.
_BARS: Final = 60
#: Steps and lines of more points than this together have the whole width of the page.
_WIDE: Final = 120
_FINEST: Final = 5000


def figure(chart: Chart) -> Drawing:
    """Return the drawing of a chart; `wide` ones need the whole width of the page."""
    if chart.kind == "funnel":
        return funnel(chart)
    if chart.kind == "slopes":
        return slopes(chart)
    if chart.kind == "bars":
        return _sideways(chart) if _lies(chart) else _upright(chart)
    return _histogram(chart) if chart.kind == "histogram" else _line(chart)


def sparkline(chart: Chart) -> Drawing:
    """Return the first series of a chart as small bars without axes, as an overview shows it."""
    series = chart.series[0]
    heights = [y or 0 for y in series.y]
    up, step = scale([0, max(heights, default=0)], 26, 0), 132 / max(1, len(heights))
    parts = [
        titled(
            f"{axis_label(x)}: {number_text(y, chart.form)}",
            [
                box(place * step, 0, step, 26, "hit"),
                box(place * step, up(height), step * 0.8, 26 - up(height), "s0"),
            ],
        )
        for place, (x, y, height) in enumerate(zip(series.x, series.y, heights, strict=True))
    ]
    return drawing([*parts, line(0, 26, 132, 26, "axis")], 132, 27)


def _lies(chart: Chart) -> bool:
    """Tell whether the names of bars are too long or too many to stand below them."""
    names = names_of(chart.series)
    room = (WIDTH - LEFT - RIGHT) / max(1, len(names))
    cells = sum(cells_of(name) + 2 for name in names)
    return cells > _ROOM or any(width_of(name) > room for name in names)


def _upright(chart: Chart) -> Drawing:
    names, kinds = names_of(chart.series), colours_of(chart.series)
    field, parts = framed(chart, kinds, WIDTH)
    up = number_scale(chart, field)
    parts += ruled(up, field, chart)
    step = (field.right - field.left) / max(1, len(names))
    for place, slot in enumerate(slots_of(chart, names)):
        left = field.left + place * step
        bars = _columns(slot.numbers, kinds, up, left + step * 0.1, step * 0.8)
        hit = box(left, field.top, step, field.bottom - field.top, "hit")
        parts.append(titled(title_of(chart, slot), [hit, *bars]))
        middle = left + step / 2
        if (number := written(chart, names, slot)) is not None:
            top = up(max(number, 0)) - 4
            parts.append(words(middle, top, number_text(number, chart.form), "small", "middle"))
        parts.append(words(middle, field.bottom + 16, place_name(slot.name), "", "middle"))
    return finished(chart, field, parts, WIDTH)


def _columns(
    numbers: Sequence[float | None], kinds: Sequence[str], up: Scale, left: float, room: float
) -> Iterator[Markup]:
    thick = room / len(numbers)
    for place, (number, kind) in enumerate(zip(numbers, kinds, strict=True)):
        if number is not None:
            top, foot = sorted((up(number), up(0)))
            yield box(left + place * thick, top, max(thick - 0.8, 0.6), foot - top, kind)


def _sideways(chart: Chart) -> Drawing:
    names, kinds = names_of(chart.series), colours_of(chart.series)
    longest = min(LONGEST_NAME, max(map(width_of, names), default=0))
    keys, top = keys_of(chart, kinds, WIDTH)
    thick = max(LINE + 1, 8 * len(kinds) + 6)
    field = Field(longest + 10, top, WIDTH - 44, top + thick * len(names))
    across = number_scale(chart, field, sideways=True)
    parts = [*keys, *rules_across(across, field, chart.form)]
    for place, slot in enumerate(slots_of(chart, names)):
        start = field.top + place * thick
        bars = _rows(slot.numbers, kinds, across, start + thick * 0.12, thick * 0.76)
        hit = box(0, start, WIDTH, thick, "hit")
        parts.append(titled(title_of(chart, slot), [hit, *bars]))
        middle = start + thick / 2 + 4
        parts.append(words(longest + 4, middle, place_name(shorten(slot.name, longest)), "", "end"))
        if (number := written(chart, names, slot)) is not None:
            end = across(max(number, 0)) + 4
            parts.append(words(end, middle, number_text(number, chart.form), "small"))
    parts.append(
        words((field.left + field.right) / 2, field.bottom + 34, in_svg(chart.y), "soft", "middle")
    )
    return drawing(parts, WIDTH, field.bottom + BELOW)


def _rows(
    numbers: Sequence[float | None], kinds: Sequence[str], across: Scale, top: float, room: float
) -> Iterator[Markup]:
    thick = room / len(numbers)
    for place, (number, kind) in enumerate(zip(numbers, kinds, strict=True)):
        if number is not None:
            left, right = sorted((across(0), across(number)))
            yield box(left, top + place * thick, right - left, max(thick - 0.8, 0.6), kind)


def _histogram(chart: Chart) -> Drawing:
    xs = [float(x) for series in chart.series for x in series.x if isinstance(x, int | float)]
    if not xs:
        return drawing([], WIDTH, 1)
    places = sorted(set(xs))
    many = len(places) * len(chart.series) > _BARS
    grid = _grid(chart, places) if len(chart.series) > 1 and many else []
    width = WIDE if grid and len(xs) > _WIDE else WIDTH
    kinds = colours_of(chart.series)
    field, parts = framed(chart, kinds, width)
    up = number_scale(chart, field)
    ends = places[0] - chart.width / 2, places[-1] + chart.width / 2
    across = Scale(*ends, field.left, field.right, inner_ticks(*ends))
    parts += [*ruled(up, field, chart), *numbered_places(across, field)]
    slots = slots_of(chart, [axis_label(x) for x in places])
    step = across(places[0] + chart.width) - across(places[0])
    for place, slot in zip(places, slots, strict=True):
        left = across(place - chart.width / 2)
        bars = [] if grid else _columns(slot.numbers, kinds, up, left + step * 0.04, step * 0.92)
        hit = box(left, field.top, step, field.bottom - field.top, "hit")
        parts.append(titled(title_of(chart, slot), [hit, *bars]))
    if grid:
        for series, kind in zip(chart.series, kinds, strict=True):
            outline = _outline(series, grid, chart.width, across, up)
            parts.append(path(outline, f"{kind} line"))
    return finished(chart, field, parts, width)


def _outline(
    series: Series, grid: Sequence[float], width: float, across: Scale, up: Scale
) -> list[tuple[float, float]]:
    """Return the corners of steps, from nothing to nothing."""
    heights = {
        _at(x, grid[0], width): y or 0
        for x, y in zip(series.x, series.y, strict=True)
        if isinstance(x, int | float)
    }
    corners = [(across(grid[0] - width / 2), up(0))]
    for place, x in enumerate(grid):
        height = up(heights.get(place, 0))
        corners += [(across(x - width / 2), height), (across(x + width / 2), height)]
    corners.append((across(grid[-1] + width / 2), up(0)))
    return [point for i, point in enumerate(corners) if i == 0 or point != corners[i - 1]]


def _line(chart: Chart) -> Drawing:
    cells = [x for series in chart.series for x in series.x]
    is_number = all(isinstance(x, int | float) and not isinstance(x, bool) for x in cells)
    names = [] if is_number else names_in_order(chart.series)
    at = {name: float(place) for place, name in enumerate(names)}
    width = WIDE if len(cells) > _WIDE else WIDTH
    kinds = colours_of(chart.series)
    field, parts = framed(chart, kinds, width)
    up = number_scale(chart, field, zero=False)
    xs = [float(x) for x in cells if isinstance(x, int | float)] if is_number else [*at.values()]
    low, high = min(xs, default=0), max(xs, default=0)
    room = 0.0 if is_number and high > low else 0.4
    ends = low - room, high + room
    across = Scale(*ends, field.left, field.right, inner_ticks(*ends))
    parts += [*ruled(up, field, chart)]
    parts += numbered_places(across, field) if is_number else named_places(names, across, field)
    for number, (series, kind) in enumerate(zip(chart.series, kinds, strict=True)):
        points = [
            (across(at[axis_label(x)] if names else float(x or 0)), up(y), axis_label(x), y)
            for x, y in zip(series.x, series.y, strict=True)
            if y is not None
        ]
        if points:
            parts.append(path([point[:2] for point in points], f"{kind} line dash{number % 4}"))
        step = -(-len(points) // MARKED) if points else 1
        parts += [
            titled(
                f"{series.name or chart.y}, {name}: {number_text(y, chart.form)}",
                [box(x - 6, top - 6, 12, 12, "hit"), mark(x, top, kind, number)],
            )
            for x, top, name, y in points[::step]
        ]
    return finished(chart, field, parts, width)


def _grid(chart: Chart, places: Sequence[float]) -> list[float]:
    """Return every place from the first to the last, or none where they are far too many."""
    steps = _at(places[-1], places[0], chart.width) + 1
    if steps > _FINEST:
        return []
    return [round(places[0] + i * chart.width, 6) for i in range(steps)]


def _at(x: Cell, first: float, width: float) -> int:
    return round((float(x or 0) - first) / width)
