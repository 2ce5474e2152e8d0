"""A dot a name, lowest first: annotators by their agreement, the odd ones in another shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup

from pipeline.report.drawing import (
    LINE,
    WIDE,
    WIDTH,
    Drawing,
    Scale,
    box,
    drawing,
    line,
    mark,
    scale,
    shorten,
    titled,
    width_of,
    words,
)
from pipeline.report.language import in_svg
from pipeline.report.numbers import format_number

#: More names than this do not fit on the left: the marks alone are drawn, by rank.
NAMED: Final = 40
_NAME: Final = 160
_HEIGHT: Final = 300
Requests = Sequence[Mapping[str, str]]


def dots(
    names: Sequence[str],
    numbers: Sequence[float],
    *,
    odd: Sequence[bool],
    measure: str,
    show: Requests,
) -> Drawing:
    """Return one dot a name; a click on one asks the page for `show`."""
    order = sorted(range(len(names)), key=lambda i: (numbers[i], names[i]))
    one = [_Dot(names[i], numbers[i], odd[i], show[i]) for i in order]
    return _ranked(one, measure) if len(names) > NAMED else _named(one, measure)


class _Dot:
    """A name with its number, whether it is odd, and what a click shows."""

    def __init__(self, name: str, number: float, is_odd: bool, show: Mapping[str, str]) -> None:
        self.name, self.number, self.show = name, number, show
        self.kind, self.form = ("odd", 2) if is_odd else ("s0", 0)

    def draw(self, x: float, y: float) -> Markup:
        return titled(
            f"{self.name}: {format_number(self.number, 'three')}",
            [box(x - 8, y - 8, 16, 16, "hit"), mark(x, y, self.kind, self.form)],
            data_show=json.dumps(dict(self.show), ensure_ascii=False),
        )


def _named(every: Sequence[_Dot], measure: str) -> Drawing:
    left = min(_NAME, max(width_of(dot.name) for dot in every)) + 12
    bottom = 8.0 + LINE * len(every)
    across = scale([dot.number for dot in every], left, WIDTH - 20, zero=False)
    parts = list(_ruled(across, 4, bottom, left))
    for place, dot in enumerate(every):
        y = 8 + LINE * (place + 0.5)
        parts.append(words(left - 8, y + 4, shorten(dot.name, _NAME), "", "end"))
        parts.append(line(left, y, WIDTH - 20, y, "rule"))
        parts.append(dot.draw(across(dot.number), y))
    parts.append(words((left + WIDTH) / 2, bottom + 32, in_svg(measure), "soft", "middle"))
    return drawing(parts, WIDTH, bottom + 38)


def _ruled(across: Scale, top: float, bottom: float, left: float) -> Iterator[Markup]:
    yield line(left, top, left, bottom, "axis")
    for tick in across.ticks:
        yield line(across(tick), top, across(tick), bottom, "rule")
        text = format_number(tick, "whole")
        yield words(across(tick), bottom + 15, text, "small", "middle")


def _ranked(every: Sequence[_Dot], measure: str) -> Drawing:
    up = scale([dot.number for dot in every], _HEIGHT, 24, zero=False)
    across = Scale(0.5, len(every) + 0.5, 46, WIDE - 16)
    parts = [words(0, 12, in_svg(measure), "soft")]
    for tick in up.ticks:
        parts.append(line(46, up(tick), WIDE - 16, up(tick), "rule"))
        parts.append(words(40, up(tick) + 4, format_number(tick, "whole"), "small", "end"))
    for place, dot in enumerate(every, start=1):
        parts.append(dot.draw(across(place), up(dot.number)))
        if dot.form:
            name = shorten(dot.name, 80)
            parts.append(words(across(place), up(dot.number) - 8, name, "small", "middle"))
    title = in_svg("rank, the lowest first")
    parts.append(words(WIDE / 2, _HEIGHT + 24, title, "soft", "middle"))
    return drawing(parts, WIDE, _HEIGHT + 32)
