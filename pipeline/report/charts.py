"""Charts as the plain data that the plotting library draws in the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

Figure = dict[str, Any]

_FONT: Final = {
    "family": 'system-ui, "Noto Sans KR", NanumGothic, "Malgun Gothic", sans-serif',
    "size": 12,
    "color": "#1c2430",
}
_BLUE: Final = "#1f5fa8"
_RED: Final = "#a63c06"
_SHADES: Final = [[0, "#f5f7fa"], [0.5, "#8fb3da"], [1, "#123f73"]]
#: Up to this many rows a heat map writes its numbers into the cells.
WRITTEN: Final = 12


def _layout(title: str, x: str, y: str, **more: Any) -> dict[str, Any]:
    axis = {"gridcolor": "#e6ebf1", "zerolinecolor": "#c9d2dc", "automargin": True}
    return {
        "title": {"text": title, "x": 0, "xref": "paper", "font": {"size": 14}},
        "font": _FONT,
        "margin": {"l": 60, "r": 16, "t": 42, "b": 48},
        "xaxis": {**axis, "title": {"text": x}, **more.pop("xaxis", {})},
        "yaxis": {**axis, "title": {"text": y}, **more.pop("yaxis", {})},
        "paper_bgcolor": "#fff",
        "plot_bgcolor": "#fff",
        "showlegend": False,
        "height": 340,
        **more,
    }


def bars(title: str, names: Sequence[str], numbers: Sequence[float], *, x: str, y: str) -> Figure:
    """Return bars, one a name, in the order given."""
    trace = {"type": "bar", "x": list(names), "y": list(numbers), "marker": {"color": _BLUE}}
    return {"data": [trace], "layout": _layout(title, x, y, xaxis={"type": "category"})}


def dots(
    title: str,
    names: Sequence[str],
    numbers: Sequence[float],
    *,
    odd: Sequence[bool],
    x: str,
    y: str,
) -> Figure:
    """Return one dot a name, falling by number; the odd ones in another colour and shape."""
    order = sorted(range(len(names)), key=lambda i: (-numbers[i], names[i]))
    marker = {
        "size": 9,
        "color": [_RED if odd[i] else _BLUE for i in order],
        "symbol": ["diamond" if odd[i] else "circle" for i in order],
    }
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": [names[i] for i in order],
        "y": [numbers[i] for i in order],
        "marker": marker,
        "hovertemplate": "%{x}: %{y:.3f}<extra></extra>",
    }
    return {"data": [trace], "layout": _layout(title, x, y, xaxis={"type": "category"})}


def heat_map(
    title: str,
    names: Sequence[str],
    cells: Sequence[Sequence[float | None]],
    *,
    x: str = "",
    y: str = "",
    form: str = ".2f",
) -> Figure:
    """Return a square heat map; an empty cell is a pair that shares nothing."""
    trace: dict[str, Any] = {
        "type": "heatmap",
        "x": list(names),
        "y": list(names),
        "z": [list(row) for row in cells],
        "colorscale": _SHADES,
        "hovertemplate": f"%{{y}}, %{{x}}: %{{z:{form}}}<extra></extra>",
        "hoverongaps": False,
        "xgap": 1,
        "ygap": 1,
        "colorbar": {"thickness": 12, "outlinewidth": 0},
    }
    if len(names) <= WRITTEN:
        trace["texttemplate"] = f"%{{z:{form}}}"
    axis = {"type": "category"}
    layout = _layout(title, x, y, xaxis=axis, yaxis={**axis, "autorange": "reversed"})
    return {"data": [trace], "layout": {**layout, "height": 440}}
