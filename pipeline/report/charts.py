"""The charts of the record as drawings: series side by side, in colour.

Splits have the same colours in every chart. The colours are after Okabe and Ito (2008), which
people with any form of colour blindness tell apart; lines differ in dash and mark as well. Pointing
at a place shows the numbers of all series there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from pipeline.report.drawing import (
    LINE,
    WIDE,
    WIDTH,
    Drawing,
    Scale,
    box,
    drawing,
    inner_ticks,
    legend,
    line,
    mark,
    path,
    scale,
    shorten,
    tick_step,
    titled,
    width_of,
    words,
)
from pipeline.report.funnel import funnel
from pipeline.report.language import in_svg
from pipeline.report.numbers import format_number
from pipeline.report.record import Cell, Chart, Form, Series

#: The colours (s0 to s7 of the style sheet) of series that are known by their names.
_KNOWN: Final = {
    **{"train": "s0", "dev": "s1", "validation": "s1", "test": "s2"},
    **{"paper": "grey", "the paper": "grey"},
}
_COLOURS: Final = tuple(f"s{place}" for place in range(8))
#: Series of the official files have the colour of their split, outlined.
OFFICIAL: Final = "KLUE "
#: Names side by side below the bars take so many half-width letters together; more lie on the left.
_ROOM: Final = 52
#: More bars than this are no longer told apart: series of histograms are drawn as steps.
_BARS: Final = 60
#: So many points of a line are marked, and so many bars of a single series say their number.
_MARKED: Final = 30
#: Steps and lines of more points than this together have the whole width of the page.
_WIDE: Final = 120
_FINEST: Final = 5000
#: The height of the field of a chart, and what stands left, right and below it.
_FIELD, _LEFT, _RIGHT, _BELOW = 210, 46, 12, 40
#: The longest name on the left of bars, in pixels.
_NAME: Final = 190


def figure(chart: Chart) -> Drawing:
    """Return the drawing of a chart; `wide` ones need the whole width of the page."""
    if chart.kind == "funnel":
        return funnel(chart)
    if chart.kind == "bars":
        return _sideways(chart) if _lies(chart) else _upright(chart)
    return _histogram(chart) if chart.kind == "histogram" else _line(chart)


def axis_label(cell: Cell) -> str:
    """Return what stands on an axis for a place of a chart."""
    if cell is None:
        return "none"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


def sparkline(chart: Chart) -> Drawing:
    """Return the first series of a chart as small bars without axes, as an overview shows it."""
    series = chart.series[0]
    heights = [y or 0 for y in series.y]
    up, step = scale([0, max(heights, default=0)], 26, 0), 132 / max(1, len(heights))
    parts = [
        titled(
            f"{axis_label(x)}: {_number_text(y, chart.form)}",
            [
                box(place * step, 0, step, 26, "hit"),
                box(place * step, up(height), step * 0.8, 26 - up(height), "s0"),
            ],
        )
        for place, (x, y, height) in enumerate(zip(series.x, series.y, heights, strict=True))
    ]
    return drawing([*parts, line(0, 26, 132, 26, "axis")], 132, 27)


class _Field(NamedTuple):
    """Where marks stand: the edges of the field in pixels."""

    left: float
    top: float
    right: float
    bottom: float


class _Slot(NamedTuple):
    """All series at one place: its name, and a number for each series."""

    name: str
    numbers: Sequence[float | None]


def _slots(chart: Chart, names: Sequence[str]) -> list[_Slot]:
    columns: list[Mapping[str, float | None]] = [
        {axis_label(x): y for x, y in zip(series.x, series.y, strict=True)}
        for series in chart.series
    ]
    return [_Slot(name, [column.get(name) for column in columns]) for name in names]


def _lies(chart: Chart) -> bool:
    """Tell whether the names of bars are too long or too many to stand below them."""
    names = _names(chart.series)
    room = (WIDTH - _LEFT - _RIGHT) / max(1, len(names))
    cells = sum(_cells(name) + 2 for name in names)
    return cells > _ROOM or any(width_of(name) > room for name in names)


def _upright(chart: Chart) -> Drawing:
    names, kinds = _names(chart.series), _colours(chart.series)
    field, parts = _begin(chart, kinds, WIDTH)
    up = _number_scale(chart, field)
    parts += _ruled(up, field, chart)
    step = (field.right - field.left) / max(1, len(names))
    for place, slot in enumerate(_slots(chart, names)):
        left = field.left + place * step
        bars = _columns(slot.numbers, kinds, up, left + step * 0.1, step * 0.8)
        hit = box(left, field.top, step, field.bottom - field.top, "hit")
        parts.append(titled(_title(chart, slot), [hit, *bars]))
        middle = left + step / 2
        if (number := _written(chart, names, slot)) is not None:
            top = up(max(number, 0)) - 4
            parts.append(words(middle, top, _number_text(number, chart.form), "small", "middle"))
        parts.append(words(middle, field.bottom + 16, _place(slot.name), "", "middle"))
    return _end(chart, field, parts, WIDTH)


def _columns(
    numbers: Sequence[float | None], kinds: Sequence[str], up: Scale, left: float, room: float
) -> Iterator[Markup]:
    thick = room / len(numbers)
    for place, (number, kind) in enumerate(zip(numbers, kinds, strict=True)):
        if number is not None:
            top, foot = sorted((up(number), up(0)))
            yield box(left + place * thick, top, max(thick - 0.8, 0.6), foot - top, kind)


def _sideways(chart: Chart) -> Drawing:
    names, kinds = _names(chart.series), _colours(chart.series)
    longest = min(_NAME, max(map(width_of, names), default=0))
    keys, top = _keys(chart, kinds, WIDTH)
    thick = max(LINE + 1, 8 * len(kinds) + 6)
    field = _Field(longest + 10, top, WIDTH - 44, top + thick * len(names))
    across = _number_scale(chart, field, sideways=True)
    parts = [*keys, *_rules_across(across, field, chart.form)]
    for place, slot in enumerate(_slots(chart, names)):
        start = field.top + place * thick
        bars = _rows(slot.numbers, kinds, across, start + thick * 0.12, thick * 0.76)
        hit = box(0, start, WIDTH, thick, "hit")
        parts.append(titled(_title(chart, slot), [hit, *bars]))
        middle = start + thick / 2 + 4
        parts.append(words(longest + 4, middle, _place(shorten(slot.name, longest)), "", "end"))
        if (number := _written(chart, names, slot)) is not None:
            end = across(max(number, 0)) + 4
            parts.append(words(end, middle, _number_text(number, chart.form), "small"))
    parts.append(
        words((field.left + field.right) / 2, field.bottom + 34, in_svg(chart.y), "soft", "middle")
    )
    return drawing(parts, WIDTH, field.bottom + _BELOW)


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
    kinds = _colours(chart.series)
    field, parts = _begin(chart, kinds, width)
    up = _number_scale(chart, field)
    ends = places[0] - chart.width / 2, places[-1] + chart.width / 2
    across = Scale(*ends, field.left, field.right, inner_ticks(*ends))
    parts += [*_ruled(up, field, chart), *_places(across, field)]
    slots = _slots(chart, [axis_label(x) for x in places])
    step = across(places[0] + chart.width) - across(places[0])
    for place, slot in zip(places, slots, strict=True):
        left = across(place - chart.width / 2)
        bars = [] if grid else _columns(slot.numbers, kinds, up, left + step * 0.04, step * 0.92)
        hit = box(left, field.top, step, field.bottom - field.top, "hit")
        parts.append(titled(_title(chart, slot), [hit, *bars]))
    if grid:
        for series, kind in zip(chart.series, kinds, strict=True):
            outline = _outline(series, grid, chart.width, across, up)
            parts.append(path(outline, f"{kind} line"))
    return _end(chart, field, parts, width)


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
    names = [] if is_number else _in_order(chart.series)
    at = {name: float(place) for place, name in enumerate(names)}
    width = WIDE if len(cells) > _WIDE else WIDTH
    kinds = _colours(chart.series)
    field, parts = _begin(chart, kinds, width)
    up = _number_scale(chart, field, zero=False)
    xs = [float(x) for x in cells if isinstance(x, int | float)] if is_number else [*at.values()]
    low, high = min(xs, default=0), max(xs, default=0)
    room = 0.0 if is_number and high > low else 0.4
    ends = low - room, high + room
    across = Scale(*ends, field.left, field.right, inner_ticks(*ends))
    parts += [*_ruled(up, field, chart)]
    parts += _places(across, field) if is_number else _named_places(names, across, field)
    for number, (series, kind) in enumerate(zip(chart.series, kinds, strict=True)):
        points = [
            (across(at[axis_label(x)] if names else float(x or 0)), up(y), axis_label(x), y)
            for x, y in zip(series.x, series.y, strict=True)
            if y is not None
        ]
        if points:
            parts.append(path([point[:2] for point in points], f"{kind} line dash{number % 4}"))
        step = -(-len(points) // _MARKED) if points else 1
        parts += [
            titled(
                f"{series.name or chart.y}, {name}: {_number_text(y, chart.form)}",
                [box(x - 6, top - 6, 12, 12, "hit"), mark(x, top, kind, number)],
            )
            for x, top, name, y in points[::step]
        ]
    return _end(chart, field, parts, width)


def _begin(chart: Chart, kinds: Sequence[str], width: float) -> tuple[_Field, list[Markup]]:
    """Return the field of a chart with its legend and the title of its upright axis above it."""
    keys, top = _keys(chart, kinds, width)
    title = words(0, top + 8, in_svg(chart.y), "soft")
    top += 20 if chart.y else 4
    return _Field(_LEFT, top, width - _RIGHT, top + _FIELD), [*keys, title]


def _keys(chart: Chart, kinds: Sequence[str], width: float) -> tuple[list[Markup], float]:
    if len(chart.series) < 2:
        return [], 4.0
    return legend([series.name for series in chart.series], kinds, width)


def _end(chart: Chart, field: _Field, parts: Sequence[Markup], width: int) -> Drawing:
    middle = (field.left + field.right) / 2
    title = words(middle, field.bottom + 34, in_svg(chart.x), "soft", "middle")
    return drawing([*parts, title], width, field.bottom + (_BELOW if chart.x else 22))


def _number_scale(
    chart: Chart, field: _Field, *, sideways: bool = False, zero: bool = True
) -> Scale:
    numbers = [y for series in chart.series for y in series.y if y is not None]
    start, end = (field.left, field.right) if sideways else (field.bottom, field.top + 10)
    return scale(numbers, start, end, zero=zero)


def _ruled(up: Scale, field: _Field, chart: Chart) -> Iterator[Markup]:
    """Yield lines across the field with their numbers on the left."""
    for tick in up.ticks:
        yield line(field.left, up(tick), field.right, up(tick), "axis" if tick == 0 else "rule")
        yield words(field.left - 6, up(tick) + 4, _tick(tick, up, chart.form), "small", "end")


def _rules_across(across: Scale, field: _Field, form: Form) -> Iterator[Markup]:
    ticks = across.ticks
    every = 2 if len(ticks) > 4 and field.right - field.left < 46 * len(ticks) else 1
    for place, tick in enumerate(ticks):
        kind = "axis" if tick == 0 else "rule"
        yield line(across(tick), field.top, across(tick), field.bottom, kind)
        if place % every == 0:
            text = _tick(tick, across, form)
            yield words(across(tick), field.bottom + 15, text, "small", "middle")


def _places(across: Scale, field: _Field) -> Iterator[Markup]:
    """Yield the numbers below the field."""
    yield line(field.left, field.bottom, field.right, field.bottom, "axis")
    for tick in across.ticks:
        text = format_number(tick, "whole")
        yield words(across(tick), field.bottom + 16, text, "small", "middle")


def _named_places(names: Sequence[str], across: Scale, field: _Field) -> Iterator[Markup]:
    room = (field.right - field.left) / max(1, len(names))
    longest = max(map(width_of, names), default=0) + 12
    for place in range(0, len(names), max(1, -(-int(longest) // max(1, int(room))))):
        x = across(place)
        anchor = "end" if x > field.right - longest / 2 else "middle"
        yield words(x, field.bottom + 16, shorten(names[place], _NAME), "small", anchor)


def _tick(tick: float, ticks: Scale, form: Form) -> str:
    """Return a tick with the digits that its neighbours need."""
    if form == "share":
        percent = 100 * tick_step(ticks.high - ticks.low)
        return f"{100 * tick:,.0f} %" if percent >= 1 else f"{100 * tick:g} %"
    return format_number(tick, "whole")


def _title(chart: Chart, slot: _Slot) -> str:
    """Return what pointing at a place tells: its name, and the numbers of all series."""
    numbers = [_number_text(number, chart.form) for number in slot.numbers]
    if len(numbers) == 1:
        return f"{slot.name}: {numbers[0]}"
    names = (series.name for series in chart.series)
    pairs = zip(names, numbers, strict=True)
    return f"{slot.name}: " + "; ".join(f"{name} {told}" for name, told in pairs if told)


def _number_text(number: float | None, form: Form) -> str:
    if number is None:
        return ""
    return format_number(number, "share" if form == "share" else "whole")


def _written(chart: Chart, names: Sequence[str], slot: _Slot) -> float | None:
    """Return the number that stands at a bar: of a single series, where there is room."""
    if len(chart.series) > 1 or len(names) > _MARKED:
        return None
    return slot.numbers[0]


def _place(name: str) -> str | Markup:
    return in_svg(name) if name.startswith("other") or name == "none" else name


def _names(series: Sequence[Series]) -> list[str]:
    return list(dict.fromkeys(axis_label(x) for line in series for x in line.x))


def _in_order(series: Sequence[Series]) -> list[str]:
    """Return all names, in their order where each series has its own in order, such as months."""
    by_line = [[axis_label(x) for x in line.x] for line in series]
    all_names = _names(series)
    return sorted(all_names) if all(names == sorted(names) for names in by_line) else all_names


def _grid(chart: Chart, places: Sequence[float]) -> list[float]:
    """Return every place from the first to the last, or none where they are far too many."""
    steps = _at(places[-1], places[0], chart.width) + 1
    if steps > _FINEST:
        return []
    return [round(places[0] + i * chart.width, 6) for i in range(steps)]


def _at(x: Cell, first: float, width: float) -> int:
    return round((float(x or 0) - first) / width)


def _cells(name: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in name)


def _colours(series: Sequence[Series]) -> list[str]:
    """Return the class of each series: its own where it is known, else one that is still free."""
    known = [_known(one.name) for one in series]
    if len(series) == 1:
        return [known[0] or "s0"]
    free = [colour for colour in _COLOURS if colour not in known]
    picked = iter(free * (len(series) // max(1, len(free)) + 1))
    return [colour or next(picked) for colour in known]


def _known(name: str) -> str | None:
    if name.startswith(OFFICIAL):
        own = _KNOWN.get(name.removeprefix(OFFICIAL))
        return own and f"{own} official"
    return _KNOWN.get(name)
