"""The charts of the record as the plotting library draws them: series side by side, in colour.

Splits have the same colours in every chart. The colours are those of Okabe and Ito (2008), which
people with any form of colour blindness tell apart; lines differ in dash and mark as well.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any, Final

from pipeline.report.charts import (
    BLUE,
    TOLD,
    Figure,
    category_axis,
    escape,
    layout_of,
    number_axis,
)
from pipeline.report.record import Cell, Chart, Series

_COLOURS: Final = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#5b4a9c", "#8a6d3b"),
)
_KNOWN: Final = {
    "train": "#0072b2",
    "dev": "#e69f00",
    "validation": "#e69f00",
    "test": "#009e73",
    "paper": "#97a1ad",
    "the paper": "#97a1ad",
}
_DASHES: Final = ("solid", "dash", "dot", "dashdot")
_SYMBOLS: Final = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "x",
    "star",
    "triangle-down",
)
#: Names side by side below the bars take so many half-width letters together; more lie on the left.
_ROOM: Final = 52
#: More bars than this are no longer told apart: series of histograms are drawn as steps.
_BARS: Final = 60
#: So many points of a line are marked, and so many bars of a single series say their number.
_MARKED: Final = 30
#: Steps and lines of more points than this together have the whole width of the page.
_WIDE: Final = 120
_FINEST: Final = 5000
_LOW, _HIGH = 340, 1200
#: How numbers are written, in the notation of d3: shares as per cent.
_NUMBER: Final = ",.4~f"
_SHARE: Final = ",.1~%"


def figure(chart: Chart) -> Figure:
    """Return the figure of a chart; `wide` ones need the whole width of the page."""
    traces, axes, height, wide = _KINDS[chart.kind](chart)
    legend = len(chart.series) > 1
    for trace, colour in zip(traces, _colours(chart.series), strict=True):
        for part in ("line", "marker"):
            if part in trace or (part == "marker" and trace["type"] == "bar"):
                trace[part] = {**trace.get(part, {}), "color": colour}
    if chart.form == "share":
        sideways = any(trace.get("orientation") == "h" for trace in traces)
        axes["xaxis" if sideways else "yaxis"]["tickformat"] = _SHARE
    for axis in axes.values():
        axis |= {"separatethousands": True, "ticks": "outside", "ticklen": 4, "tickcolor": "#fff"}
        axis["title"] = {**axis["title"], "standoff": 10}
    layout = layout_of(height + 26 * legend, axes)
    layout |= {
        "barmode": "group",
        "showlegend": legend,
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom"},
    }
    return {"title": chart.title, "data": traces, "layout": layout, "wide": wide}


def axis_label(cell: Cell) -> str:
    """Return what stands on an axis for a place of a chart."""
    if cell is None:
        return "none"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


#: Traces, axes by name, a height, and whether it needs the whole width.
_Drawing = tuple[list[dict[str, Any]], dict[str, dict[str, Any]], int, bool]


def _bars(chart: Chart) -> _Drawing:
    names = _names(chart.series)
    places = {name: i for i, name in enumerate(names)}
    sideways = sum(_cells(name) + 2 for name in names) > _ROOM
    across, along = ("y", "x") if sideways else ("x", "y")
    numbers = [y for series in chart.series for y in series.y if y is not None]
    most, least = max(numbers, default=0), min(numbers, default=0)
    has_numbers = len(chart.series) == 1 and len(names) <= _MARKED and least >= 0
    numbered = {
        "texttemplate": f"%{{{along}:{_number(chart)}}}",
        "textposition": "outside",
        "textfont": {"size": 11},
        "cliponaxis": False,
    }
    traces = [
        {
            "type": "bar",
            "name": _name(series),
            "orientation": "h" if sideways else "v",
            across: [places[axis_label(x)] for x in series.x],
            along: list(series.y),
            "customdata": [escape(axis_label(x), TOLD) for x in series.x],
            **(numbered if has_numbers else {}),
            "hovertemplate": _hover(chart, "%{customdata}", along),
        }
        for series in chart.series
    ]
    named_one = category_axis(names, reverse=sideways)
    named_one["title"] = {"text": "" if sideways else escape(chart.x, TOLD)}
    room = {"range": [0, 1.14 * most or 1]} if has_numbers else {}
    axes = {f"{across}axis": named_one, f"{along}axis": number_axis(chart.y) | room}
    thick = max(18, 9 * len(chart.series) + 8)
    height = min(_HIGH, max(220, thick * len(names) + 90)) if sideways else _LOW
    return traces, axes, height, False


def _histogram(chart: Chart) -> _Drawing:
    axes = {"xaxis": number_axis(chart.x), "yaxis": {**number_axis(chart.y), "rangemode": "tozero"}}
    xs = [x for series in chart.series for x in series.x]
    many = len(set(xs)) * len(chart.series) > _BARS
    if len(chart.series) > 1 and many and (grid := _grid(chart)):
        return [_steps(chart, series, grid) for series in chart.series], axes, _LOW, len(xs) > _WIDE
    share = chart.width / max(1, len(chart.series))
    traces = [
        {
            "type": "bar",
            "name": _name(series),
            "x": list(series.x),
            "y": list(series.y),
            "width": share * 0.92,
            "offset": i * share - chart.width / 2 + share * 0.04,
            "hovertemplate": _hover(chart, "%{x}", "y"),
        }
        for i, series in enumerate(chart.series)
    ]
    return traces, axes, _LOW, False


def _steps(chart: Chart, series: Series, grid: Sequence[float]) -> dict[str, Any]:
    heights = {
        _at(x, grid[0], chart.width): y
        for x, y in zip(series.x, series.y, strict=True)
        if y is not None
    }
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _name(series),
        "x": list(grid),
        "y": [heights.get(i, 0) for i in range(len(grid))],
        "line": {"shape": "hvh", "width": 1.8},
        "hovertemplate": _hover(chart, "%{x}", "y"),
    }


def _line(chart: Chart) -> _Drawing:
    xs = [x for series in chart.series for x in series.x]
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in xs)
    names = [] if numbers else _in_order(chart.series)
    places = {name: i for i, name in enumerate(names)}
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers" if len(series.x) <= _MARKED else "lines",
            "name": _name(series),
            "x": list(series.x) if numbers else [places[axis_label(x)] for x in series.x],
            "y": list(series.y),
            "customdata": [escape(axis_label(x), TOLD) for x in series.x],
            "line": {"dash": _DASHES[i % len(_DASHES)], "width": 1.8},
            "marker": {"symbol": _SYMBOLS[i % len(_SYMBOLS)], "size": 6},
            "hovertemplate": _hover(chart, "%{customdata}", "y"),
        }
        for i, series in enumerate(chart.series)
    ]
    across = number_axis(chart.x)
    if not numbers:
        across = category_axis(names, most=8) | {"title": across["title"]}
    return traces, {"xaxis": across, "yaxis": number_axis(chart.y)}, _LOW, len(xs) > _WIDE


_KINDS: Final = {"bars": _bars, "histogram": _histogram, "line": _line}


def _name(series: Series) -> str:
    return escape(series.name, 40) or "(no name)"


def _names(series: Sequence[Series]) -> list[str]:
    return list(dict.fromkeys(axis_label(x) for line in series for x in line.x))


def _in_order(series: Sequence[Series]) -> list[str]:
    """Return all names, in their order where each series has its own in order, such as months."""
    by_line = [[axis_label(x) for x in line.x] for line in series]
    all_names = _names(series)
    return sorted(all_names) if all(names == sorted(names) for names in by_line) else all_names


def _grid(chart: Chart) -> list[float]:
    """Return every place, with one before and one after, or none where they are far too many."""
    xs = [float(x) for series in chart.series for x in series.x if isinstance(x, int | float)]
    first, last = min(xs), max(xs)
    steps = _at(last, first, chart.width) + 1
    if steps > _FINEST:
        return []
    return [round(first + i * chart.width, 6) for i in range(-1, steps + 1)]


def _at(x: Cell, first: float, width: float) -> int:
    return round((float(x or 0) - first) / width)


def _cells(name: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in name)


def _hover(chart: Chart, place: str, along: str) -> str:
    text = f"{place}: %{{{along}:{_number(chart)}}}"
    return f"{text}<extra>{'%{fullData.name}' if len(chart.series) > 1 else ''}</extra>"


def _number(chart: Chart) -> str:
    return _SHARE if chart.form == "share" else _NUMBER


def _colours(series: Sequence[Series]) -> list[str]:
    """Return a colour for each series: its own where it is known, else one that is still free."""
    known = [_KNOWN.get(line.name) for line in series]
    if len(series) == 1:
        return [known[0] or BLUE]
    free = [colour for colour in _COLOURS if colour not in known]
    picked = iter(free * (len(series) // max(1, len(free)) + 1))
    return [colour or next(picked) for colour in known]
