"""Drawings of how cost and memory grow, as SVG: the same bytes for the same numbers.

They have no scripts and no fonts of their own, and follow the light or dark setting of a browser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, log10
from typing import Any

#: Pixels of a drawing and its panels: their side, margins around them, and the lines above.
WIDTH, COLUMNS, SIDE, LEFT, BETWEEN, HEAD, FOOT = 900, 6, 96, 40, 46, 34, 26
STYLE = """\
text { font: 10px system-ui, sans-serif; fill: #24292f }
.small { font-size: 8.5px; fill: #57606a }
.frame { fill: none; stroke: #d0d7de }
.ideal { stroke: #8c959f; stroke-dasharray: 3 3 }
.cost { fill: none; stroke: #0969da; stroke-width: 1.8 }
.dot { fill: #0969da }
.over .cost { stroke: #bc4c00 } .over .dot { fill: #bc4c00 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .small { fill: #9198a1 }
.frame { stroke: #3d444d } .ideal { stroke: #656c76 }
.cost { stroke: #4493f8 } .dot { fill: #4493f8 }
.over .cost { stroke: #f0883e } .over .dot { fill: #f0883e } }
"""
#: The exponent above which a panel has another colour.
MOST = 1.1
Place = Callable[[float], float]


def costs(stages: Sequence[dict[str, Any]]) -> str:
    """Draw CPU seconds over size on two logarithmic scales, a panel for each stage.

    The dashed line is cost that grows as size does. Stages without an exponent are left out.
    """
    return _drawing(
        [_cost_panel(one) for one in stages if one["exponent"] is not None],
        "CPU seconds of each stage over its size, both scales logarithmic",
    )


def memory(tree: Sequence[dict[str, Any]]) -> str:
    """Draw the peak of memory of a whole build over its size, from zero."""
    sizes = [row["size"] for row in tree]
    peaks = [row["peak_mib"] for row in tree]
    high = ceil(max(peaks) * 1.2)
    path = _line(sizes, peaks, _log(sizes[0], sizes[-1]), lambda value: value / high)
    labels = _labels(sizes, "0", f"{high:,} MiB")
    title = _text(0, -18, "a build, all processes", "")
    return _drawing([f"<g>{title}{labels}{path}</g>"], "Peak of memory over size, in MiB")


def _cost_panel(stage: dict[str, Any]) -> str:
    sizes, seconds = stage["sizes"], stage["cpu_seconds"]
    growth, room = sizes[-1] / sizes[0], 1.25
    low, high = min(seconds) / room, max(seconds[0] * growth, *seconds) * room
    across, up = _log(sizes[0] / room, sizes[-1] * room), _log(low, high)
    ends = [up(seconds[0]), up(seconds[0] * growth)]
    places = [across(sizes[0]), across(sizes[-1])]
    ideal = (
        f'<line class="ideal" x1="{_x(places[0])}" y1="{_y(ends[0])}" x2="{_x(places[1])}"'
        f' y2="{_y(ends[1])}"/>'
    )
    title = _text(0, -18, stage["stage"], "")
    under = _text(0, -6, f"exponent {stage['exponent']:.2f}", "small")
    labels = _labels(sizes, *(f"{float(f'{end:.2g}'):g} s" for end in (low, high)))
    kind = ' class="over"' if stage["exponent"] > MOST else ""
    return f"<g{kind}>{title}{under}{labels}{ideal}{_line(sizes, seconds, across, up)}</g>"


def _drawing(panels: Sequence[str], about: str) -> str:
    rows = ceil(len(panels) / COLUMNS) or 1
    height = rows * (HEAD + SIDE + FOOT)
    placed = [
        f'<g transform="translate({LEFT + n % COLUMNS * (SIDE + BETWEEN)}'
        f' {HEAD + n // COLUMNS * (HEAD + SIDE + FOOT)})">'
        f'<rect class="frame" width="{SIDE}" height="{SIDE}"/>{panel}</g>\n'
        for n, panel in enumerate(panels)
    ]
    width = min(WIDTH, LEFT + len(panels) * (SIDE + BETWEEN))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' role="img" aria-label="{escape(about)}">\n<style>\n{STYLE}</style>\n'
        f"{''.join(placed)}</svg>\n"
    )


def _line(sizes: Sequence[float], values: Sequence[float], across: Place, up: Place) -> str:
    points = [(_x(across(s)), _y(up(v))) for s, v in zip(sizes, values, strict=True) if v > 0]
    path = " ".join(f"{x},{y}" for x, y in points)
    dots = "".join(f'<circle class="dot" cx="{x}" cy="{y}" r="2.2"/>' for x, y in points)
    return f'<polyline class="cost" points="{path}"/>{dots}'


def _labels(sizes: Sequence[float], low: str, high: str) -> str:
    return "".join(
        (
            _text(-3, SIDE, low, "small", anchor="end"),
            _text(-3, 8, high, "small", anchor="end"),
            _text(0, SIDE + 11, short(sizes[0]), "small"),
            _text(SIDE, SIDE + 11, short(sizes[-1]), "small", anchor="end"),
        )
    )


def _text(x: float, y: float, words: str, kind: str, *, anchor: str = "start") -> str:
    about = f' class="{kind}"' if kind else ""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}"{about}{side}>{escape(words)}</text>'


def short(size: float) -> str:
    """Return a size in few letters: 950, 18k, 1.2M."""
    for unit, many in (("M", 10**6), ("k", 10**3)):
        if size >= many:
            return f"{size / many:.2g}{unit}" if size < 100 * many else f"{size / many:.0f}{unit}"
    return f"{size:g}"


def _log(low: float, high: float) -> Place:
    """Return where a value stands between both, from 0 to 1, on a logarithmic scale."""
    span = log10(high / low) if high > low else 1.0
    return lambda value: log10(value / low) / span if value > 0 else 0.0


def _x(share: float) -> float:
    return round(share * SIDE, 1)


def _y(share: float) -> float:
    return round((1 - share) * SIDE, 1)
