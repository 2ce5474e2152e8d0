"""The board at one moment: a version, a half of test, and the entries that are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Connection

from pipeline.leaderboard import entries, versions
from pipeline.leaderboard.records import Entry, Part, RefusedError, Version


@dataclass(frozen=True)
class Snapshot:
    """What one page shows; `version` is None before the first one is opened."""

    version: Version | None
    versions: Sequence[Version]
    part: Part
    entries: Sequence[Entry]

    @cached_property
    def ranked(self) -> Mapping[tuple[str, str], int]:
        """Return how many systems have a rank, by task and metric."""
        return Counter(
            (entry.submission.task, metric) for entry in self.entries for metric in entry.standings
        )

    @property
    def newest(self) -> Version | None:
        """Return the version that takes submissions."""
        return max(self.versions, key=lambda version: version.number, default=None)

    @property
    def is_newest(self) -> bool:
        """Tell whether this is the version that takes submissions."""
        return self.version == self.newest

    @property
    def closed(self) -> bool:
        """Tell whether the hidden half of this version was opened."""
        return self.version is not None and self.version.closed_at is not None

    def of_task(self, task: str) -> list[Entry]:
        """Return the entries of a task."""
        return [entry for entry in self.entries if entry.submission.task == task]


def take(connection: Connection, *, number: int | None, part: Part | None) -> Snapshot:
    """Read a version, the current one if none is named, and one half of test.

    Of a closed version that is the final half unless the other one is asked for. Raises
    RefusedError (404) for an unknown version and for a half that is still hidden.
    """
    known = versions.all_versions(connection)
    version = _chosen(connection, known, number)
    closed = version is not None and version.closed_at is not None
    if part == "final" and not closed:
        raise RefusedError(404, "the final half is hidden until the organiser closes the board")
    shown: Part = part or ("final" if closed else "public")
    if version is None:
        return Snapshot(None, known, shown, ())
    found = entries.entries(connection, version=version.number, part=shown)
    return Snapshot(version, known, shown, found)


def _chosen(connection: Connection, known: Sequence[Version], number: int | None) -> Version | None:
    if number is None:
        return versions.current(connection)
    found = next((version for version in known if version.number == number), None)
    if found is None:
        numbers = ", ".join(str(version.number) for version in known) or "none"
        raise RefusedError(404, f"there is no version {number}; versions: {numbers}")
    return found
