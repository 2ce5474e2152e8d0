"""An official KLUE file as tables, and the rows between the file and the tables.

Every task's file has `read(path) -> Official` and `write(official, path)`. What was read is written
back equal: `items` and `votes` together with `form` and `frame` hold all that the file says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson
import pyarrow as pa

from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import canonical, parsed

T = TypeVar("T")
#: Fields, gold and meta of a record as canonical JSON.
Texts = tuple[str, str | None, str]


class SourceTexts(NamedTuple):
    """The texts of an official file that come from the corpus, not from annotators (TEXTS).

    `sign` is a pattern of bytes in the first part of such a file and of no other task's; `fields`
    are the fields of an item that hold such a text, `title` the one that holds a title. For items
    of a sampler among `exceptions`, only the fields given there.
    """

    sign: bytes
    fields: tuple[str, ...]
    title: str = ""
    exceptions: Mapping[str, tuple[str, ...]] = {}


class Problem(NamedTuple):
    """What is wrong with a record: its line (or its number in a JSON file, from 1), rule, reason.

    Under `official.kept.*` rules the record is in the tables as the file gives it; under every
    other rule it was left out.
    """

    line: int
    rule: str
    reason: str


@dataclass(frozen=True)
class Official:
    """An official file: ITEMS, VOTES, its form (a task can have several), and what is wrong in it.

    `frame` is what the file says once, around its records.
    """

    task: str
    items: pa.Table
    votes: pa.Table
    form: str
    problems: list[Problem] = field(default_factory=list)
    frame: dict[str, Any] = field(default_factory=dict)


class Vote(NamedTuple):
    """A raw judgement of a record: a label (a text, a number or a tuple), or a report."""

    label: Any = None
    annotator: str | None = None
    role: str = "annotator"
    round: str = "main"
    seat: str | None = None
    report: str | None = None


@dataclass(slots=True)
class Row:
    """One record; `notes` are (rule, reason) of faults that it keeps."""

    item: str
    fields: dict[str, Any]
    gold: Any
    source: str | None = None
    sampler: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    votes: list[Vote] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)


def gather(
    task: str,
    form: str,
    path: Path,
    records: Iterable[tuple[int, T]],
    row: Callable[[T], Row],
    frame: dict[str, Any] | None = None,
) -> Official:
    """Make the tables from records given with their lines.

    Raises InputError when no record is of the form.
    """
    try:
        _text_of(frame)
    except RecordError as error:
        raise InputError(f"{path}: around its records it {error.reason}") from None
    rows: dict[str, Row] = {}
    texts: list[Texts] = []
    problems: list[Problem] = []
    for line, record in records:
        try:
            item_row = row(record)
            written = _texts(item_row)
            if item_row.item in rows:
                raise fault("twice", "this guid stands in the file before")
        except RecordError as error:
            problems.append(Problem(line, error.rule, error.reason))
            continue
        rows[item_row.item] = item_row
        texts.append(written)
        problems += [Problem(line, rule, reason) for rule, reason in item_row.notes]
    if not rows:
        first = f"; record {problems[0].line}: {problems[0].reason}" if problems else ""
        raise InputError(
            f"{path}: no record of an official {task} file ({form}) in it{first};"
            " give the file as KLUE published it, and the task that it belongs to"
        )
    item_rows = list(rows.values())
    return Official(
        task, _items(task, item_rows, texts), _votes(task, item_rows), form, problems, frame or {}
    )


def of_rows(task: str, form: str, rows: Iterable[Row]) -> Official:
    """Return what a file of these records in this form would be read as.

    Raises RecordError for a record that no table can hold.
    """
    item_rows = list(rows)
    texts = [_texts(row) for row in item_rows]
    return Official(task, _items(task, item_rows, texts), _votes(task, item_rows), form)


def rows_of(official: Official) -> Iterator[Row]:
    """Yield the records of an official file again, in their order."""
    votes: dict[str, list[Vote]] = {}
    columns = ("item", "label", "annotator", "role", "round", "seat", "report")
    for item, label, *rest in schemas.rows(official.votes, *columns):
        votes.setdefault(item, []).append(Vote(None if label is None else _value(label), *rest))
    for item_row in official.items.to_pylist():
        yield Row(
            item_row["item"],
            parsed(item_row["fields"]),
            None if item_row["gold"] is None else parsed(item_row["gold"]),
            item_row["source"],
            item_row["sampler"],
            parsed(item_row["meta"] or "{}"),
            votes.get(item_row["item"], []),
        )


def fault(code: str, reason: str) -> RecordError:
    """Return the fault of a record, under the rule `official.CODE@1`."""
    return RecordError(f"official.{code}@1", reason)


def need(record: Any, key: str, kind: type[T]) -> T:
    """Return the value of a key; raises RecordError when it is absent or of another type."""
    if not isinstance(record, dict):
        raise fault("form", f"a JSON object is wanted, given: {type(record).__name__}")
    if key not in record:
        raise fault("form", f"lacks the key {key!r}")
    value = record[key]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise fault("form", f"{key!r} must be {kind.__name__}, given: {type(value).__name__}")
    return value


def more(record: dict[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Return the keys of a record that its form does not have, under `more`, or nothing."""
    other = {key: value for key, value in record.items() if key not in known}
    return {"more": other} if other else {}


def check_annotators(names: list[Any]) -> None:
    """Raise RecordError for annotators of a record that are not texts, each once."""
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise fault("form", "annotators must be texts, each once")


def corpus(name: str) -> str:
    """Return the source that an official file calls by another name (NSMC, policy_briefing)."""
    return {"policy_briefing": "policy"}.get(name, name.lower())


def _texts(row: Row) -> Texts:
    """Return the canonical JSON of a record; raises RecordError for what no table can hold."""
    names = "".join([row.item, *(vote.annotator for vote in row.votes if vote.annotator)])
    if not names.isascii():
        _careful(names)
    return (
        _text_of(row.fields),
        None if row.gold is None else _text_of(row.gold),
        _text_of(row.meta),
    )


def _text_of(value: object) -> str:
    """Return `canonical(value)`; objects and lists of texts, the usual ones, are written fast."""
    inner = value.values() if type(value) is dict else value if type(value) is list else (None,)
    if all(type(text) is str for text in inner):
        try:
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
        except orjson.JSONEncodeError:  # half of a surrogate pair: told below
            pass
    return _label(value) if isinstance(value, str) else _careful(value)


def _careful(value: object) -> str:
    try:
        text = canonical(value)
        text.encode()
    except UnicodeEncodeError:
        raise fault("encoding", "holds half of a surrogate pair, which is no character") from None
    except (ValueError, RecursionError):
        raise fault("form", "holds a number that is not finite, or is nested too deep") from None
    return text


_label = lru_cache(4096)(_careful)


def _items(task: str, rows: list[Row], texts: list[Texts]) -> pa.Table:
    columns = {
        "item": [row.item for row in rows],
        "task": [task] * len(rows),
        "fields": [fields for fields, _, _ in texts],
        "source": [row.source for row in rows],
        "sampler": [row.sampler for row in rows],
        "gold": [gold for _, gold, _ in texts],
        "meta": [meta for _, _, meta in texts],
    }
    return schemas.check(pa.table(columns, schema=schemas.ITEMS), "items")


def _votes(task: str, rows: list[Row]) -> pa.Table:
    votes = [vote for row in rows for vote in row.votes]
    columns: dict[str, list[Any]] = {
        "item": [row.item for row in rows for _ in row.votes],
        "source": [row.source for row in rows for _ in row.votes],
        "label": [None if vote.label is None else _text(vote.label) for vote in votes],
        "annotator": [vote.annotator for vote in votes],
        "role": [vote.role for vote in votes],
        "round": [vote.round for vote in votes],
        "seat": [vote.seat for vote in votes],
        "report": [vote.report for vote in votes],
        "task": [task] * len(votes),
        "attempt": [1] * len(votes),
        "simulated": [False] * len(votes),
    }
    arrays = [
        pa.array(columns[column.name], column.type)
        if column.name in columns
        else pa.nulls(len(votes), column.type)
        for column in schemas.VOTES
    ]
    return schemas.check(pa.Table.from_arrays(arrays, schema=schemas.VOTES), "votes")


_text = lru_cache(4096)(canonical)
_value = lru_cache(4096)(parsed)
