"""What charts are drawn with: shapes and texts of SVG, scales, ticks, legends.

Drawings stand in the page as elements, so that its style sheet colours them, light or dark; they
need no script. Lengths are pixels of the drawing, which is shown smaller where a screen is. Texts
are escaped; a title in a shape is shown when it is pointed at.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from pipeline.report.language import in_svg

#: The width of a drawing, and of one that needs the whole width of the page.
WIDTH, WIDE = 440, 900
#: The height of a line of text, and how far a letter of the Latin and of the Korean script goes.
LINE: Final = 17
_NARROW, _FULL = 6.5, 11.6
_ROUND: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
#: Numbers that are nearer than this are drawn as one.
_SAME: Final = 1e-6
#: So many ticks does a scale have, about.
_TICKS: Final = 5


@dataclass(frozen=True)
class Drawing:
    """A drawing: its markup, its size in pixels, and whether it needs the whole width."""

    svg: Markup
    width: int
    height: int

    @property
    def wide(self) -> bool:
        """Tell whether it needs the whole width of the page."""
        return self.width >= WIDE


def drawing(parts: Iterable[Markup], width: float, height: float) -> Drawing:
    """Return a drawing of some parts, one on top of the other."""
    size = round(width), math.ceil(height)
    svg = Markup('<svg viewBox="0 0 {} {}" width="{}" height="{}" aria-hidden="true">{}</svg>')
    return Drawing(svg.format(*size, *size, Markup("").join(parts)), *size)


@dataclass(frozen=True)
class Scale:
    """Numbers from `low` to `high` on the pixels from `start` to `end`, with ticks."""

    low: float
    high: float
    start: float
    end: float
    ticks: Sequence[float] = ()

    def __call__(self, number: float) -> float:
        """Return where a number stands, to a tenth of a pixel."""
        share = (number - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def scale(numbers: Sequence[float], start: float, end: float, *, zero: bool = True) -> Scale:
    """Return a scale whose ends are ticks and that holds all numbers, with `zero` 0 too.

    Raises ValueError for a number that is not finite.
    """
    low, high = min(numbers, default=0), max(numbers, default=1)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"{high if math.isfinite(low) else low} is no number that can be drawn")
    if zero:
        low, high = min(low, 0), max(high, 0)
    if high - low < _SAME:
        high = low + 1
    step = tick_step(high - low)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [round(place * step, 10) for place in range(first, last + 1)]
    return Scale(ticks[0], ticks[-1], start, end, ticks)


def tick_step(span: float) -> float:
    """Return the round number that divides a span into about five parts."""
    rough = span / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in _ROUND if step * power >= rough * (1 - 1e-9))


def inner_ticks(low: float, high: float) -> list[float]:
    """Return the round numbers between two ends."""
    step = tick_step(high - low)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 10) for place in range(first, last + 1)]


def width_of(text: str) -> float:
    """Return about how many pixels a text takes."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return wide * _FULL + (len(text) - wide) * _NARROW


def shorten(text: str, room: float) -> str:
    """Return the beginning of a text that fits into so many pixels."""
    if width_of(text) <= room:
        return text
    end = len(text)
    while end > 1 and width_of(text[:end]) + _NARROW > room:
        end -= 1
    return f"{text[:end].rstrip()}…"


def words(x: float, y: float, text: str, kind: str = "", anchor: str = "") -> Markup:
    """Return a text whose baseline begins at a point; `anchor` is middle or end."""
    return Markup("<text{}{}{}{}>{}</text>").format(
        _attribute("x", x),
        _attribute("y", y),
        _attribute("class", kind),
        _attribute("text-anchor", anchor),
        text,
    )


def box(x: float, y: float, width: float, height: float, kind: str, **more: object) -> Markup:
    """Return a rectangle; `more` are further attributes."""
    attributes = {"x": x, "y": y, "width": max(width, 0), "height": max(height, 0), "class": kind}
    return shape("rect", **attributes, **more)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """Return a straight line."""
    return shape(
        "path", d=f"M{_number(x1)} {_number(y1)}L{_number(x2)} {_number(y2)}", **{"class": kind}
    )


def path(points: Sequence[tuple[float, float]], kind: str) -> Markup:
    """Return a line through some points."""
    steps = "L".join(f"{_number(x)} {_number(y)}" for x, y in points)
    return shape("path", d=f"M{steps}", **{"class": kind})


def shape(name: str, **attributes: object) -> Markup:
    """Return an element without a title; attributes that are None are left out."""
    written = Markup("").join(
        _attribute(key.replace("_", "-"), value) for key, value in attributes.items()
    )
    return Markup("<{}{}/>").format(name, written)


def titled(title: str, parts: Iterable[Markup], **attributes: object) -> Markup:
    """Return some shapes that show a title when they are pointed at."""
    written = Markup("").join(
        _attribute(key.replace("_", "-"), value) for key, value in attributes.items()
    )
    return Markup("<g{}><title>{}</title>{}</g>").format(written, title, Markup("").join(parts))


def mark(x: float, y: float, kind: str, form: int = 0) -> Markup:
    """Return a mark at a point: circle, square, diamond or triangle, by a number."""
    forms: tuple[Callable[[float], str], ...] = (
        lambda r: f"m{-r} 0a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0",
        lambda r: f"m{-r} {-r}h{2 * r}v{2 * r}h{-2 * r}z",
        lambda r: f"m0 {-1.4 * r}l{1.4 * r} {1.4 * r}l{-1.4 * r} {1.4 * r}l{-1.4 * r} {-1.4 * r}z",
        lambda r: f"m0 {-1.3 * r}l{1.3 * r} {2.3 * r}h{-2.6 * r}z",
    )
    outline = forms[form % len(forms)](3.5)
    return shape("path", d=f"M{_number(x)} {_number(y)}{outline}", **{"class": kind})


def legend(names: Sequence[str], kinds: Sequence[str], room: float) -> tuple[list[Markup], float]:
    """Return names with their colours from the top left on, in lines, and how high they are."""
    parts: list[Markup] = []
    x, y = 0.0, 12.0
    for name, kind in zip(names, kinds, strict=True):
        short = shorten(name or "(no name)", 200)
        if x and x + width_of(short) + 18 > room:
            x, y = 0.0, y + LINE
        parts.append(box(x, y - 9, 10, 10, kind))
        parts.append(words(x + 15, y, in_svg(short)))
        x += width_of(short) + 34
    return parts, y + 10


def _attribute(name: str, value: object) -> Markup:
    if value is None or value == "":
        return Markup("")
    if isinstance(value, float):
        value = _number(value)
    return Markup(' {}="{}"').format(name, value)


def _number(value: float) -> str:
    return f"{round(value, 1):g}"
