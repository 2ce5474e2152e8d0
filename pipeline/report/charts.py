"""Charts as the plain data that the plotting library draws in the page.

The library reads markup in every text it draws; names are escaped here, so that they stay what they
are, and shortened, so that they leave room for the marks. Their title is not drawn by it: the page
writes it above the chart, where it can wrap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

#: `title`, `data` and `layout`; `wide` where it needs the whole width; `show`, one request a mark.
Figure = dict[str, Any]

_FONT: Final = {
    "family": 'system-ui, "Noto Sans KR", NanumGothic, "Malgun Gothic", sans-serif',
    "size": 12,
    "color": "#1c2430",
}
BLUE: Final = "#1f5fa8"
_RED: Final = "#a63c06"
_SHADES: Final = [[0, "#f5f7fa"], [0.5, "#8fb3da"], [1, "#123f73"]]
#: Up to this many columns a heat map writes its numbers into the cells.
WRITTEN: Final = 12
#: More names than this do not fit an axis: the marks alone are drawn, by rank.
NAMED: Final = 40
#: Longer names are cut on axes; pointing at a mark shows them up to `TOLD`.
_SHORT: Final = 22
TOLD: Final = 200


def dots(
    title: str,
    names: Sequence[str],
    numbers: Sequence[float],
    *,
    odd: Sequence[bool],
    measure: str,
    show: Sequence[Mapping[str, str]] | None = None,
) -> Figure:
    """Return one dot a name, lowest first; the odd ones in another colour and shape, and named.

    Up to `NAMED` names stand on the left; more are drawn by rank, where pointing tells the name.
    """
    order = sorted(range(len(names)), key=lambda i: (numbers[i], names[i]))
    ranked = len(names) > NAMED
    values, places = [numbers[i] for i in order], list(range(1, len(names) + 1))
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers+text" if ranked else "markers",
        "x": places if ranked else values,
        "y": values if ranked else places,
        "marker": {
            "size": 7 if ranked else 10,
            "color": [_RED if odd[i] else BLUE for i in order],
            "symbol": ["diamond" if odd[i] else "circle" for i in order],
        },
        "customdata": [escape(names[i], TOLD) for i in order],
        "hovertemplate": f"%{{customdata}}: %{{{'y' if ranked else 'x'}:.3f}}<extra></extra>",
    }
    if ranked:
        trace["text"] = [escape(names[i], 12) if odd[i] else "" for i in order]
        trace["textposition"] = "top center"
        axes = {"xaxis": number_axis("rank, the lowest first"), "yaxis": number_axis(measure)}
        layout = layout_of(380, axes)
    else:
        named = category_axis([names[i] for i in order], reverse=True, start=1)
        layout = layout_of(
            max(260, 20 * len(names) + 80), {"xaxis": number_axis(measure), "yaxis": named}
        )
    figure = {"title": title, "data": [trace], "layout": layout, "wide": ranked}
    return figure | ({"show": [dict(show[i]) for i in order]} if show is not None else {})


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[float | None]],
    *,
    form: str = ".2f",
    notes: Sequence[Sequence[str]] | None = None,
) -> Figure:
    """Return a heat map; an empty cell is a pair without a value.

    `form` is a d3 format of the numbers, `notes` what pointing at a cell tells besides.
    """
    longest = max(map(len, columns), default=0)
    written = len(columns) <= WRITTEN
    trace: dict[str, Any] = {
        "type": "heatmap",
        "x": list(range(len(columns))),
        "y": list(range(len(rows))),
        "z": [list(row) for row in cells],
        "colorscale": _SHADES,
        "customdata": [
            [
                [
                    *(escape(row, TOLD), escape(column, TOLD)),
                    f", {escape(notes[i][j], TOLD)}" if notes else "",
                ]
                for j, column in enumerate(columns)
            ]
            for i, row in enumerate(rows)
        ],
        "hovertemplate": f"%{{customdata[0]}}, %{{customdata[1]}}: %{{z:{form}}}"
        "%{customdata[2]}<extra></extra>",
        "hoverongaps": False,
        "xgap": 1,
        "ygap": 1,
        "showscale": not written,
        "colorbar": {"thickness": 12, "outlinewidth": 0, "tickformat": form},
    }
    if written:
        trace["texttemplate"] = f"%{{z:{form}}}"
    height = max(320, min(900, 24 * len(rows) + 110 + 3 * min(longest, _SHORT)))
    axes = {
        "xaxis": category_axis(columns, slanted=longest > 4),
        "yaxis": category_axis(rows, reverse=True),
    }
    layout = layout_of(height, {name: {**axis, "showgrid": False} for name, axis in axes.items()})
    return {"title": title, "data": [trace], "layout": layout, "wide": len(columns) > 20}


def escape(name: str, most: int = _SHORT) -> str:
    """Return a name of at most `most` signs that the library draws as it stands."""
    short = name if len(name) <= most else name[: most - 1] + "…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def number_axis(title: str) -> dict[str, Any]:
    """Return an axis of numbers."""
    return {
        "title": {"text": escape(title, TOLD)},
        "gridcolor": "#e6ebf1",
        "zerolinecolor": "#c9d2dc",
        "automargin": True,
    }


def category_axis(
    names: Sequence[str],
    *,
    reverse: bool = False,
    start: int = 0,
    slanted: bool = False,
    most: int = NAMED,
) -> dict[str, Any]:
    """Return an axis with a name at each whole number; more than `most` are named every so many."""
    places = range(0, len(names), max(1, -(-len(names) // most)))
    ends = [start - 0.6, start + len(names) - 0.4]
    return {
        **number_axis(""),
        "tickmode": "array",
        "tickvals": [start + i for i in places],
        "ticktext": [escape(names[i]) for i in places],
        "range": ends[::-1] if reverse else ends,
        "tickangle": -40 if slanted else "auto",
        "ticklabeloverflow": "allow",
        "zeroline": False,
    }


def layout_of(height: int, axes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what charts of one height have in common, and their axes."""
    return {
        "font": _FONT,
        "margin": {"l": 40, "r": 16, "t": 14, "b": 40},
        "paper_bgcolor": "#fff",
        "plot_bgcolor": "#fff",
        "showlegend": False,
        "dragmode": False,
        "height": height,
        **axes,
    }
