"""The axes of a drawn chart: the field where marks stand, its lines, numbers and names around it.

The legend stands above the field, where there are several series.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from pipeline.report.drawing import (
    Drawing,
    Scale,
    drawing,
    legend,
    line,
    scale,
    shorten,
    width_of,
    words,
)
from pipeline.report.language import in_svg
from pipeline.report.numbers import format_number
from pipeline.report.record import Chart, Form

#: The height of the field, and what stands left, right and below it, in pixels.
FIELD, LEFT, RIGHT, BELOW = 210, 46, 12, 40
#: The longest name on the left of bars, in pixels.
LONGEST_NAME: Final = 190


class Field(NamedTuple):
    """Where marks stand: the edges of the field in pixels."""

    left: float
    top: float
    right: float
    bottom: float


def framed(chart: Chart, kinds: Sequence[str], width: float) -> tuple[Field, list[Markup]]:
    """Return the field of a chart with its legend and the title of its upright axis above it."""
    keys, top = keys_of(chart, kinds, width)
    title = words(0, top + 8, in_svg(chart.y), "soft")
    top += 20 if chart.y else 4
    return Field(LEFT, top, width - RIGHT, top + FIELD), [*keys, title]


def keys_of(chart: Chart, kinds: Sequence[str], width: float) -> tuple[list[Markup], float]:
    """Return the legend, which a single series needs not, and the top of what stands below it."""
    if len(chart.series) < 2:
        return [], 4.0
    return legend([series.name for series in chart.series], kinds, width)


def finished(chart: Chart, field: Field, parts: Sequence[Markup], width: int) -> Drawing:
    """Return the drawing of all parts, with the title of the level axis below the field."""
    middle = (field.left + field.right) / 2
    title = words(middle, field.bottom + 34, in_svg(chart.x), "soft", "middle")
    return drawing([*parts, title], width, field.bottom + (BELOW if chart.x else 22))


def number_scale(chart: Chart, field: Field, *, sideways: bool = False, zero: bool = True) -> Scale:
    """Return where the numbers of all series stand: upwards, or to the right if `sideways`."""
    numbers = [y for series in chart.series for y in series.y if y is not None]
    start, end = (field.left, field.right) if sideways else (field.bottom, field.top + 10)
    return scale(numbers, start, end, zero=zero)


def ruled(up: Scale, field: Field, chart: Chart) -> Iterator[Markup]:
    """Yield lines across the field with their numbers on the left."""
    for tick in up.ticks:
        yield line(field.left, up(tick), field.right, up(tick), "axis" if tick == 0 else "rule")
        yield words(field.left - 6, up(tick) + 4, _tick(tick, chart.form), "small", "end")


def rules_across(across: Scale, field: Field, form: Form) -> Iterator[Markup]:
    """Yield upright lines in the field with their numbers below."""
    ticks = across.ticks
    every = 2 if len(ticks) > 4 and field.right - field.left < 46 * len(ticks) else 1
    for place, tick in enumerate(ticks):
        kind = "axis" if tick == 0 else "rule"
        yield line(across(tick), field.top, across(tick), field.bottom, kind)
        if place % every == 0:
            text = _tick(tick, form)
            yield words(across(tick), field.bottom + 15, text, "small", "middle")


def numbered_places(across: Scale, field: Field) -> Iterator[Markup]:
    """Yield the numbers below the field."""
    yield line(field.left, field.bottom, field.right, field.bottom, "axis")
    for tick in across.ticks:
        text = format_number(tick, "whole")
        room = field.right + RIGHT - width_of(text) / 2
        yield words(min(across(tick), room), field.bottom + 16, text, "small", "middle")


def named_places(names: Sequence[str], across: Scale, field: Field) -> Iterator[Markup]:
    """Yield the names below the field, as many as there is room for."""
    room = (field.right - field.left) / max(1, len(names))
    longest = max(map(width_of, names), default=0) + 12
    for place in range(0, len(names), max(1, -(-int(longest) // max(1, int(room))))):
        x = across(place)
        anchor = "end" if x > field.right - longest / 2 else "middle"
        yield words(x, field.bottom + 16, shorten(names[place], LONGEST_NAME), "small", anchor)


def _tick(tick: float, form: Form) -> str:
    """Return a tick with all of its digits: half a per cent too."""
    return f"{100 * tick:,g} %" if form == "share" else format_number(tick, "whole")
