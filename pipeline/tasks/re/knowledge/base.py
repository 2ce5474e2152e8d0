"""The knowledge base of a call: names with their types, and the facts between names.

It is one SQLite file, written once a call and then only read, so that neither the names nor the
facts are ever in memory as a whole.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

#: Values in one query.
ASKED: Final = 500

#: `votes` and `raw` exist only while the base is written; `names` and `facts` stay.
_OPEN: Final = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE votes (name TEXT, type TEXT, weight INTEGER, title INTEGER);
    CREATE TABLE raw (subject TEXT, object TEXT, property TEXT, origin TEXT);
    CREATE TABLE faults (source TEXT, file TEXT, line INTEGER, rule TEXT, reason TEXT);
"""
_SEAL: Final = """
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


class NameInfo(NamedTuple):
    """The type of a name, if known, and whether it is an occupation or position."""

    type: str | None
    title: bool


class Fact(NamedTuple):
    """A fact: the keys of its subject and object (`key_of`), its property, and its origin."""

    subject: str
    object: str
    property: str
    origin: str


class Fault(NamedTuple):
    """An unusable record of a resource: its place, the rule, and why."""

    source: str
    file: str
    line: int
    rule: str
    reason: str


@dataclass(frozen=True)
class Knowledge:
    """An open knowledge base, to write or to read."""

    database: sqlite3.Connection

    def vote(self, name: str, kind: str | None, *, weight: int = 1, title: bool = False) -> None:
        """Note a name and a vote for its type (None: no vote), with its weight."""
        row = (name, kind, weight, title)
        self.database.execute("INSERT INTO votes VALUES (?, ?, ?, ?)", row)

    def add_facts(self, facts: Iterable[Fact]) -> None:
        """Add facts."""
        self.database.executemany("INSERT INTO raw VALUES (?, ?, ?, ?)", facts)

    def add_fault(self, fault: Fault) -> None:
        """Keep a fault for the ledger."""
        self.database.execute("INSERT INTO faults VALUES (?, ?, ?, ?, ?)", fault)

    def faults(self) -> Iterator[Fault]:
        """Yield the faults in the order of adding."""
        rows = self.database.execute("SELECT * FROM faults ORDER BY rowid")
        yield from (Fault(*row) for row in rows)

    def look_up(self, names: Iterable[str]) -> dict[str, NameInfo]:
        """Return those of the names that the base has, with their types."""
        ordered = sorted(set(names))
        parts = (ordered[i : i + ASKED] for i in range(0, len(ordered), ASKED))
        return {
            name: NameInfo(kind, bool(title))
            for part in parts
            for name, kind, title in self.database.execute(
                f"SELECT name, type, title FROM names WHERE name IN ({_marks(part)})", part
            )
        }

    def facts_between(self, keys: Iterable[str]) -> list[Fact]:
        """Return the facts whose subject and object are both among the keys, in order."""
        asked = sorted(set(keys))[:ASKED]
        marks = _marks(asked)
        query = f"SELECT * FROM facts WHERE subject IN ({marks}) AND object IN ({marks})"
        rows = self.database.execute(f"{query} ORDER BY 1, 2, 3, 4", [*asked, *asked])
        return [Fact(*row) for row in rows]


@contextmanager
def create_knowledge(path: Path) -> Iterator[Knowledge]:
    """Create a knowledge base, open for writing; it is sealed at the end of the block."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.executescript(_OPEN)
        database.execute("BEGIN")
        yield Knowledge(database)
        database.execute("COMMIT")
        database.executescript(_SEAL)
    finally:
        database.close()


@contextmanager
def open_knowledge(path: Path) -> Iterator[Knowledge]:
    """Open a sealed knowledge base for reading."""
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        yield Knowledge(database)
    finally:
        database.close()


def _marks(values: list[str]) -> str:
    return ",".join("?" * len(values))
