"""The project's own vote files: JSONL or a JSON list, CSV or TSV, Parquet; text also packed.

    {"item": "ynat-v1_dev_00000", "annotator": "07", "label": ["사회"], "seconds": 4.2}

A record is told apart from the next; what cannot be read is `Refused` with its line (in a JSON list
the number of the record), and whether a record is a good vote is for `intake` to say. Files that
name their columns otherwise, or have a column an annotator, are read by `columns`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, Final

import orjson

from pipeline.annotation.intake.columns import HINT, Columns
from pipeline.annotation.intake.vote import KEYS, RawVote, Refused
from pipeline.core.errors import InputError, RecordError
from pipeline.core.io import (
    Quarantined,
    Source,
    batch,
    delimited,
    guess_source,
    jsonl,
    parquet,
    streams,
)
from pipeline.core.io.column_names import show_names
from pipeline.core.io.source import HEAD, PACKED
from pipeline.core.io.watched import watched_batches
from pipeline.core.wording import count

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_RULE: Final = "file.malformed@1"
_ALLOWED: Final = "allowed: .jsonl, .json, .csv, .tsv (also .gz or .zst), .parquet"


#: The ends of the names of files that hold votes, but for what packs them.
_FORMS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")


def read_votes(
    path: Path, columns: Columns | None = None, *, names: bool = False
) -> Iterator[RawVote | Refused]:
    """Read a vote file, in its order.

    The form is told from the name: .jsonl, .ndjson, .json, .csv, .tsv (all also .gz and .zst) and
    .parquet. In CSV and in Parquet strings, a label is JSON, or else a plain text. Raises
    InputError for a file that is unusable as a whole, such as a table with a column that votes do
    not have. With `columns`, only those that it names are read. Where labels are `names`, a text in
    CSV or Parquet that is a number in another form than its own (1.10, 1e3) stays that text.
    """
    bare = path.with_suffix("") if path.suffix.lower() in PACKED else path
    is_json = bare.suffix.lower() == ".json"
    if bare.suffix.lower() not in (*_FORMS, ".txt"):
        raise InputError(f"{path}: its name does not say what it holds; {_ALLOWED}")
    source = guess_source(path, text="item", form="jsonl" if is_json else None)
    if source.form == "text":
        raise InputError(f"{path}: plain text holds no votes; {_ALLOWED}")
    if source.form == "csv":
        return _read_table(source, columns, names)
    if source.form == "parquet":
        return _read_parquet(source, columns, names)
    raw = _read_json(source)
    return raw if columns is None else _renamed(raw, columns)


def _read_json(source: Source) -> Iterator[RawVote | Refused]:
    with streams.open_text(source) as stream:
        is_list = stream.read(HEAD).lstrip().startswith(b"[")
    if is_list:
        yield from _read_list(source)
        return
    with streams.open_text(source) as stream:
        for number, line in streams.read_lines(stream):
            yield _line(source.path.name, number, line)


def _line(name: str, line: int, text: bytes | None) -> RawVote | Refused:
    try:
        if text is None:
            raise batch.too_long("line")
        return RawVote(name, line, jsonl.load(streams.without_end(text)))
    except RecordError as fault:
        return Refused(name, line, fault.rule, fault.reason)


def _renamed(raw: Iterator[RawVote | Refused], columns: Columns) -> Iterator[RawVote | Refused]:
    """Read records of JSON by the columns; a record without the item's key is refused."""
    for record in raw:
        if isinstance(record, Refused):
            yield record
            continue
        try:
            keys = columns.keys("the record", list(record.value), record=True)
        except InputError as error:
            yield Refused(record.file, record.line, "vote.item@1", str(error))
            continue
        yield from columns.votes(record.file, record.line, record.value, keys)


def _read_table(
    source: Source, columns: Columns | None, names: bool
) -> Iterator[RawVote | Refused]:
    """Read CSV: an empty cell is an absent key."""
    name, source = source.path.name, with_its_delimiter(source)
    keys = _keys(source.path, header(source), columns)
    item = next(column for column, key in keys.items() if key == "item")
    for row in read_cells(replace(source, text=item), [*keys]):
        if isinstance(row, Refused):
            yield row
            continue
        line, cells = row
        vote = {column: _parse_cell(keys[column], cell, names) for column, cell in cells.items()}
        yield from _votes(name, line, vote, keys, columns)


def read_cells(
    source: Source, columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]] | Refused]:
    """Yield the line of each row of CSV, and its cells by column that are not empty.

    `columns` are those to read; the one that `source` names as its text is the first.
    """
    name, others = source.path.name, [column for column in columns if column != source.text]
    bad: list[Quarantined] = []
    for part in watched_batches(source, columns=others, quarantine=bad.append):
        yield from (Refused(name, q.line, q.rule, q.reason) for q in bad)
        bad.clear()
        cells = [part.texts.to_pylist(), *(part.columns[key].to_pylist() for key in others)]
        for line, *values in zip(part.lines.to_pylist(), *cells, strict=True):
            pairs = zip((str(source.text), *others), values, strict=True)
            yield line, {column: cell for column, cell in pairs if cell}
    yield from (Refused(name, q.line, q.rule, q.reason) for q in bad)


def _read_parquet(
    source: Source, columns: Columns | None, names: bool
) -> Iterator[RawVote | Refused]:
    name = source.path.name
    with parquet.open_file(source.path) as file:
        keys = _keys(source.path, list(file.schema.names), columns)
        batches = (rows.to_pylist() for rows in file.batches(list(keys), rows=20_000))
        for line, cells in enumerate(chain.from_iterable(batches), start=1):
            row = {
                column: _parse_cell(keys[column], cell, names)
                for column, cell in cells.items()
                if cell is not None
            }
            yield from _votes(name, line, row, keys, columns)


def _votes(
    name: str, line: int, row: dict[str, Any], keys: Mapping[str, str], columns: Columns | None
) -> Iterator[RawVote | Refused]:
    return (
        iter([RawVote(name, line, row)])
        if columns is None
        else columns.votes(name, line, row, keys)
    )


def with_its_delimiter(source: Source) -> Source:
    """Return the source with a semicolon or tab where the header is one cell without it."""
    names = header(source)
    is_joined = source.delimiter == "," and len(names) == 1
    found = next((sign for sign in ";\t" if is_joined and sign in names[0]), None)
    return replace(source, delimiter=found) if found else source


def header(source: Source) -> list[str]:
    """Return the names of the columns of CSV; raises InputError where they cannot be read."""
    with streams.open_text(source) as stream:
        first = next(iter(delimited.Rows(source, streams.read_lines(stream))), None)
    if first is not None and first.fault:
        raise InputError(f"{source.path}: the header cannot be read: {first.fault.reason}")
    return first.values if first else []


def _keys(path: Path, names: list[str], columns: Columns | None) -> dict[str, str]:
    """Return the key of a vote that each column holds."""
    if columns is not None:
        return columns.keys(path, names)
    _require_keys(path, names)
    return {name: name for name in names}


#: What a table of votes must have: one of these columns, the first being the usual one.
_NEEDED: Final = (("item",), ("annotator", "seat"), ("label", "report"))


def _require_keys(path: Path, names: list[str]) -> None:
    if not names:
        raise InputError(f"{path}: is empty; give votes, with the names of the columns on top")
    missing = [some[0] for some in _NEEDED if not set(some) & set(names)]
    if missing:
        asked = ",".join(f"{key}=COLUMN" for key in missing)
        seat = "; seat=COLUMN where nobody is known" if "annotator" in missing else ""
        raise InputError(
            f"{path}: has no column {' and no column '.join(map(repr, missing))}; it has:"
            f" {show_names(names)}; say which column it is: --columns {asked}; --wide reads a"
            f" column an annotator{seat}"
        )
    unknown = [name for name in names if name not in KEYS]
    if unknown:
        raise InputError(
            f"{path}: has {count(len(unknown), 'column')} that votes do not have, the first is"
            f" number {names.index(unknown[0]) + 1}; allowed: {', '.join(KEYS)}; rename or remove"
            f" it, or name the columns to read: {HINT}; --wide reads a column an annotator"
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{path}: column {twice[0]!r} is there twice; keep one")


#: How the texts of a table are read that stand for something else.
_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "label": orjson.loads,
    "attempt": int,
    "seconds": float,
}


def _parse_cell(key: str, cell: Any, names: bool) -> Any:
    if key == "at" and isinstance(cell, date):
        return cell.isoformat()
    if not isinstance(cell, str):
        return cell
    if key == "simulated":
        return {"true": True, "false": False}.get(cell.lower(), cell)
    try:
        value = _READ[key](cell) if key in _READ else cell
    except ValueError:
        return cell.strip() if key == "label" else cell
    is_other = key == "label" and names and isinstance(value, int | float)
    return cell.strip() if is_other and orjson.dumps(value).decode() != cell.strip() else value


def _read_list(source: Source) -> Iterator[RawVote | Refused]:
    """Read a list of objects; `line` is the number of the record.

    Where the list breaks off or is not JSON, the records before are votes, and one more `Refused`
    stands for the rest, with the line of the file in its reason. Holds the whole file.
    """
    name, (text, cut) = source.path.name, _text(source)
    decoder, number, place = json.JSONDecoder(), 1, _skip(text, text.index("[") + 1)
    fault, more = "", text[place : place + 1] != "]"
    while more:
        try:
            _value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            fault = "the record is cut off or no JSON"
            break
        yield _line(name, number, text[place:end].encode())
        number, place = number + 1, _skip(text, end)
        more = text[place : place + 1] == ","
        place = _skip(text, place + more)
    if place == len(text):
        fault = "the list breaks off"
    elif not fault and text[place] != "]":
        fault = "a comma or ] is missing"
    elif not fault and _skip(text, place + 1) < len(text):
        fault = "something follows the list"
    if fault:
        reason = cut or f"{fault}; nothing of the list is read from here on"
        line = text.count("\n", 0, place) + 1
        yield Refused(name, number, _RULE, f"{reason}, on line {line} of the file")
    elif cut:
        yield Refused(name, number, _RULE, cut)


def _text(source: Source) -> tuple[str, str]:
    with streams.open_text(source) as stream:
        data = b"".join(iter(lambda: stream.read(1 << 22), b""))
    try:
        return data.decode(), ""
    except UnicodeDecodeError as error:
        fault = f"byte {error.start} is not UTF-8; nothing of the list is read from there on"
        return data[: error.start].decode(), fault


def _skip(text: str, place: int) -> int:
    blanks = _BLANK.match(text, place)
    return blanks.end() if blanks else place
