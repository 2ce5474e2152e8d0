"""The metro: its lines and stations, and the quickest journey between two stations."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Annotated, NamedTuple

from pydantic import Field

from pipeline.core.specs import Many, Spec, Text

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
        first: list[Platform] = [(start, line) for line in self._platforms[start]]
        waiting: list[tuple[int, int, tuple[Platform, ...]]] = [(0, 0, (p,)) for p in first]
        while waiting:
            minutes, changes, way = heapq.heappop(waiting)
            here = way[-1]
            if here in best:
                continue
            best[here] = (minutes, changes, way)
            for there in self._next[here]:
                change = there[0] == here[0]
                step = self.minutes.change if change else self.minutes.stop
                entry = (minutes + step, changes + change, (*way, there))
                if there not in best:
                    heapq.heappush(waiting, entry)
        return best

    @cached_property
    def _platforms(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in self.lines:
            for station in one.stations:
                lines = found.setdefault(station, [])
                if one.line not in lines:
                    lines.append(one.line)
        return found

    @cached_property
    def _next(self) -> dict[Platform, list[Platform]]:
        found: dict[Platform, list[Platform]] = {
            (station, line): [(station, other) for other in lines if other != line]
            for station, lines in self._platforms.items()
            for line in lines
        }
        for one in self.lines:
            ends = [(one.stations[-1], one.stations[0])] if one.loop else []
            for a, b in [*pairwise(one.stations), *ends]:
                found[a, one.line].append((b, one.line))
                found[b, one.line].append((a, one.line))
        return found
