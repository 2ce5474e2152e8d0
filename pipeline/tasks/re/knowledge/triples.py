"""Triples out of files: tab-separated and JSON lines, each packed or not."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed

#: Bytes of the longest line; the largest entities of Wikidata have some five million.
LINE: Final = 1 << 25
#: Lines that may be broken before a file is taken for one of another form.
BROKEN: Final = 1_000

RULE: Final = "re.triple@1"
#: What files of the two forms hold.
TABLE: Final = "lines of three columns with tabs between: subject, relation, object; no header"
OBJECTS: Final = 'JSON objects, one a line, with the texts "subject", "relation" and "object"'


class Fact(NamedTuple):
    """A triple as its file writes it; `line` counts from 1."""

    subject: str
    relation: str
    object: str
    line: int


class Fault(NamedTuple):
    """A line or a record that is no triple, and why; the reason holds no text of it."""

    line: int
    reason: str


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file (``.gz`` and ``.bz2`` are unpacked) with numbers from 1.

    Raises InputError when it cannot be read, is cut off, or has a line above `LINE` bytes.
    """
    number = 0
    try:
        with _opened(path) as stream:
            while line := stream.readline(LINE):
                number += 1
                if len(line) == LINE and not line.endswith(b"\n"):
                    raise InputError(
                        f"{path}:{number}: a line of more than {LINE} bytes; give a file with one"
                        " record a line"
                    )
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "its packed data is damaged or cut off"
        raise InputError(
            f"{path}: cannot be read after line {number} ({reason}); give a whole file"
        ) from None


def _opened(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return cast("BinaryIO", gzip.open(path))
    return cast("BinaryIO", bz2.open(path)) if path.suffix == ".bz2" else path.open("rb")


def text_of(line: bytes) -> str:
    """Return a line as text without its end; raises ValueError if it is not UTF-8."""
    try:
        return line.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None


def storable(*texts: str) -> None:
    """Raise ValueError for texts that no file can hold, such as half of a surrogate pair."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise ValueError("holds half of a character (a lone surrogate)") from None


def read(
    path: Path, parse: Callable[[str], tuple[str, str, str]], *, form: str
) -> Iterator[Fact | Fault]:
    """Yield the triples of a file of one record a line, and a fault for every broken one.

    `parse` raises ValueError with the reason; blank lines are passed over. Raises InputError, which
    says what `form` the file was to have, when there are more than `BROKEN` faults and fewer
    triples than faults.
    """
    good = bad = 0
    for number, line in lines(path):
        if not line.strip():
            continue
        try:
            found = parse(text_of(line))
        except ValueError as error:
            bad += 1
            if bad > BROKEN and good < bad:
                raise InputError(
                    f"{path}:{number}: {bad} broken lines, {good} triples; the last one:"
                    f" {error}; give {form}, or name the file's real format"
                ) from None
            yield Fault(number, str(error))
            continue
        good += 1
        yield Fact(*found, number)


def tsv(path: Path) -> Iterator[Fact | Fault]:
    """Yield the triples of a file with the columns subject, relation, object and no header."""
    yield from read(path, _columns, form=TABLE)


def jsonl(path: Path) -> Iterator[Fact | Fault]:
    """Yield the triples of a file of objects with the keys subject, relation, object."""
    yield from read(path, _object, form=OBJECTS)


def _columns(line: str) -> tuple[str, str, str]:
    found = [part.strip() for part in line.split("\t")]
    if len(found) != 3:
        raise ValueError(f"{len(found)} columns by tabs; 3 are allowed: subject, relation, object")
    return _whole(found[0], found[1], found[2])


def _object(line: str) -> tuple[str, str, str]:
    try:
        found = parsed(line)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    keys = ("subject", "relation", "object")
    if not isinstance(found, dict) or not all(isinstance(found.get(k), str) for k in keys):
        raise ValueError('no object with the texts "subject", "relation" and "object"')
    return _whole(*(found[k].strip() for k in keys))


def _whole(subject: str, relation: str, object_: str) -> tuple[str, str, str]:
    if not (subject and relation and object_):
        raise ValueError("subject, relation or object is empty")
    storable(subject, relation, object_)
    return subject, relation, object_
