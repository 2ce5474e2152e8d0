"""Triples out of files with one record a line, packed or not: tab-separated, and JSON lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


def read_triples(path: Path, form: str) -> Iterator[Triple | Broken]:
    """Yield the triples of a file of form tsv or jsonl, and Broken for every broken line.

    Raises InputError as `read_records`.
    """
    return read_records(path, _parse_row if form == "tsv" else _parse_object, form, "triples")


def read_records(
    path: Path, parse: Callable[[bytes, int], T | None], form: str, unit: str
) -> Iterator[T | Broken]:
    """Yield the records of a file of one record a line, and Broken for every broken one.

    `parse` takes a line and its number, returns None for a line without a record, and raises
    ValueError with the reason; blank lines are skipped. Raises InputError for a file that cannot be
    read, is cut off, has a line above `LINE` bytes, or is of another format.
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
                record = parse(line, number)
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


def _decode(line: bytes) -> str:
    return line.decode("utf-8-sig").rstrip("\r\n")


def _parse_json(line: bytes) -> Any:
    text = _decode(line)
    try:
        return parsed(text)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None


def _parse_row(line: bytes, number: int) -> Triple:
    columns = [part.strip() for part in _decode(line).split("\t")]
    if len(columns) != 3:
        raise ValueError(
            f"{len(columns)} columns by tabs; 3 are allowed: subject, relation, object"
        )
    return _triple(columns, number)


def _parse_object(line: bytes, number: int) -> Triple:
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
