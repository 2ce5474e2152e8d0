"""What the series of a chart say at each place, and the colours by which they are told apart.

Splits have the same colours in every chart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

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
#: So many points of a line are marked, and so many bars of a single series say their number.
MARKED: Final = 30


class Slot(NamedTuple):
    """All series at one place: its name, and a number for each series."""

    name: str
    numbers: Sequence[float | None]


def slots_of(chart: Chart, names: Sequence[str]) -> list[Slot]:
    """Return what all series say at each of the named places."""
    columns: list[Mapping[str, float | None]] = [
        {axis_label(x): y for x, y in zip(series.x, series.y, strict=True)}
        for series in chart.series
    ]
    return [Slot(name, [column.get(name) for column in columns]) for name in names]


def axis_label(cell: Cell) -> str:
    """Return what stands on an axis for a place of a chart."""
    if cell is None:
        return "none"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


def names_of(series: Sequence[Series]) -> list[str]:
    """Return the names of all places, in the order in which they first occur."""
    return list(dict.fromkeys(axis_label(x) for line in series for x in line.x))


def names_in_order(series: Sequence[Series]) -> list[str]:
    """Return all names, in their order where each series has its own in order, such as months."""
    by_line = [[axis_label(x) for x in line.x] for line in series]
    all_names = names_of(series)
    return sorted(all_names) if all(names == sorted(names) for names in by_line) else all_names


def colours_of(series: Sequence[Series]) -> list[str]:
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


def title_of(chart: Chart, slot: Slot) -> str:
    """Return what pointing at a place tells: its name, and the numbers of all series."""
    numbers = [number_text(number, chart.form) for number in slot.numbers]
    if len(numbers) == 1:
        return f"{slot.name}: {numbers[0]}"
    names = (series.name for series in chart.series)
    pairs = zip(names, numbers, strict=True)
    return f"{slot.name}: " + "; ".join(f"{name} {told}" for name, told in pairs if told)


def number_text(number: float | None, form: Form) -> str:
    """Return a number as text; nothing for none."""
    if number is None:
        return ""
    return format_number(number, "share" if form == "share" else "whole")


def written(chart: Chart, names: Sequence[str], slot: Slot) -> float | None:
    """Return the number that stands at a bar: of a single series, where there is room."""
    if len(chart.series) > 1 or len(names) > MARKED:
        return None
    return slot.numbers[0]


def place_name(name: str) -> str | Markup:
    """Return the name of a place as a drawing shows it; that of no value is translated."""
    return in_svg(name) if name.startswith("other") or name == "none" else name


def cells_of(name: str) -> int:
    """Return how wide a name is, in half-width letters."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in name)
