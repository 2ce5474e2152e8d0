"""What every reader is: `scan` streams raw records out of a path, `parse` turns one into documents.

`scan` runs in one process and must be cheap and bounded in memory; `parse` is a pure function of
one record and runs in any worker. Neither drops anything: what cannot be read, or is left out on
purpose, is yielded as a `Rejected` with its rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

#: A line, JSON record or archive member above this many bytes is quarantined, not held in memory.
MAX_RECORD_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One raw piece of an input, small enough to send to a worker.

    `file` is the name relative to the input path (``archive.tar.zst!raw/1.json`` inside an
    archive), never an absolute path; `line` is the line or record number, from 1.
    """

    file: str
    line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document: its heading and where its body lies in the text, in code points."""

    title: str
    level: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Infobox:
    """One parameter of an infobox: plain value, and the titles that its links point to."""

    template: str
    ordinal: int
    name: str
    value: str
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """What a reader yields. `key` is unique in its source; an empty `sections` means one section.

    `date` is ISO (YYYY-MM-DD) where the source gives one that can be understood.
    """

    key: str
    text: str
    file: str
    line: int
    title: str | None = None
    date: str | None = None
    section: str | None = None
    url: str | None = None
    sections: tuple[Section, ...] = ()
    infoboxes: tuple[Infobox, ...] = ()
    meta: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that yields no document; the reason never holds the record's own text."""

    rule: str
    action: Literal["drop", "quarantine"]
    reason: str
    file: str
    line: int


@dataclass(frozen=True)
class Options:
    """How an input is read: what its catalogue entry and its build file say.

    `columns` maps the project's names (key, text, title, date, section, url, or meta names) to the
    names or, for files without header, the zero-based numbers of the input's columns.
    """

    columns: dict[str, str] = field(default_factory=dict)
    encoding: str = "utf-8"
    delimiter: str = ","
    header: bool = True


class Reader(Protocol):
    """A module of this package that reads one format."""

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:
        """Stream the raw records of a file or folder, in an order that depends on names alone.

        Raises InputError when the input as a whole is unusable: missing, empty, cut off, of
        another format, without a column that `options` name.
        """

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one record into documents, in order."""
