"""Triples out of files: tab-separated, JSON lines, and the JSON dump of Wikidata, packed or not.

The dump is an array with one entity a line. Of it, entities with a Korean label are taken. It is
read once; labels and claims are kept in a database on disk, since a claim may point to a later
entity.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from pipeline.core.errors import InputError
from pipeline.core.io import streams
from pipeline.core.jsontext import parsed

T = TypeVar("T")

#: Bytes of the longest line; the largest entities of Wikidata have some five million.
LINE: Final = 1 << 25
#: Broken lines before a file counts as one of another format.
BROKEN: Final = 1_000

RULE: Final = "re.triple@1"
#: The formats, and what their files hold.
FORMATS: Final = {
    "tsv": "lines of three columns with tabs between: subject, relation, object; no header",
    "jsonl": 'JSON objects, one a line, with the texts "subject", "relation" and "object"',
    "wikidata": (
        "a JSON dump of Wikidata: an array with one entity a line, some with a Korean label"
    ),
    "base": "a knowledge base that `klue knowledge build` made",
}
#: The property "instance of": its object stays the id of a class.
INSTANCE: Final = "P31"
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


class Triple(NamedTuple):
    """A triple as in its file; `line` counts from 1."""

    subject: str
    relation: str
    object: str
    line: int


class Broken(NamedTuple):
    """The number of a line without a valid record, and why; the reason holds no text of it."""

    line: int
    reason: str


def _check_storable(*texts: str) -> None:
    """Raise ValueError for texts with half of a surrogate pair, which no file can hold."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise ValueError("holds half of a character (a lone surrogate)") from None


def read_triples(path: Path, form: str, scratch: sqlite3.Connection) -> Iterator[Triple | Broken]:
    """Yield the triples of a file in one of FORMATS, and Broken for every broken line.

    A dump gives its broken lines first, then its triples, with labels in place of ids; objects are
    entities, dates (year, month and day as far as they are known) and other names (relation
    ``aliases``). Its tables are created in `scratch` and removed. Raises InputError for a file that
    cannot be read, is cut off, has a line above `LINE` bytes, or is of another format.
    """
    if form != "wikidata":
        yield from _records(path, _parse_row if form == "tsv" else _parse_object, form, "triples")
        return
    for table in _TABLES:
        scratch.execute(table)
    ends: list[str] = []
    entities = _records(path, partial(_keep, scratch, ends), form, "entities")
    yield from (record for record in entities if isinstance(record, Broken))
    if ends == ["["]:
        raise InputError(f"{path}: is cut off: its array has no end; make or fetch it again")
    yield from (Triple(*row) for row in scratch.execute(_JOINED))
    for name in ("claims", "labels"):
        scratch.execute(f"DROP TABLE {name}")


def _records(
    path: Path, parse: Callable[[str, int], T | None], form: str, unit: str
) -> Iterator[T | Broken]:
    """Yield the records of a file of one record a line, and Broken for every broken one.

    `parse` takes a line and its number, returns None for a line without a record, and raises
    ValueError with the reason; blank lines are skipped.
    """
    good = bad = 0
    with streams.open_stream(path) as stream:
        for number, line in streams.read_lines(stream, LINE):
            if line is None:
                raise InputError(
                    f"{path}:{number}: a line of more than {LINE} bytes; give a file with one"
                    " record a line"
                )
            if not line.strip():
                continue
            try:
                record = parse(line.decode("utf-8-sig").rstrip("\r\n"), number)
            except ValueError as error:
                reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
                bad += 1
                if bad > BROKEN and good < bad:
                    raise InputError(
                        f"{path}:{number}: {bad} broken lines, {good} {unit}; the last one:"
                        f" {reason}; give {FORMATS[form]}, or name the file's real format"
                    ) from None
                yield Broken(number, reason)
                continue
            if record is not None:
                good += 1
                yield record


def _parse_json(line: str) -> Any:
    try:
        return parsed(line)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None


def _parse_row(line: str, number: int) -> Triple:
    columns = [part.strip() for part in line.split("\t")]
    if len(columns) != 3:
        raise ValueError(
            f"{len(columns)} columns by tabs; 3 are allowed: subject, relation, object"
        )
    return _triple(columns, number)


def _parse_object(line: str, number: int) -> Triple:
    record = _parse_json(line)
    keys = ("subject", "relation", "object")
    if not isinstance(record, dict) or not all(isinstance(record.get(k), str) for k in keys):
        raise ValueError('no object with the texts "subject", "relation" and "object"')
    return _triple([record[key].strip() for key in keys], number)


def _triple(parts: list[str], number: int) -> Triple:
    if not all(parts):
        raise ValueError("subject, relation or object is empty")
    _check_storable(*parts)
    subject, relation, object_ = parts
    return Triple(subject, relation, object_, number)


def _keep(
    scratch: sqlite3.Connection, ends: list[str], line: str, number: int
) -> dict[str, Any] | None:
    """Keep label and claims of an entity with a Korean label; return the entity of a line.

    Returns None for the brackets of the array, which `ends` gathers; raises ValueError for a broken
    line.
    """
    text = line.strip().rstrip(",")
    if text in ("", "[", "]"):
        ends += [text] if text else []
        return None
    entity = _parse_json(text)
    if not isinstance(entity, dict) or not isinstance(entity.get("id"), str):
        raise ValueError('no entity with an "id"')
    name = _inside(entity, "labels", "ko", "value")
    if isinstance(name, str) and name.strip():
        claims = [*_aliases(entity), *_claims(entity)]
        _check_storable(entity["id"], name, *(text for pair in claims for text in pair))
        scratch.execute("INSERT OR REPLACE INTO labels VALUES (?, ?)", (entity["id"], name))
        rows = [(entity["id"], relation, value, number) for relation, value in claims]
        scratch.executemany("INSERT INTO claims VALUES (?, ?, ?, ?)", rows)
    return entity


def _aliases(entity: dict[str, Any]) -> Iterator[tuple[str, str]]:
    aliases = _inside(entity, "aliases", "ko")
    for alias in aliases if isinstance(aliases, list) else ():
        value = _inside(alias, "value")
        if isinstance(value, str) and value.strip():
            yield "aliases", value


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
    return time[1 : 1 + _LENGTHS[precision]] if precision in _LENGTHS else None


def _inside(value: Any, *path: str) -> Any:
    """Return what lies at a path of keys, or None where anything on the way is no object."""
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value
