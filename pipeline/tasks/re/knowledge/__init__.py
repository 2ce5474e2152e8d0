"""The knowledge base of a call: names with their types, and the facts between names.

It is one SQLite file. `Builder` fills it once a call, from triples and infoboxes; then it is only
read, so that neither the names nor the facts are ever in memory as a whole.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, starmap
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from pipeline.core.errors import InputError
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.tasks.re.knowledge.properties import (
    OCCUPATION_RELATION,
    Properties,
    dates,
    is_name,
    key_of,
    split_title,
    surfaces,
)
from pipeline.tasks.re.knowledge.triples import (
    FORMATS,
    INSTANCE,
    RULE,
    Broken,
    Triple,
    read_triples,
)

#: The most names or keys in one query. SQLite limits the variables of a query.
QUERY_LIMIT: Final = 500

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

    def add(
        self,
        table: Literal["type_evidence", "raw_facts", "faults"],
        row: Sequence[str | int | None],
    ) -> None:
        """Add a row to a base that is being written; see `_CREATE_TABLES`."""
        self.database.execute(f"INSERT INTO {table} VALUES ({_marks(row)})", row)

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

        Only the first 500 keys in sorted order count. The keys are the entities of one sentence,
        which hardly ever has so many; the cut bounds the query.
        """
        first = sorted(set(keys))[:QUERY_LIMIT]
        marks = _marks(first)
        query = f"SELECT * FROM facts WHERE subject IN ({marks}) AND object IN ({marks})"
        rows = self.database.execute(f"{query} ORDER BY 1, 2, 3, 4", [*first, *first])
        return list(starmap(Fact, rows))


@contextmanager
def create_knowledge(path: Path) -> Iterator[Knowledge]:
    """Create a knowledge base, open for writing; its tables are finished at the end."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.executescript(_CREATE_TABLES)
        database.execute("BEGIN")
        yield Knowledge(database)
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


#: The weight of an infobox or a class as evidence for the type of a page; a property has 1.
PAGE_WEIGHT: Final = 100
#: Characters of the longest value of a parameter; a longer one is prose or broken mark-up.
PROSE: Final = 2_000
#: What is left of wiki text where braces or brackets do not close.
_MARKUP: Final = ("{{", "}}", "[[", "]]", "{|", "|}")


@dataclass(frozen=True)
class Builder:
    """Fills a knowledge base, with the map of properties and the spec's labels by id."""

    base: Knowledge
    properties: Properties
    labels: Mapping[str, Mapping[str, Any]]

    def add_file(self, path: Path, name: str, form: str) -> None:
        """Add the triples of a file; evidence and ledger call it `name`.

        Raises InputError for an unreadable file and for one without a triple.
        """
        if form == "base":
            self.base.add_base(path)
            return
        count, why = 0, ""
        for record in read_triples(path, form, self.base.database):
            if isinstance(record, Broken):
                why = why or f" (line {record.line}: {record.reason})"
                fault = (path.name, record.line, RULE, record.reason, name)
                self.base.add("faults", fault)
            else:
                count += 1
                self._add_triple(record, name)
        if not count:
            raise InputError(
                f"{path}: no triple in it{why}; a file of format {form} holds {FORMATS[form]}"
            )

    def add_infoboxes(self, call: Call, source: str) -> None:
        """Add the facts of the infoboxes of a source (INFOBOXES)."""
        tables = inputs.rows(call, source, "infoboxes")
        for row in chain.from_iterable(table.to_pylist() for table in tables):
            self.add_infobox(row, source)

    def add_infobox(self, row: Mapping[str, Any], origin: str) -> None:
        """Add what a parameter of an infobox tells (a row of INFOBOXES).

        Of one that means a relation all parts of its value count, of another only the pages that it
        links to.
        """
        page = split_title(row["title"])
        reason = _infobox_fault(page.name, row["value"])
        if reason is not None:
            fault = (row["document"], row["ordinal"], "re.infobox@1", reason, origin)
            self.base.add("faults", fault)
            return
        template = self.properties.type_by("templates", row["template"])
        kind = template or self.properties.type_by_qualifier(page.qualifier)
        self._add_name(page.name, kind, PAGE_WEIGHT)
        rule = self.properties.rule(row["name"], kind)
        value = row["value"] if rule is not None and rule.relation is not None else ""
        for object_ in surfaces(value, row["links"]):
            self._add_fact(page.name, row["name"], object_, kind, origin)

    def _add_triple(self, triple: Triple, origin: str) -> None:
        subject = split_title(triple.subject)
        if triple.relation == INSTANCE:
            self._add_name(
                subject.name, self.properties.type_by("classes", triple.object), PAGE_WEIGHT
            )
            return
        kind = self.properties.type_by_qualifier(subject.qualifier)
        self._add_name(subject.name, kind, PAGE_WEIGHT)
        object_ = split_title(triple.object)
        self._add_name(
            object_.name, self.properties.type_by_qualifier(object_.qualifier), PAGE_WEIGHT
        )
        for name in (object_.name, *(dates(triple.object) if triple.object[:1].isdigit() else [])):
            self._add_fact(subject.name, triple.relation, name, kind, origin)

    def _add_fact(
        self, subject: str, name: str, object_: str, kind: str | None, origin: str
    ) -> None:
        """Add one fact, and the types of its ends according to its property."""
        rule = self.properties.rule(name, kind)
        applies = rule is not None and rule.of in (None, kind)
        ends = self.properties.ends(rule, self.labels) if rule and applies else (None, None)
        is_occupation = rule is not None and rule.relation == OCCUPATION_RELATION
        self._add_name(subject, kind or ends[0], 1)
        self._add_name(object_, ends[1], 1, is_occupation=is_occupation)
        pair = key_of(subject), key_of(object_)
        if all(pair) and pair[0] != pair[1]:
            self.base.add("raw_facts", Fact(*pair, name, origin))

    def _add_name(
        self, name: str, kind: str | None, weight: int, *, is_occupation: bool = False
    ) -> None:
        if is_name(name) and not dates(name) and name not in self.properties.stop:
            self.base.add("type_evidence", (name, kind, weight, is_occupation))


def _infobox_fault(page: str, value: str) -> str | None:
    if not page:
        return "a page without a title"
    if any(mark in value for mark in _MARKUP):
        return "a value with mark-up that is not closed"
    if len(value) > PROSE:
        return f"a value of more than {PROSE} characters"
    return None
