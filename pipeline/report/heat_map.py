"""A heat map: numbers from nothing to the most as shades of one colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from pipeline.report.drawing import (
    WIDE,
    WIDTH,
    Drawing,
    box,
    drawing,
    shorten,
    titled,
    width_of,
    words,
)
from pipeline.report.numbers import format_number
from pipeline.report.record import Form

#: Up to this many columns a heat map writes its numbers into the cells.
WRITTEN: Final = 12
_NAME: Final = 150
#: Above this share of the most a cell is so dark that its number is written in the other ink.
_DARK: Final = 0.66
Numbers = Sequence[Sequence[float | None]]


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Numbers,
    *,
    form: Form = "two",
    notes: Sequence[Sequence[str]] | None = None,
) -> Drawing:
    """Return a heat map; an empty cell is a pair without a value.

    `notes` are what pointing at a cell tells besides its number. Negative numbers are as pale as 0.
    """
    width = WIDE if len(columns) > 20 else WIDTH
    left = min(_NAME, max(map(width_of, rows), default=0)) + 8
    names = min(_NAME, max(map(width_of, columns), default=0))
    slanted = names > (width - left) / max(1, len(columns)) - 4
    wide = (width - left - slanted * names * 0.5) / max(1, len(columns))
    top = names * 0.87 + 14 if slanted else 20.0
    tall = max(13.0, min(26.0, wide))
    most = max((abs(n) for row in cells for n in row if n is not None), default=0) or 1
    parts = list(_heads(columns, left, wide, top, slanted=slanted))
    for i, (name, row) in enumerate(zip(rows, cells, strict=True)):
        y = top + i * tall
        parts.append(words(left - 6, y + tall / 2 + 4, shorten(name, left - 8), "small", "end"))
        for j, number in enumerate(row):
            if number is None:
                continue
            told = format_number(number, form)
            note = f", {notes[i][j]}" if notes else ""
            is_written = len(columns) <= WRITTEN
            square = _cell(left + j * wide, y, wide, tall, max(number, 0) / most)
            ink = "small on" if number / most > _DARK else "small"
            middle = left + (j + 0.5) * wide, y + tall / 2 + 4
            text = [words(*middle, told, ink, "middle")] * is_written
            parts.append(titled(f"{name}, {columns[j]}: {told}{note}", [square, *text]))
    return drawing(parts, width, top + tall * len(rows) + 4)


def _cell(x: float, y: float, wide: float, tall: float, share: float) -> Markup:
    opacity = f"{0.06 + 0.94 * share:.2f}"
    return box(x, y, wide - 1, tall - 1, "heat", fill_opacity=opacity)


def _heads(
    columns: Sequence[str], left: float, wide: float, top: float, *, slanted: bool
) -> Iterator[Markup]:
    for place, name in enumerate(columns):
        x = left + (place + 0.5) * wide
        if not slanted:
            yield words(x, top - 6, name, "small", "middle")
            continue
        text = words(0, 0, shorten(name, _NAME), "small")
        place_of = f"translate({x - 2:.1f} {top - 5:.1f}) rotate(-60)"
        yield Markup('<g transform="{}">{}</g>').format(place_of, text)
