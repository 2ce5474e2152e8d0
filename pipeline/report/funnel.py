"""A funnel: how much is left after each step, as bars that narrow towards the end.

Each series is a funnel of its own, for its steps count things of another kind (records, sentences,
examples); the widest of them fills the width.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from pipeline.report.drawing import Drawing, box, drawing, shape, titled, words
from pipeline.report.language import in_svg
from pipeline.report.numbers import format_number
from pipeline.report.record import Chart, Series

#: Pixels: what is left of the bars, their widest, the heights of a step and of what joins two, and
#: the width of all.
_NAMES, _WIDEST, _STEP, _BETWEEN, _WIDTH = 150.0, 190.0, 22.0, 7.0, 480.0


def funnel(chart: Chart) -> Drawing:
    """Return the drawing of a chart whose series are funnels, one below the other."""
    parts: list[Markup] = []
    top = 4.0
    for place, series in enumerate(chart.series):
        if len(chart.series) > 1:
            parts.append(words(_NAMES + 8, top + 12, in_svg(series.name), "soft"))
            top += 20
        steps = [y for y in series.y if y is not None]
        parts += _steps(series, f"s{place % 3}", top)
        top += len(steps) * (_STEP + _BETWEEN) + 8
    return drawing(parts, _WIDTH, top)


def _steps(series: Series, kind: str, top: float) -> Iterator[Markup]:
    known = [(str(x), y) for x, y in zip(series.x, series.y, strict=True) if y is not None]
    most = max((y for _, y in known), default=0) or 1
    before: float | None = None
    for name, number in known:
        wide = max(_WIDEST * number / most, 1.0)
        middle = _NAMES + 8 + _WIDEST / 2
        left = middle - wide / 2
        if before is not None:
            yield _joint(middle, before, wide, top - _BETWEEN, kind)
        yield titled(
            f"{name}: {format_number(number, 'whole')}", [box(left, top, wide, _STEP, kind)]
        )
        yield words(_NAMES, top + 16, in_svg(name), "", "end")
        yield words(_NAMES + _WIDEST + 16, top + 16, _number(number, most))
        before, top = wide, top + _STEP + _BETWEEN


def _joint(middle: float, above: float, below: float, top: float, kind: str) -> Markup:
    """Return the shape between two steps."""
    corners = [
        (middle - above / 2, top),
        (middle + above / 2, top),
        (middle + below / 2, top + _BETWEEN),
        (middle - below / 2, top + _BETWEEN),
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return shape("polygon", points=points, **{"class": f"{kind} joint"})


def _number(number: float, most: float) -> str:
    text = format_number(number, "whole")
    return text if number == most else f"{text}  ({format_number(number / most, 'share')})"
