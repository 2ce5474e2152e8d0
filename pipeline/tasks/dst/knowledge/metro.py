"""Metro lines: their file, the network they form, and journeys through it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from pipeline.core.specs import Location, Many, Spec, Text, load
from pipeline.tasks.dst.schema import DATA

#: The lines that come with the project.
LINES: Final = DATA / "metro.yaml"
#: Each two of the served stations make a journey, so many thousand of them are too many.
MOST: Final = 300


def load_metro(path: Path = LINES, areas: Sequence[str] | None = None) -> Metro:
    """Read the metro from a file; `areas` are the parts of the city that it may serve.

    Raises SpecError with file, line and key for every fault.
    """
    return load(
        path, Metro, faults=lambda metro: [*_faults(metro, areas)] or [*_unreachable(metro)]
    )


def _faults(metro: Metro, areas: Sequence[str] | None) -> Iterator[tuple[Location, str]]:
    """Yield unknown parts of the city, and served stations that are there twice or on no line."""
    for area in metro.served:
        if areas is not None and area not in areas:
            allowed = ", ".join(areas)
            yield ("served", area), f"{area!r} is no part of the city; allowed are {allowed}"
    first: dict[str, str] = {}
    for area, place, station in metro.places:
        where = ("served", area, place)
        if station in first:
            yield where, f"{station!r} is under {first[station]!r} too; keep one of them"
        first.setdefault(station, area)
        if station not in metro.platforms:
            yield where, f"{station!r} is on no line; add it to one, or leave it out here"
    count = len(metro.stations)
    if not 2 <= count <= MOST:
        yield ("served",), f"{count} stations; journeys are made between 2 to {MOST} of them"


def _unreachable(metro: Metro) -> Iterator[tuple[Location, str]]:
    start = metro.stations[0]
    reached = {station for station, _ in metro.ways_from(start)}
    for area, place, station in metro.places:
        if station not in reached:
            yield (
                ("served", area, place),
                f"no way from {start} to {station}; let two lines share a station between",
            )


Minutes = Annotated[int, Field(ge=1, le=120)]
Won = Annotated[int, Field(ge=0, le=100_000)]
#: A platform: a station, and the line that stops there.
Platform = tuple[str, str]
#: A way with its minutes and changes before its platforms.
Way = tuple[int, int, tuple[Platform, ...]]


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
    def places(self) -> list[tuple[str, int, str]]:
        """Return the served stations in the order of the file, each behind its key and place."""
        return [(area, *at) for area, names in self.served.items() for at in enumerate(names)]

    @cached_property
    def stations(self) -> list[str]:
        """Return the served stations, in the order of the file."""
        return [station for _, _, station in self.places]

    def journeys(self) -> Iterator[Journey]:
        """Yield the quickest journey from each served station to each other.

        Ties go to fewer changes, then to the way whose platforms come first by name.
        """
        for start in self.stations:
            best = self.ways_from(start)
            for end in self.stations:
                if end != start:
                    arrivals = [(*best[end, line], line) for line in self.platforms[end]]
                    yield self._journey(min(arrivals)[2])

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

    def ways_from(self, start: str) -> dict[Platform, Way]:
        """Return the quickest way to every platform that there is one to (Dijkstra, 1959)."""
        best: dict[Platform, Way] = {}
        waiting: list[Way] = [(0, 0, ((start, line),)) for line in self.platforms[start]]
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
    def platforms(self) -> dict[str, list[str]]:
        """Return the lines that stop at each station."""
        lines: dict[str, dict[str, None]] = {}
        for line in self.lines:
            for station in line.stations:
                lines.setdefault(station, {})[line.line] = None
        return {station: list(names) for station, names in lines.items()}

    @cached_property
    def _next(self) -> dict[Platform, list[Platform]]:
        following: dict[Platform, list[Platform]] = {
            (station, line): [(station, other) for other in lines if other != line]
            for station, lines in self.platforms.items()
            for line in lines
        }
        for line in self.lines:
            stops = [*line.stations, *(line.stations[:1] if line.loop else ())]
            for a, b in pairwise(stops):
                following[a, line.line].append((b, line.line))
                following[b, line.line].append((a, line.line))
        return following
