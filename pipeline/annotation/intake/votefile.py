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
from itertools import chain
from pathlib import Path
from typing import Any, Final

import orjson

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
    read_batches,
    streams,
)
from pipeline.core.io.source import HEAD, PACKED

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_RULE: Final = "file.malformed@1"


def read_votes(path: Path) -> Iterator[RawVote | Refused]:
    """Read a vote file, in its order.

    The form is told from the name: .jsonl, .ndjson, .json, .csv, .tsv (all also .gz and .zst) and
    .parquet. In CSV and in Parquet strings, a label is JSON, or else a plain text. Raises
    InputError for a file that is unusable as a whole, such as a table with a column that votes do
    not have.
    """
    bare = path.with_suffix("") if path.suffix.lower() in PACKED else path
    is_json = bare.suffix.lower() == ".json"
    source = guess_source(path, text="item", form="jsonl" if is_json else None)
    if source.form == "text":
        raise InputError(
            f"{path}: plain text holds no votes; allowed: .jsonl, .json, .csv, .tsv, .parquet"
        )
    return {"csv": _read_table, "parquet": _read_parquet}.get(source.form, _read_json)(source)


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


def _read_table(source: Source) -> Iterator[RawVote | Refused]:
    """Read CSV: an empty cell is an absent key."""
    name, names = source.path.name, delimited.read_header(source).names
    _require_keys(source.path, names)
    others = [key for key in KEYS if key in names and key != "item"]
    bad: list[Quarantined] = []
    for part in read_batches(source, columns=others, quarantine=bad.append):
        yield from (Refused(name, q.line, q.rule, q.reason) for q in bad)
        bad.clear()
        columns = [part.texts.to_pylist(), *(part.columns[key].to_pylist() for key in others)]
        for line, *cells in zip(part.lines.to_pylist(), *columns, strict=True):
            pairs = zip(("item", *others), cells, strict=True)
            yield RawVote(name, line, {key: _parse_cell(key, cell) for key, cell in pairs if cell})
    yield from (Refused(name, q.line, q.rule, q.reason) for q in bad)


def _read_parquet(source: Source) -> Iterator[RawVote | Refused]:
    with parquet.open_parquet(source) as file:
        _require_keys(source.path, file.schema.names)
        batches = (rows.to_pylist() for rows in file.batches(rows=20_000))
        for line, row in enumerate(chain.from_iterable(batches), start=1):
            cells = {key: _parse_cell(key, cell) for key, cell in row.items() if cell is not None}
            yield RawVote(source.path.name, line, cells)


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


#: How the texts of a table are read that stand for something else.
_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "label": orjson.loads,
    "attempt": int,
    "seconds": float,
}


def _parse_cell(key: str, cell: Any) -> Any:
    if key == "at" and isinstance(cell, date):
        return cell.isoformat()
    if not isinstance(cell, str):
        return cell
    if key == "simulated":
        return {"true": True, "false": False}.get(cell.lower(), cell)
    try:
        return _READ[key](cell) if key in _READ else cell
    except ValueError:
        return cell.strip() if key == "label" else cell


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
