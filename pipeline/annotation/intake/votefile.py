"""The project's own vote files: JSONL or a JSON list, CSV or TSV, Parquet; text also packed.

    {"item": "ynat-v1_dev_00000", "annotator": "07", "label": ["사회"], "seconds": 4.2}

A record is told apart from the next; what cannot be read is `Refused` with its line (in a JSON list
the number of the record), and whether a record is a good vote is for `intake` to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

import orjson

from pipeline.annotation.intake.vote import RawVote, Refused
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
        yield from _read_list(source)
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
    return {"true": True, "false": False}.get(cell.lower(), cell) if isinstance(cell, str) else cell


def _moment(cell: Any) -> Any:
    return cell.isoformat() if isinstance(cell, date) else cell


_TYPES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "label": _label,
    "attempt": _number(int),
    "seconds": _number(float),
    "simulated": _boolean,
    "at": _moment,
}


_BLANK: Final = re.compile(r"[ \t\r\n]*")
_RULE: Final = "file.malformed@1"
_CUT_OFF: Final = "the record is cut off or no JSON"


def _read_list(source: Source) -> Iterator[RawVote | Refused]:
    """Read a list of objects; `line` is the number of the record.

    Where the list breaks off or is not JSON, the records before are votes, and one more `Refused`
    stands for the rest, with the line of the file in its reason. Holds the whole file.
    """
    name = source.path.name
    text, cut = _text(source)
    number, broken = 0, False
    for number, (place, value) in enumerate(_records(text), start=1):
        if isinstance(value, _Fault):
            broken = True
            line = text.count("\n", 0, place) + 1
            yield Refused(name, number, _RULE, f"{cut or value.words}, on line {line} of the file")
        elif value.twice:
            yield Refused(name, number, _RULE, "a key is given twice in one object")
        elif not isinstance(value.value, dict):
            kind = type(value.value).__name__
            yield Refused(name, number, _RULE, f"is a JSON {kind}, not an object")
        else:
            yield RawVote(name, number, value.value)
    if cut and not broken:
        yield Refused(name, number + 1, _RULE, cut)


class _Fault:
    def __init__(self, what: str) -> None:
        self.words = f"{what}; nothing of the list is read from here on"


class _Record:
    def __init__(self, value: Any, *, twice: bool) -> None:
        self.value, self.twice = value, twice


def _text(source: Source) -> tuple[str, str]:
    """Return the text of a file up to the first byte that is none, and what to say of that."""
    with streams.open_text(source) as stream:
        data = b"".join(iter(lambda: stream.read(1 << 22), b""))
    try:
        return data.decode(), ""
    except UnicodeDecodeError as error:
        told = f"byte {error.start} is not UTF-8; nothing of the list is read from there on"
        return data[: error.start].decode(), told


def _records(text: str) -> Iterator[tuple[int, _Record | _Fault]]:
    """Yield each record of a list, and at most one fault, with its place in the text."""
    twice: list[bool] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice.append(True)
        return found

    decoder = json.JSONDecoder(object_pairs_hook=once)
    place = _skip(text, text.index("[") + 1)
    if text[place : place + 1] == "]":
        yield from _end(text, place)
        return
    while True:
        try:
            value, after = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            what = "the list breaks off" if place == len(text) else _CUT_OFF
            yield place, _Fault(what)
            return
        yield place, _Record(value, twice=bool(twice))
        twice.clear()
        place = _skip(text, after)
        if text[place : place + 1] != ",":
            yield from _end(text, place)
            return
        place = _skip(text, place + 1)


def _end(text: str, place: int) -> Iterator[tuple[int, _Fault]]:
    if text[place : place + 1] != "]":
        what = "the list breaks off" if place == len(text) else "a comma or ] is missing"
        yield place, _Fault(what)
    elif _skip(text, place + 1) < len(text):
        yield place + 1, _Fault("something follows the list")


def _skip(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place
