"""Triples out of files: tab-separated and JSON lines, each packed or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from pipeline.core.errors import InputError
from pipeline.core.io import streams
from pipeline.core.jsontext import parsed

T = TypeVar("T")

#: Bytes of the longest line; the largest entities of Wikidata have some five million.
LINE: Final = 1 << 25
#: Broken lines before a file counts as one of another format.
BROKEN: Final = 1_000

RULE: Final = "re.triple@1"
#: Descriptions of the two formats.
TABLE: Final = "lines of three columns with tabs between: subject, relation, object; no header"
OBJECTS: Final = 'JSON objects, one a line, with the texts "subject", "relation" and "object"'


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


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file (``.gz``, ``.bz2``, ``.zst`` are unpacked) with numbers from 1.

    Raises InputError when it cannot be read, is cut off, or has a line above `LINE` bytes.
    """
    with streams.open_stream(path) as stream:
        for number, line in streams.read_lines(stream, LINE):
            if line is None:
                raise InputError(
                    f"{path}:{number}: a line of more than {LINE} bytes; give a file with one"
                    " record a line"
                )
            yield number, line


def _text_of(line: bytes) -> str:
    try:
        return line.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None


def require_storable(*texts: str) -> None:
    """Raise ValueError for texts with half of a surrogate pair, which no file can hold."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise ValueError("holds half of a character (a lone surrogate)") from None


def read_records(
    path: Path, parse: Callable[[str, int], T | None], *, unit: str, form: str
) -> Iterator[T | Broken]:
    """Yield the records of a file of one record a line, and Broken for every broken one.

    `parse` takes a line and its number, returns None for a line without a record, and raises
    ValueError with the reason; blank lines are skipped. Raises InputError, with a description of
    the `form` and the name of the `unit`, for more than `BROKEN` broken lines and fewer records.
    """
    good = bad = 0
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            record = parse(_text_of(line), number)
        except ValueError as error:
            bad += 1
            if bad > BROKEN and good < bad:
                raise InputError(
                    f"{path}:{number}: {bad} broken lines, {good} {unit}; the last one:"
                    f" {error}; give {form}, or name the file's real format"
                ) from None
            yield Broken(number, str(error))
            continue
        if record is not None:
            good += 1
            yield record


def read_tsv(path: Path) -> Iterator[Triple | Broken]:
    """Yield the triples of a file with the columns subject, relation, object and no header."""
    yield from read_records(path, _parse_row, unit="triples", form=TABLE)


def read_jsonl(path: Path) -> Iterator[Triple | Broken]:
    """Yield the triples of a file of objects with the keys subject, relation, object."""
    yield from read_records(path, _parse_object, unit="triples", form=OBJECTS)


def _parse_row(line: str, number: int) -> Triple:
    columns = [part.strip() for part in line.split("\t")]
    if len(columns) != 3:
        raise ValueError(
            f"{len(columns)} columns by tabs; 3 are allowed: subject, relation, object"
        )
    return _triple(columns, number)


def _parse_object(line: str, number: int) -> Triple:
    try:
        record = parsed(line)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    keys = ("subject", "relation", "object")
    if not isinstance(record, dict) or not all(isinstance(record.get(k), str) for k in keys):
        raise ValueError('no object with the texts "subject", "relation" and "object"')
    return _triple([record[key].strip() for key in keys], number)


def _triple(parts: list[str], number: int) -> Triple:
    if not all(parts):
        raise ValueError("subject, relation or object is empty")
    require_storable(*parts)
    subject, relation, object_ = parts
    return Triple(subject, relation, object_, number)
