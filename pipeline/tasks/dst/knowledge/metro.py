"""Metro lines: their file, the network they form, and journeys through it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import yaml
from pydantic import Field

from pipeline.core.errors import SpecError
from pipeline.core.specs import Many, Spec, Text, load
from pipeline.tasks.dst.schema import DATA

#: The lines that come with the project.
LINES: Final = DATA / "metro.yaml"
#: Each two of the served stations make a journey, so many thousand of them are too many.
MOST: Final = 300


#: Where in the file something is wrong (keys, and places in lists, from the top), and what.
_Fault = tuple[tuple[str | int, ...], str]


def load_metro(path: Path = LINES, areas: Sequence[str] | None = None) -> Metro:
    """Read the metro from a file; `areas` are the parts of the city that it may serve.

    Raises SpecError with file, line and key for every fault.
    """
    metro = load(path, Metro)
    faults = list(_faults(metro, areas)) or list(_unreachable(metro))
    if faults:
        root = yaml.compose(path.read_text("utf-8"), Loader=yaml.SafeLoader)
        assert root is not None  # an empty file does not load
        raise SpecError(
            "\n".join(
                f"{path}:{_line(root, where)}: {'.'.join(map(str, where))}: {what}"
                for where, what in faults
            )
        )
    return metro


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


def _faults(metro: Metro, areas: Sequence[str] | None) -> Iterator[_Fault]:
    """Yield unknown parts of the city, and served stations that are there twice or on no line."""
    for area in metro.served:
        if areas is not None and area not in areas:
            what = f"{area!r} is no part of the city; allowed are {', '.join(areas)}"
            yield ("served", area), what
    first: dict[str, str] = {}
    for station, where in _served(metro):
        if station in first:
            yield where, f"{station!r} is under {first[station]!r} too; keep one of them"
        first.setdefault(station, str(where[1]))
    for station, where in _served(metro):
        if not metro.lines_at(station):
            yield where, f"{station!r} is on no line; add it to one, or leave it out here"
    many = len(metro.stations)
    if not 2 <= many <= MOST:
        yield ("served",), f"{many} stations; journeys are made between 2 to {MOST} of them"


def _unreachable(metro: Metro) -> Iterator[_Fault]:
    start = metro.stations[0]
    reached = metro.reached(start)
    for station, where in _served(metro):
        if station not in reached:
            what = f"no way from {start} to {station}; let two lines share a station between"
            yield where, what


def _served(metro: Metro) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    for area, stations in metro.served.items():
        for place, station in enumerate(stations):
            yield station, ("served", area, place)


Minutes = Annotated[int, Field(ge=1, le=120)]
Won = Annotated[int, Field(ge=0, le=100_000)]
#: A platform: a station, and the line that stops there.
Platform = tuple[str, str]


class Line(Spec):
    """Stations in their order; a `loop` goes on from the last to the first."""

    line: Text
    loop: bool = False
    stations: Annotated[Many[Text], Field(min_length=2)]


class Time(Spec):
    """Minutes from stop to stop, and for a change of line."""

    stop: Minutes
    change: Minutes


class Fare(Spec):
    """Won for a journey of up to `stops`, and `more` for every further `every` stops begun."""

    base: Won
    stops: Minutes
    more: Won
    every: Minutes


class Journey(NamedTuple):
    """The quickest way: lines at both ends, minutes, changes, stops, and its legs in words."""

    start: str
    end: str
    first_line: str
    last_line: str
    minutes: int
    changes: int
    stops: int
    path: str


class Metro(Spec):
    """Lines, and the stations that journeys start and end at, by part of the city."""

    lines: Annotated[Many[Line], Field(min_length=1)]
    served: Annotated[dict[str, Many[Text]], Field(min_length=1)]
    minutes: Time
    fare: Fare

    @cached_property
    def stations(self) -> list[str]:
        """Return the served stations, in the order of the file."""
        return [station for names in self.served.values() for station in names]

    def journeys(self) -> Iterator[Journey]:
        """Yield the quickest journey from each served station to each other.

        Ties go to fewer changes, then to the way whose platforms come first by name.
        """
        for start in self.stations:
            best = self._reached(start)
            for end in self.stations:
                if end != start:
                    arrivals = [(*best[end, line], line) for line in self._platforms[end]]
                    yield self._journey(min(arrivals)[2])

    def lines_at(self, station: str) -> list[str]:
        """Return the lines that stop at a station."""
        return self._platforms.get(station, [])

    def reached(self, start: str) -> set[str]:
        """Return the stations that there is a way to from a station that lies on a line."""
        return {station for station, _ in self._reached(start)}

    def price(self, stops: int) -> int:
        """Return the fare in won."""
        further = max(stops - self.fare.stops, 0)
        return self.fare.base + self.fare.more * -(-further // self.fare.every)

    def _journey(self, way: tuple[Platform, ...]) -> Journey:
        # way alternates by line: a change keeps the station and takes another line
        changes = [(a, b) for a, b in pairwise(way) if a[0] == b[0]]
        legs = [f"{way[0][0]} {way[0][1]}", *(f"{b[0]} {b[1]}" for _, b in changes), way[-1][0]]
        stops = len(way) - 1 - len(changes)
        return Journey(
            start=way[0][0],
            end=way[-1][0],
            first_line=way[0][1],
            last_line=way[-1][1],
            minutes=stops * self.minutes.stop + len(changes) * self.minutes.change,
            changes=len(changes),
            stops=stops,
            path=" → ".join(legs),
        )

    def _reached(self, start: str) -> dict[Platform, tuple[int, int, tuple[Platform, ...]]]:
        """Return minutes, changes and way to every platform (Dijkstra, 1959)."""
        best: dict[Platform, tuple[int, int, tuple[Platform, ...]]] = {}
        waiting: list[tuple[int, int, tuple[Platform, ...]]] = [
            (0, 0, ((start, line),)) for line in self._platforms[start]
        ]
        while waiting:
            minutes, changes, way = heapq.heappop(waiting)
            here = way[-1]
            if here in best:
                continue
            best[here] = (minutes, changes, way)
            for there in self._next[here]:
                if there not in best:
                    change = there[0] == here[0]
                    step = self.minutes.change if change else self.minutes.stop
                    heapq.heappush(waiting, (minutes + step, changes + change, (*way, there)))
        return best

    @cached_property
    def _platforms(self) -> dict[str, list[str]]:
        lines: dict[str, dict[str, None]] = {}
        for line in self.lines:
            for station in line.stations:
                lines.setdefault(station, {})[line.line] = None
        return {station: list(names) for station, names in lines.items()}

    @cached_property
    def _next(self) -> dict[Platform, list[Platform]]:
        following: dict[Platform, list[Platform]] = {
            (station, line): [(station, other) for other in lines if other != line]
            for station, lines in self._platforms.items()
            for line in lines
        }
        for line in self.lines:
            stops = [*line.stations, *(line.stations[:1] if line.loop else ())]
            for a, b in pairwise(stops):
                following[a, line.line].append((b, line.line))
                following[b, line.line].append((a, line.line))
        return following
