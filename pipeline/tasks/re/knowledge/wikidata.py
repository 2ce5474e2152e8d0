"""Triples out of the JSON dump of Wikidata, of the entities that have a Korean label.

The dump is an array with one entity a line. It is read once; labels and claims are kept in a
database on disk, since a claim may point to a later entity.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from pipeline.core.jsontext import parsed
from pipeline.tasks.re.knowledge.triples import Broken, Triple, read_records, require_storable

#: The property "instance of": its object stays the id of a class.
INSTANCE: Final = "P31"
#: The description of the format.
DUMP: Final = "a JSON dump of Wikidata: an array with one entity a line, some with a Korean label"

#: Characters of a date by the precision of its time: day, month, year.
_LENGTHS: Final = {11: 10, 10: 7, 9: 4}
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


def read_wikidata(path: Path, scratch: sqlite3.Connection) -> Iterator[Triple | Broken]:
    """Yield broken lines while the dump is read, then the triples, with labels in place of ids.

    Objects are entities, dates (year, month and day as far as they are known) and other names
    (relation ``aliases``). Tables are created in `scratch` and removed. Raises InputError as
    `triples.read_lines` does, and for a file that is no such dump.
    """
    for table in _TABLES:
        scratch.execute(table)
    records = read_records(path, partial(_keep, scratch), unit="entities", form=DUMP)
    yield from (record for record in records if isinstance(record, Broken))
    yield from (Triple(*row) for row in scratch.execute(_JOINED))
    for name in ("claims", "labels"):
        scratch.execute(f"DROP TABLE {name}")


def _keep(scratch: sqlite3.Connection, line: str, number: int) -> dict[str, Any] | None:
    """Keep label and claims of an entity with a Korean label; return the entity of a line.

    Returns None for the brackets of the array; raises ValueError for a broken line.
    """
    text = line.strip().rstrip(",")
    if text in ("", "[", "]"):
        return None
    try:
        entity = parsed(text)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(entity, dict) or not isinstance(entity.get("id"), str):
        raise ValueError('no entity with an "id"')
    name = _inside(entity, "labels", "ko", "value")
    if isinstance(name, str) and name.strip():
        claims = [("aliases", alias) for alias in _aliases(entity)]
        claims += list(_claims(entity))
        require_storable(entity["id"], name, *(text for pair in claims for text in pair))
        scratch.execute("INSERT OR REPLACE INTO labels VALUES (?, ?)", (entity["id"], name))
        rows = [(entity["id"], relation, value, number) for relation, value in claims]
        scratch.executemany("INSERT INTO claims VALUES (?, ?, ?, ?)", rows)
    return entity


def _aliases(entity: dict[str, Any]) -> Iterator[str]:
    aliases = _inside(entity, "aliases", "ko")
    for alias in aliases if isinstance(aliases, list) else ():
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
    length = _LENGTHS.get(precision)
    return time[1 : 1 + length] if length else None


def _inside(value: Any, *path: str) -> Any:
    """Return what lies at a path of keys, or None where anything on the way is no object."""
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value
