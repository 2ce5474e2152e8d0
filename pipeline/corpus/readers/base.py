"""What every reader is: `scan` streams raw records out of a path, `parse` turns one into documents.

`scan` runs in one process and must be cheap and bounded in memory; `parse` is a pure function of
one record and runs in any worker. Neither drops anything: what cannot be read, or is left out on
purpose, is yielded as a `Rejected` with its rule, and every record yields at least one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal, Protocol

#: A line, JSON record or archive member above this many bytes is quarantined, not held in memory.
MAX_RECORD_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One raw piece of an input, small enough to send to a worker.

    `file` is the name relative to the input path (``archive.tar.zst!raw/1.json`` inside an
    archive), never an absolute path; `line` is the line or record number, from 1. `archive` is the
    name of the archive that the record was read from, "" for none.
    """

    file: str
    line: int
    data: bytes
    archive: str = ""

    @property
    def name(self) -> str:
        """The file's name within its folder or archive."""
        return self.file.removeprefix(f"{self.archive}!") if self.archive else self.file


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
    """What a reader yields.

    `key` is the id that the source itself gives, unique in the source; "" means that the document
    has none, and the stage then names it by its input and line. So only a reader whose `line` is
    unique in an input may leave it empty. `date` is ISO (YYYY-MM-DD) where the source gives one
    that can be understood. `sections` of None means that the reader does not look for any: the
    whole text is one. An empty tuple means that it looked and none holds prose.
    """

    key: str
    text: str
    file: str
    line: int
    title: str | None = None
    date: str | None = None
    section: str | None = None
    url: str | None = None
    sections: tuple[Section, ...] | None = None
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
    names or, for files without header, the zero-based numbers of the input's columns. `only` is the
    one source to read of a file that holds several.
    """

    columns: dict[str, str] = field(default_factory=dict)
    encoding: str = "utf-8"
    delimiter: str = ","
    header: bool = True
    only: str = ""

    def given(self) -> frozenset[str]:
        """Return the names of the options that differ from their default."""
        default = Options()
        names = (option.name for option in fields(self))
        return frozenset(n for n in names if getattr(self, n) != getattr(default, n))


class Reader(Protocol):
    """What reads one format: a module of this package, or an object in one."""

    @property
    def takes(self) -> frozenset[str]:
        """The names of the options that make a difference to this reader."""

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:
        """Stream the raw records of a file or folder, in an order that depends on names alone.

        Raises InputError when the input as a whole is unusable: missing, empty, cut off, of
        another format, without a column that `options` name.
        """

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one record into documents, in order."""
