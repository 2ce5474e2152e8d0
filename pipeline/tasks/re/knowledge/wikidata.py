"""Triples out of the JSON dump of Wikidata, of the entities that have a Korean label.

The dump is an array with one entity a line. It is read once; labels and claims wait in a database
on disk, since a claim may point to an entity that comes later.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.tasks.re.knowledge.triples import (
    BROKEN,
    Fact,
    Fault,
    lines,
    storable,
    text_of,
)

#: The property "instance of": its object stays the id of a class.
INSTANCE: Final = "P31"
#: What a file of this form holds.
DUMP: Final = "a JSON dump of Wikidata: an array with one entity a line, some with a Korean label"

_DAY, _MONTH, _YEAR = 11, 10, 9
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


def wikidata(path: Path, scratch: sqlite3.Connection) -> Iterator[Fact | Fault]:
    """Yield faults while the dump is read, then the triples, with labels in the place of ids.

    Objects are entities, dates (year, month and day as far as they are known) and other names
    (relation ``aliases``). Tables are made in `scratch` and removed. Raises InputError as
    `triples.lines` does, and for a file that is no such dump.
    """
    for table in _TABLES:
        scratch.execute(table)
    good = bad = 0
    for number, line in lines(path):
        try:
            good += _keep(scratch, _entity(text_of(line)), number)
        except ValueError as error:
            bad += 1
            if bad > BROKEN and good < bad:
                raise InputError(
                    f"{path}:{number}: {bad} broken lines, {good} entities; the last one:"
                    f" {error}; give {DUMP}, or name the file's real format"
                ) from None
            yield Fault(number, str(error))
    yield from (Fact(*row) for row in scratch.execute(_JOINED))
    for name in ("claims", "labels"):
        scratch.execute(f"DROP TABLE {name}")


def _entity(line: str) -> dict[str, Any] | None:
    """Return the entity of a line, or None for the brackets of the array and blank lines."""
    text = line.strip().rstrip(",")
    if text in ("", "[", "]"):
        return None
    try:
        found = parsed(text)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(found, dict) or not isinstance(found.get("id"), str):
        raise ValueError('no entity with an "id"')
    return found


def _keep(scratch: sqlite3.Connection, entity: dict[str, Any] | None, number: int) -> bool:
    """Keep label and claims of an entity with a Korean label; return whether there is an entity."""
    name = _text(entity, "labels") if entity else None
    if entity is None or name is None:
        return entity is not None
    found = [("aliases", alias) for alias in _aliases(entity)]
    found += list(_claims(entity))
    storable(entity["id"], name, *(text for pair in found for text in pair))
    scratch.execute("INSERT OR REPLACE INTO labels VALUES (?, ?)", (entity["id"], name))
    rows = [(entity["id"], relation, value, number) for relation, value in found]
    scratch.executemany("INSERT INTO claims VALUES (?, ?, ?, ?)", rows)
    return True


def _text(entity: dict[str, Any], part: str) -> str | None:
    value = _inside(entity, part, "ko", "value")
    return value if isinstance(value, str) and value.strip() else None


def _aliases(entity: dict[str, Any]) -> Iterator[str]:
    found = _inside(entity, "aliases", "ko")
    for alias in found if isinstance(found, list) else ():
        value = _inside(alias, "value")
        if isinstance(value, str) and value.strip():
            yield value


def _claims(entity: dict[str, Any]) -> Iterator[tuple[str, str]]:
    claims = entity.get("claims")
    for relation, statements in claims.items() if isinstance(claims, dict) else ():
        for statement in statements if isinstance(statements, list) else ():
            value = _value(_inside(statement, "mainsnak", "datavalue", "value"))
            if value is not None and _inside(statement, "rank") != "deprecated":
                yield relation, value


def _value(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("id"), str):
        return str(value["id"])
    time, precision = value.get("time"), value.get("precision")
    if not isinstance(time, str) or not isinstance(precision, int) or not time.startswith("+"):
        return None
    shown = {_DAY: 10, _MONTH: 7, _YEAR: 4}.get(precision)
    return time[1 : 1 + shown] if shown else None


def _inside(value: Any, *path: str) -> Any:
    """Return what lies at a path of keys, or None where anything on the way is no object."""
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value
