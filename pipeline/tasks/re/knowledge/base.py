"""The knowledge base of a call: names with their types, and the facts between names.

It is one SQLite file. A `Builder` fills it once a call; then it is only read, so that neither the
names nor the facts are ever in memory as a whole.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pipeline.core.errors import InputError

#: The most names or keys in one query. SQLite limits the variables of a query.
QUERY_LIMIT: Final = 500

#: Rows that are held before they are written.
_HELD: Final = 10_000
#: The weight of an infobox or a class as evidence for the type of a page; a property has 1.
PAGE_WEIGHT: Final = 100
#: The property that joins a name and another name of the same thing.
ALIASES: Final = "aliases"

#: `type_evidence` and `raw_facts` exist only while the base is written; `names` and `facts` stay.
_CREATE_TABLES: Final = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE type_evidence (name TEXT, type TEXT, weight INTEGER, is_occupation INTEGER);
    CREATE TABLE raw_facts (subject TEXT, object TEXT, property TEXT, origin TEXT);
    CREATE TABLE faults (file TEXT, line INTEGER, rule TEXT, reason TEXT, source TEXT);
"""
#: Of each name the type with most weight is kept, of equal ones the first by name.
_FINISH_TABLES: Final = """
    CREATE TABLE names (name TEXT PRIMARY KEY, type TEXT, is_occupation INTEGER) WITHOUT ROWID;
    INSERT INTO names
    SELECT name, max(type) FILTER (WHERE place = 1), max(is_occupation) FROM (
        SELECT name, type, is_occupation, row_number() OVER (
            PARTITION BY name ORDER BY type IS NULL, weight DESC, type) AS place
        FROM (SELECT name, type, sum(weight) AS weight, max(is_occupation) AS is_occupation
              FROM type_evidence GROUP BY name, type)
    ) GROUP BY name ORDER BY name;
    CREATE TABLE facts (subject TEXT, object TEXT, property TEXT, origin TEXT,
        PRIMARY KEY (subject, object, property, origin)) WITHOUT ROWID;
    INSERT OR IGNORE INTO facts SELECT * FROM raw_facts ORDER BY 1, 2, 3, 4;
    CREATE TABLE aliases (alias TEXT, name TEXT, PRIMARY KEY (alias, name)) WITHOUT ROWID;
    INSERT OR IGNORE INTO aliases
    SELECT object, subject FROM facts WHERE property = 'aliases' ORDER BY 1, 2;
    DROP TABLE type_evidence;
    DROP TABLE raw_facts;
"""


class NameInfo(NamedTuple):
    """The type of a name, if known, and whether it is an occupation or position."""

    type: str | None
    is_occupation: bool


class Fact(NamedTuple):
    """A fact: the keys of its subject and object (`key_of`), its property, and its origin."""

    subject: str
    object: str
    property: str
    origin: str


@dataclass(frozen=True)
class Knowledge:
    """An open knowledge base, to write or to read."""

    database: sqlite3.Connection
    _held: dict[str, list[Sequence[str | int | None]]] = field(
        default_factory=lambda: defaultdict(list), repr=False
    )
    _weights: Counter[tuple[str, str | None, bool]] = field(default_factory=Counter, repr=False)

    def add_evidence(
        self, name: str, kind: str | None, weight: int, *, is_occupation: bool = False
    ) -> None:
        """Add a name to a base that is being written, and so much evidence for its type."""
        self._weights[name, kind, is_occupation] += weight
        if len(self._weights) == _HELD:
            self._write_evidence()

    def _write_evidence(self) -> None:
        rows = ((name, kind, n, is_one) for (name, kind, is_one), n in self._weights.items())
        self.database.executemany("INSERT INTO type_evidence VALUES (?, ?, ?, ?)", rows)
        self._weights.clear()

    def add(self, table: Literal["raw_facts", "faults"], row: Sequence[str | int | None]) -> None:
        """Add a row to a base that is being written; see `_CREATE_TABLES`."""
        rows = self._held[table]
        rows.append(row)
        if len(rows) == _HELD:
            self._write(table)

    def write(self) -> None:
        """Write the rows that are held."""
        self._write_evidence()
        for table in self._held:
            self._write(table)

    def _write(self, table: str) -> None:
        if rows := self._held[table]:
            self.database.executemany(f"INSERT INTO {table} VALUES ({_marks(rows[0])})", rows)
            rows.clear()

    def add_base(self, path: Path) -> None:
        """Add names and facts of a finished base; raises InputError for a file that is none."""
        with open_base(path) as given:
            names = "SELECT name, type, ?, is_occupation FROM names ORDER BY name"
            self.database.executemany(
                "INSERT INTO type_evidence VALUES (?, ?, ?, ?)",
                given.database.execute(names, (PAGE_WEIGHT,)),
            )
            self.database.executemany(
                "INSERT INTO raw_facts VALUES (?, ?, ?, ?)",
                given.database.execute("SELECT * FROM facts ORDER BY 1, 2, 3, 4"),
            )

    @property
    def pairs(self) -> int:
        """Return how many pairs of names the base links, in either direction."""
        query = "SELECT DISTINCT min(subject, object), max(subject, object) FROM facts"
        (count,) = self.database.execute(f"SELECT count(*) FROM ({query})").fetchone()
        return int(count)

    def faults(self) -> Iterator[tuple[str, int, str, str, str]]:
        """Yield file, line, rule, reason and source of unusable records, in the order of adding."""
        yield from self.database.execute("SELECT * FROM faults ORDER BY rowid")

    @property
    def has_facts(self) -> bool:
        """Tell whether the base links any two names."""
        return self.database.execute("SELECT 1 FROM facts LIMIT 1").fetchone() is not None

    def look_up(self, names: Iterable[str]) -> dict[str, NameInfo]:
        """Return those of the names that the base has, with their types."""
        distinct = sorted(set(names))
        parts = (distinct[i : i + QUERY_LIMIT] for i in range(0, len(distinct), QUERY_LIMIT))
        return {
            name: NameInfo(kind, bool(is_occupation))
            for part in parts
            for name, kind, is_occupation in self.database.execute(
                f"SELECT name, type, is_occupation FROM names WHERE name IN ({_marks(part)})", part
            )
        }

    def facts_between(self, keys: Iterable[str]) -> list[Fact]:
        """Return the facts whose subject and object are both among the keys, in order.

        A key that is an alias stands for every name that has it, too. Only the first 500 keys and
        names in sorted order count. The keys are the entities of one sentence, which hardly ever
        has so many; the cut bounds the query.
        """
        given = sorted(set(keys))[:QUERY_LIMIT]
        keys_of = defaultdict[str, list[str]](list, {key: [key] for key in given})
        query = f"SELECT name, alias FROM aliases WHERE alias IN ({_marks(given)})"
        for name, alias in self.database.execute(f"{query} ORDER BY 1, 2", given):
            keys_of[name].append(alias)
        names = sorted(keys_of)[:QUERY_LIMIT]
        marks = _marks(names)
        query = f"SELECT * FROM facts WHERE subject IN ({marks}) AND object IN ({marks})"
        return sorted(
            {
                Fact(*pair, *about)
                for subject, object_, *about in self.database.execute(query, [*names, *names])
                for pair in product(keys_of[subject], keys_of[object_])
                if pair[0] != pair[1]
            }
        )


@contextmanager
def create_knowledge(path: Path) -> Iterator[Knowledge]:
    """Create a knowledge base, open for writing; its tables are finished at the end."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.executescript(_CREATE_TABLES)
        database.execute("BEGIN")
        base = Knowledge(database)
        yield base
        base.write()
        database.execute("COMMIT")
        database.executescript(_FINISH_TABLES)
    finally:
        database.close()


@contextmanager
def open_knowledge(path: Path) -> Iterator[Knowledge]:
    """Open a finished knowledge base for reading."""
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        yield Knowledge(database)
    finally:
        database.close()


@contextmanager
def open_base(path: Path) -> Iterator[Knowledge]:
    """Open a base that a user names; raises InputError for a file that is none, or damaged."""
    try:
        with open_knowledge(path) as base:
            yield base
    except sqlite3.Error as error:
        raise InputError(
            f"{path}: is no knowledge base, or damaged ({error}); use `klue knowledge build`"
        ) from None


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
