"""The project's own vote files: JSONL or a JSON list, CSV or TSV, Parquet; text also packed.

    {"item": "ynat-v1_dev_00000", "annotator": "07", "label": ["사회"], "seconds": 4.2}

A record is told apart from the next; what cannot be read is `Refused` with its line (in a JSON list
the number of the record), and whether a record is a good vote is for `intake` to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

import orjson

from pipeline.annotation.intake import jsonlist
from pipeline.annotation.intake.raw import RawVote, Refused
from pipeline.core.errors import InputError, RecordError
from pipeline.core.io import (
    Quarantined,
    Source,
    batch,
    delimited,
    guess_source,
    jsonl,
    parquet,
    read_batches,
    streams,
)
from pipeline.core.io.source import HEAD, PACKED
from pipeline.core.jsontext import parsed

#: Every key that a vote may have; the columns of a table of votes have the same names.
KEYS: Final = (
    "item",
    "annotator",
    "label",
    "report",
    "role",
    "round",
    "attempt",
    "seat",
    "at",
    "seconds",
    "spec",
    "source",
    "task",
    "simulated",
)
_KEY: Final = re.compile(rb'"[ \t]*:')
_BOOLEANS: Final = {"true": True, "false": False}
_ROWS: Final = 20_000


def read_votes(path: Path) -> Iterator[RawVote | Refused]:
    """Read a vote file, in its order.

    The form is told from the name: .jsonl, .ndjson, .json, .csv, .tsv (all also .gz and .zst) and
    .parquet. In CSV and in Parquet strings, a label is JSON, or else a plain text. Raises
    InputError for a file that is unusable as a whole, such as a table with a column that votes do
    not have.
    """
    source = _source(path)
    if source.form == "csv":
        return _table(source)
    if source.form == "parquet":
        return _parquet(source)
    return _json(source)


def _source(path: Path) -> Source:
    bare = path.with_suffix("") if path.suffix.lower() in PACKED else path
    form = "jsonl" if bare.suffix.lower() == ".json" else None
    source = guess_source(path, text="item", form=form)
    if source.form == "text":
        raise InputError(
            f"{path}: plain text holds no votes; allowed: .jsonl, .json, .csv, .tsv, .parquet"
        )
    return source


def _json(source: Source) -> Iterator[RawVote | Refused]:
    with streams.open_text(source) as stream:
        is_list = stream.read(HEAD).lstrip().startswith(b"[")
    if is_list:
        yield from jsonlist.read(source)
        return
    with streams.open_text(source) as stream:
        for number, line in streams.read_lines(stream):
            yield _line(source.path.name, number, line)


def _line(name: str, line: int, text: bytes | None) -> RawVote | Refused:
    try:
        if text is None:
            raise batch.too_long("line")
        return RawVote(name, line, _object(text))
    except RecordError as fault:
        return Refused(name, line, fault.rule, fault.reason)


def _object(text: bytes) -> dict[str, Any]:
    """Return the object of a line; raises RecordError for anything else."""
    try:
        loaded = orjson.loads(text)
    except orjson.JSONDecodeError:
        loaded = None
    value: dict[str, Any]
    value = loaded if isinstance(loaded, dict) else jsonl.load(streams.without_end(text))
    if len(_KEY.findall(text)) != len(value):  # there may be a key given twice
        try:
            parsed(text.decode())
        except (ValueError, RecursionError) as error:
            raise batch.malformed(str(error)) from None
    return value


def _table(source: Source) -> Iterator[RawVote | Refused]:
    """Read CSV: an empty cell is an absent key."""
    names = delimited.read_header(source).names
    _require_keys(source.path, names)
    others = [name for name in KEYS if name in names and name != "item"]
    bad: list[Quarantined] = []
    for part in read_batches(source, columns=others, quarantine=bad.append):
        yield from _refused(source.path.name, bad)
        columns = [part.texts.to_pylist(), *(part.columns[n].to_pylist() for n in others)]
        for line, *cells in zip(part.lines.to_pylist(), *columns, strict=True):
            value = {key: cell for key, cell in zip(("item", *others), cells, strict=True) if cell}
            yield RawVote(source.path.name, line, _typed(value))
    yield from _refused(source.path.name, bad)


def _refused(name: str, bad: list[Quarantined]) -> Iterator[Refused]:
    yield from (Refused(name, q.line, q.rule, q.reason) for q in bad)
    bad.clear()


def _parquet(source: Source) -> Iterator[RawVote | Refused]:
    with parquet.open_parquet(source) as file:
        _require_keys(source.path, file.schema_arrow.names)
        line = 0
        for rows in file.iter_batches(batch_size=_ROWS):
            for row in rows.to_pylist():
                line += 1
                value = {key: cell for key, cell in row.items() if cell is not None}
                yield RawVote(source.path.name, line, _typed(value))


def _require_keys(path: Path, names: list[str]) -> None:
    unknown = [name for name in names if name not in KEYS]
    if unknown:
        raise InputError(
            f"{path}: {len(unknown)} columns are none of a vote, the first is number"
            f" {names.index(unknown[0]) + 1}; allowed: {', '.join(KEYS)}; rename or remove it"
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{path}: column {twice[0]!r} is there twice; keep one")


def _typed(value: dict[str, Any]) -> dict[str, Any]:
    """Give the texts of a table the types that they stand for; what fails stays a text."""
    for key, typed in _TYPES.items():
        cell = value.get(key)
        if cell is not None:
            value[key] = typed(cell)
    return value


def _label(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    try:
        return orjson.loads(cell)
    except orjson.JSONDecodeError:
        return cell.strip()


def _number(kind: Callable[[str], Any]) -> Callable[[Any], Any]:
    def typed(cell: Any) -> Any:
        try:
            return kind(cell) if isinstance(cell, str) else cell
        except ValueError:
            return cell

    return typed


def _boolean(cell: Any) -> Any:
    return _BOOLEANS.get(cell.lower(), cell) if isinstance(cell, str) else cell


def _moment(cell: Any) -> Any:
    return cell.isoformat() if isinstance(cell, date) else cell


_TYPES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "label": _label,
    "attempt": _number(int),
    "seconds": _number(float),
    "simulated": _boolean,
    "at": _moment,
}
