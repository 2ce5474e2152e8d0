"""Items from a user's file: JSONL, CSV, or Parquet in the shape of the items table; their fields.

In CSV a cell of `fields`, `gold`, `meta`, or of a field that is no text, is JSON or else a text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.intake.vote import Refused
from pipeline.annotation.intake.votefile import header, read_cells, with_its_delimiter
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError, SchemaError
from pipeline.core.files import refuse
from pipeline.core.io import Source, batch, guess_source, streams
from pipeline.core.io.column_names import show_names
from pipeline.core.io.parquet import BoundedFile
from pipeline.core.io.source import PACKED
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.wording import count, verb

_OWN: Final = ("source", "sampler", "gold", "meta")
#: Columns of CSV, and shapes of fields, whose cells are JSON.
_JSON: Final = ("fields", "gold", "meta")
_NO_TEXT: Final = ("entity", "words", "lines")


def read_items(path: Path, task: Task) -> tuple[pa.Table, list[Refused]]:
    """Read the items of one task, in the order of the file, and the lines that give none.

    A line is ``{"item": ID, "source"?, "sampler"?, "gold"?, "meta"?, "fields": {...}}``; the fields
    may also stand beside `item`, and are columns in CSV and TSV (also packed). Raises InputError
    for a file that cannot be read or gives no item.
    """
    if path.suffix == ".parquet":
        try:
            with BoundedFile(path) as file:
                table = schemas.check(file.read(), "items")
        except (OSError, pa.ArrowException, SchemaError) as error:
            raise InputError(f"{path}: not a table of items: {error}") from None
        others = sorted(set(table.column("task").to_pylist()) - {task.id})
        if others:
            raise InputError(f"{path}: holds items of task {others[0]}, not of {task.id}")
        return table, []
    rows: dict[str, dict[str, object]] = {}
    refused: list[Refused] = []
    for number, record in _cells(path, task) if _is_csv(path) else _lines(path):
        try:
            row = _row(record, task)
            if row["item"] in rows:
                raise RecordError("item.double@1", "this item id stands on an earlier line")
            rows[str(row["item"])] = row
        except RecordError as error:
            refused.append(Refused(path.name, number, error.rule, error.reason))
    if not rows:
        first = f"; line {refused[0].line}: {refused[0].reason}" if refused else ""
        raise InputError(
            f'{path}: holds no item of task {task.id}; a line is {{"item": ID, "fields":'
            f" {{{', '.join(task.fields)}}}}}{first}"
        )
    return schemas.build("items", list(rows.values())), refused


Record = dict[str, Any] | RecordError


def _lines(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield the number of each line of JSONL, and its object or what is wrong with it."""
    with streams.open_text(guess_source(path, text="item", form="jsonl")) as stream:
        for number, line in streams.read_lines(stream):
            if line is not None and not line.strip():
                continue
            try:
                if line is None:
                    raise batch.too_long("line")
                yield number, _object(batch.decode(line))
            except RecordError as error:
                yield number, error


def is_table(path: Path) -> bool:
    """Tell whether a file is CSV or TSV with a column `item`, which no official KLUE file has.

    Raises InputError for one that cannot be read.
    """
    return _is_csv(path) and "item" in header(_table(path))


def _table(path: Path) -> Source:
    return with_its_delimiter(guess_source(path, text="item"))


def _is_csv(path: Path) -> bool:
    bare = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return bare.suffix.lower() in (".csv", ".tsv")


def _cells(path: Path, task: Task) -> Iterator[tuple[int, Record]]:
    """Yield the line of each row of CSV, and its cells or what is wrong with it."""
    source = _table(path)
    names = header(source)
    twice = sorted({name for name in names if names.count(name) > 1})
    refuse(
        path,
        ("item" not in names, f"has no column 'item'; it has: {show_names(names)}"),
        (bool(twice), f"has column {', '.join(twice)} twice; keep one"),
    )
    optional = {name: "" for name in names if task.shapes.get(name) == "optional"}
    for row in read_cells(source, names):
        if isinstance(row, Refused):
            yield row.line, RecordError(row.rule, row.reason)
        else:
            line, cells = row
            yield line, optional | {name: _value(name, cell, task) for name, cell in cells.items()}


def _value(name: str, cell: str, task: Task) -> Any:
    """Return what a cell of CSV holds; a label stays the text that it is."""
    is_text = name == "gold" and task.kind == "category"
    if is_text or not (name in _JSON or task.shapes.get(name) in _NO_TEXT):
        return cell
    try:
        return parsed(cell)
    except (ValueError, RecursionError):
        return cell


def _row(record: Record, task: Task) -> dict[str, object]:
    if isinstance(record, RecordError):
        raise record
    name = record.pop("item", None)
    if not isinstance(name, str) or not name.strip():
        raise RecordError("item.missing@1", "the item has no id: `item` must be a text")
    if record.pop("task", task.id) != task.id:
        raise RecordError("item.task@1", f"belongs to another task than {task.id}")
    columns = {key: record.pop(key) for key in _OWN if record.get(key) is not None}
    fields = record.pop("fields", None) or record
    if not isinstance(fields, dict):
        raise _fault("`fields` is not an object")
    absent = [key for key in task.fields if key not in fields]
    if absent:
        raise _fault(f"lacks {', '.join(absent)}")
    row: dict[str, object] = {"item": name, "task": task.id, "fields": canonical(fields)}
    for key, value in columns.items():
        is_text = key in ("source", "sampler")
        if is_text and not isinstance(value, str):
            raise _fault(f"`{key}` is not a text")
        row[key] = value if is_text else canonical(value)
    return row


def _object(line: str) -> dict[str, Any]:
    reason = "not one JSON object on one line"
    try:
        value = parsed(line)
    except (json.JSONDecodeError, RecursionError):
        value = None
    except ValueError as error:
        value, reason = None, str(error)
    if not isinstance(value, dict):
        raise RecordError("item.malformed@1", reason)
    return value


_ENTITY: Final = ("start", "end", "word")


def require_fields(items: pa.Table, task: Task) -> None:
    """Check the fields of a user's items: texts, words, and entities that stand in their sentence.

    Raises InputError with the number of faults, and the first one's item.
    """
    faults: list[tuple[str, str]] = []
    for item, text in schemas.rows(items, "item", "fields"):
        try:
            _check_fields(parsed(text), task)
        except RecordError as error:
            faults.append((item, error.reason))
    if faults:
        raise InputError(
            f"{len(faults):,} of {count(items.num_rows, 'item')} {verb(len(faults), 'has', 'have')}"
            " fields"
            f" of another form, the first is {faults[0][0]}: {faults[0][1]}; correct them"
        )


def _check_fields(fields: Mapping[str, Any], task: Task) -> None:
    for name in task.fields:
        value, shape = fields.get(name), task.shapes.get(name)
        if shape == "entity":
            _check_entity(name, value, fields.get(task.fields[0]))
        elif shape == "words" or (shape == "lines" and isinstance(value, list)):
            texts = isinstance(value, list) and all(isinstance(x, str) and x for x in value)
            if not texts or not value:
                raise _fault(f"`{name}` is not a list of texts")
        elif not isinstance(value, str) or not (value.strip() or shape == "optional"):
            raise _fault(f"`{name}` is not a text, or blank")


def _check_entity(name: str, value: Any, text: Any) -> None:
    if not isinstance(value, dict) or not set(_ENTITY) <= set(value):
        raise _fault(f"`{name}` is not an object with {', '.join(_ENTITY)}")
    start, end, word = (value[key] for key in _ENTITY)
    if type(start) is not int or type(end) is not int or not isinstance(text, str):
        raise _fault(f"the offsets of `{name}` are not whole numbers")
    if not 0 <= start < end <= len(text) or text[start:end] != word:
        raise _fault(f"the word of `{name}` does not stand at its offsets (end exclusive)")


def _fault(reason: str) -> RecordError:
    return RecordError("item.fields@1", reason)
