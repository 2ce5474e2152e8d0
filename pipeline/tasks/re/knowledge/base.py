"""The knowledge base of a call: names with their types, and which names are joined by what.

It lies in one file of SQLite, written once a call and then only read, so that neither the names nor
the facts are ever in memory as a whole.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

#: Values in one question to the database.
ASKED: Final = 500

#: `votes` and `raw` are what the making needs; `names` and `facts` stay.
_MAKING: Final = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE votes (name TEXT, type TEXT, weight INTEGER, title INTEGER);
    CREATE TABLE raw (subject TEXT, object TEXT, property TEXT, origin TEXT);
    CREATE TABLE faults (source TEXT, file TEXT, line INTEGER, rule TEXT, reason TEXT);
"""
_SEALED: Final = """
    CREATE TABLE names (name TEXT PRIMARY KEY, type TEXT, title INTEGER) WITHOUT ROWID;
    INSERT INTO names
    SELECT name, max(type) FILTER (WHERE place = 1), max(title) FROM (
        SELECT name, type, title, row_number() OVER (
            PARTITION BY name ORDER BY type IS NULL, weight DESC, type) AS place
        FROM (SELECT name, type, sum(weight) AS weight, max(title) AS title
              FROM votes GROUP BY name, type)
    ) GROUP BY name ORDER BY name;
    CREATE TABLE facts (subject TEXT, object TEXT, property TEXT, origin TEXT,
        PRIMARY KEY (subject, object, property, origin)) WITHOUT ROWID;
    INSERT OR IGNORE INTO facts SELECT * FROM raw ORDER BY 1, 2, 3, 4;
    DROP TABLE votes;
    DROP TABLE raw;
"""


class Known(NamedTuple):
    """What is known of a name: its type, if at all, and whether it is an occupation or position."""

    type: str | None
    title: bool


class Joined(NamedTuple):
    """A fact: the keys of its subject and object (`values.key`), its property, and its origin."""

    subject: str
    object: str
    property: str
    origin: str


class Fault(NamedTuple):
    """A record of a resource that states nothing usable: where it lies, the rule, and why."""

    source: str
    file: str
    line: int
    rule: str
    reason: str


@dataclass(frozen=True)
class Knowledge:
    """A knowledge base that is written or read."""

    database: sqlite3.Connection

    def vote(self, name: str, kind: str | None, *, weight: int = 1, title: bool = False) -> None:
        """Note a name with a type that speaks for it (None: none does), and how much."""
        row = (name, kind, weight, title)
        self.database.execute("INSERT INTO votes VALUES (?, ?, ?, ?)", row)

    def join(self, facts: Iterable[Joined]) -> None:
        """Add facts."""
        self.database.executemany("INSERT INTO raw VALUES (?, ?, ?, ?)", facts)

    def note(self, fault: Fault) -> None:
        """Keep a fault for the ledger."""
        self.database.execute("INSERT INTO faults VALUES (?, ?, ?, ?, ?)", fault)

    def faults(self) -> Iterator[Fault]:
        """Yield the faults in the order in which they were met."""
        rows = self.database.execute("SELECT * FROM faults ORDER BY rowid")
        yield from (Fault(*row) for row in rows)

    def known(self, names: Iterable[str]) -> dict[str, Known]:
        """Return what is known of those of the names that the base has."""
        return {
            name: Known(kind, bool(title))
            for some in _parts(names)
            for name, kind, title in self.database.execute(
                f"SELECT name, type, title FROM names WHERE name IN ({_marks(some)})", some
            )
        }

    def between(self, keys: Iterable[str]) -> list[Joined]:
        """Return the facts whose subject and object are both among the keys, in order."""
        asked = sorted(set(keys))[:ASKED]
        question = f"SELECT * FROM facts WHERE subject IN ({_marks(asked)})"
        question += f" AND object IN ({_marks(asked)}) ORDER BY 1, 2, 3, 4"
        return [Joined(*row) for row in self.database.execute(question, [*asked, *asked])]


@contextmanager
def written(path: Path) -> Iterator[Knowledge]:
    """Open a new knowledge base to be filled, and seal it in the end."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.executescript(_MAKING)
        database.execute("BEGIN")
        yield Knowledge(database)
        database.execute("COMMIT")
        database.executescript(_SEALED)
    finally:
        database.close()


@contextmanager
def opened(path: Path) -> Iterator[Knowledge]:
    """Open a sealed knowledge base for reading."""
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        yield Knowledge(database)
    finally:
        database.close()


def _parts(names: Iterable[str]) -> Iterator[list[str]]:
    ordered = sorted(set(names))
    yield from (ordered[i : i + ASKED] for i in range(0, len(ordered), ASKED))


def _marks(values: list[str]) -> str:
    return ",".join("?" * len(values))
