"""Triples out of the JSON dump of Wikidata: an array with one entity a line, packed or not.

Of it, entities with a Korean label are taken; a line without the letters ``"ko"`` has none and is
not parsed, which is most of a dump. It is read once; labels and claims are kept in a database on
disk, since a claim may point to a later entity.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from pipeline.core.errors import InputError
from pipeline.tasks.re.knowledge.base import ALIASES
from pipeline.tasks.re.knowledge.triples import Broken, Triple, read_records

#: The property "instance of": its object stays the id of a class.
INSTANCE: Final = "P31"
#: Characters of a date by the precision of its time: day, month, year.
_LENGTHS: Final = {11: 10, 10: 7, 9: 4}
#: Claims that are held before they are written.
_HELD: Final = 10_000
_TABLES: Final = (
    "CREATE TABLE labels (id TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID",
    "CREATE TABLE claims (subject TEXT, relation TEXT, object TEXT, line INTEGER)",
)
_JOINED: Final = f"""
    SELECT s.name, c.relation,
        CASE WHEN c.relation = '{INSTANCE}' THEN c.object ELSE coalesce(o.name, c.object) END,
        c.line
    FROM claims c JOIN labels s ON s.id = c.subject LEFT JOIN labels o ON o.id = c.object
    WHERE o.id IS NOT NULL OR c.relation = '{INSTANCE}' OR c.object NOT GLOB 'Q[0-9]*'
    ORDER BY c.rowid
"""


def read_wikidata(
    path: Path, scratch: sqlite3.Connection, *, keeps: Callable[[str], bool]
) -> Iterator[Triple | Broken]:
    """Yield the broken lines of a dump, then its triples, with labels in place of ids.

    Objects are entities, dates (year, month and day as far as they are known) and other names
    (relation `ALIASES`); of the properties those that `keeps` accepts, and `INSTANCE`. The tables
    are created in `scratch` and removed. Raises InputError as `read_records`, and for an array
    without its end.
    """
    for table in _TABLES:
        scratch.execute(table)
    dump = _Dump(scratch, keeps)
    for record in read_records(path, dump.add, "wikidata", "entities"):
        if isinstance(record, Broken):
            yield record
    dump.write()
    if dump.brackets == [b"["]:
        raise InputError(f"{path}: is cut off: its array has no end; make or fetch it again")
    yield from (Triple(*row) for row in scratch.execute(_JOINED))
    for name in ("claims", "labels"):
        scratch.execute(f"DROP TABLE {name}")


@dataclass
class _Dump:
    """Labels and claims of the entities so far, and the brackets of the array."""

    scratch: sqlite3.Connection
    keeps: Callable[[str], bool]
    brackets: list[bytes] = field(default_factory=list)
    _labels: list[tuple[str, str]] = field(default_factory=list)
    _claims: list[tuple[str, str, str, int]] = field(default_factory=list)
    _kept: dict[str, bool] = field(default_factory=lambda: {INSTANCE: True})

    def add(self, line: bytes, number: int) -> bool | None:
        """Keep label and claims of an entity with a Korean label; return None for a bracket.

        Raises ValueError for a broken line. Of a line without such a label only its ends and the
        key "id" are looked at.
        """
        text = line.strip().rstrip(b",")
        if text in (b"", b"[", b"]"):
            self.brackets += [text] if text else []
            return None
        if b'"ko"' in text or not (text[:1] == b"{" and text[-1:] == b"}"):
            self._add_entity(_parse(text), number)
        elif b'"id"' not in text:
            raise ValueError('no entity with an "id"')
        return True

    def write(self) -> None:
        """Write what is held."""
        self.scratch.executemany("INSERT OR REPLACE INTO labels VALUES (?, ?)", self._labels)
        self.scratch.executemany("INSERT INTO claims VALUES (?, ?, ?, ?)", self._claims)
        self._labels, self._claims = [], []

    def _add_entity(self, entity: Any, number: int) -> None:
        if not isinstance(entity, dict) or not isinstance(entity.get("id"), str):
            raise ValueError('no entity with an "id"')
        name = _inside(entity, "labels", "ko", "value")
        if isinstance(name, str) and name.strip():
            own = entity["id"]
            self._labels.append((own, name))
            claims, aliases = list(self._statements(entity)), list(_aliases(entity))
            self._claims += [(own, ALIASES, alias, number) for alias in aliases]
            self._claims += [(own, relation, value, number) for relation, value in claims]
            # An alias is an instance of the same classes, under an id of its own.
            classes = [value for relation, value in claims if relation == INSTANCE]
            for n, alias in enumerate(aliases if classes else ()):
                self._labels.append((f"{own}#{n}", alias))
                self._claims += [(f"{own}#{n}", INSTANCE, value, number) for value in classes]
            if len(self._claims) >= _HELD:
                self.write()

    def _statements(self, entity: dict[str, Any]) -> Iterator[tuple[str, str]]:
        claims = entity.get("claims")
        for relation, statements in claims.items() if isinstance(claims, dict) else ():
            if relation not in self._kept:
                self._kept[relation] = self.keeps(relation)
            if not self._kept[relation] or not isinstance(statements, list):
                continue
            for statement in statements:
                value = _value(_inside(statement, "mainsnak", "datavalue", "value"))
                if value is not None and _inside(statement, "rank") != "deprecated":
                    yield relation, value


def _parse(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        raise ValueError("not JSON") from None


def _aliases(entity: dict[str, Any]) -> Iterator[str]:
    aliases = _inside(entity, "aliases", "ko")
    for alias in aliases if isinstance(aliases, list) else ():
        value = _inside(alias, "value")
        if isinstance(value, str) and value.strip():
            yield value


def _value(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("id"), str):
        return str(value["id"])
    time, precision = value.get("time"), value.get("precision")
    if not isinstance(time, str) or not isinstance(precision, int) or not time.startswith("+"):
        return None
    return time[1 : 1 + _LENGTHS[precision]] if precision in _LENGTHS else None


def _inside(value: Any, *path: str) -> Any:
    """Return what lies at a path of keys, or None where anything on the way is no object."""
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value
