"""The metro of a user's: a YAML file, and what is wrong with it by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import yaml

from pipeline.core.errors import SpecError
from pipeline.core.specs import load
from pipeline.tasks.dst.ground.names import DATA
from pipeline.tasks.dst.knowledge.network import Metro

#: The lines that come with the project.
LINES: Final = DATA / "metro.yaml"
#: Each two of the served stations make a journey, so many thousand of them are too many.
MOST: Final = 300


class _Fault(NamedTuple):
    """What is wrong, and where: keys and places in lists, from the top of the file."""

    where: tuple[str | int, ...]
    what: str


def load_metro(path: Path = LINES, areas: Sequence[str] | None = None) -> Metro:
    """Read the metro from a file; `areas` are the parts of the city that it may serve.

    Raises SpecError with file, line and key for every fault.
    """
    metro = load(path, Metro)
    found = [*_strange(metro, areas), *_doubled(metro), *_lost(metro)] or list(_apart(metro))
    if found:
        root = yaml.compose(path.read_text("utf-8"), Loader=yaml.SafeLoader)
        assert root is not None  # an empty file does not load
        raise SpecError("\n".join(_told(path, root, fault) for fault in found))
    return metro


def _told(path: Path, root: yaml.Node, fault: _Fault) -> str:
    key = ".".join(map(str, fault.where))
    return f"{path}:{_line(root, fault.where)}: {key}: {fault.what}"


def _line(node: yaml.Node, where: Sequence[str | int]) -> int:
    """Return the line of a key, or of a place in a list."""
    mark = node.start_mark
    for part in where:
        if isinstance(node, yaml.MappingNode):
            key, node = next(pair for pair in node.value if pair[0].value == part)
            mark = key.start_mark
        else:
            node = node.value[part]
            mark = node.start_mark
    return int(mark.line) + 1


def _strange(metro: Metro, areas: Sequence[str] | None) -> Iterator[_Fault]:
    """Yield parts of the city that the spec does not know."""
    for area in metro.served:
        if areas is not None and area not in areas:
            yield _Fault(
                ("served", area),
                f"{area!r} is no part of the city; allowed are {', '.join(areas)}",
            )


def _doubled(metro: Metro) -> Iterator[_Fault]:
    first: dict[str, str] = {}
    for station, where in _served(metro):
        if station in first:
            yield _Fault(where, f"{station!r} is under {first[station]!r} too; keep one of them")
        first.setdefault(station, str(where[1]))


def _lost(metro: Metro) -> Iterator[_Fault]:
    """Yield served stations that no line stops at, and numbers of them that make no table."""
    for station, where in _served(metro):
        if not metro.lines_at(station):
            yield _Fault(where, f"{station!r} is on no line; add it to one, or leave it out here")
    many = len(metro.stations)
    if not 2 <= many <= MOST:
        yield _Fault(("served",), f"{many} stations; journeys are made between 2 to {MOST} of them")


def _apart(metro: Metro) -> Iterator[_Fault]:
    start = metro.stations[0]
    reached = metro.reached(start)
    for station, where in _served(metro):
        if station not in reached:
            yield _Fault(
                where, f"no way from {start} to {station}; let two lines share a station between"
            )


def _served(metro: Metro) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    for area, stations in metro.served.items():
        for place, station in enumerate(stations):
            yield station, ("served", area, place)
