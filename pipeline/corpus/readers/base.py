"""Readers: `scan` streams raw records out of a path, `parse` turns one record into documents.

`scan` runs in one process and must be cheap and bounded in memory; `parse` is a pure function of
one record and runs in any worker. Neither drops anything: a record that cannot be read, or is left
out on purpose, is yielded as a `Rejected` with its rule, and every record yields at least one
document or `Rejected`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from pipeline.core.errors import RecordError, SpecError
from pipeline.core.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

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
    """A document as a reader yields it.

    `key` is the id in the source, unique there; "" means that the document has none, and the stage
    then names it by its input and line. So only a reader whose `line` is unique in an input may
    leave it empty. `date` is ISO (YYYY-MM-DD), None if the source has none that can be understood.
    `sections` of None means that the reader does not look for any: the whole text is one. An empty
    tuple means that it looked and none holds prose.
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


def rejected(fault: RecordError, file: str, line: int) -> Rejected:
    """Return the ledger row of a fault; its rule decides the action."""
    rule = FILE_RULES.get(fault.rule, fault.rule)
    return Rejected(rule, RULES[rule].action, fault.reason, file, line)


@dataclass(frozen=True)
class Options:
    """How an input is read, by its catalogue entry and its build file.

    `columns` maps the project's names (key, text, title, date, section, url, or meta names) to the
    names or, for files without header, the zero-based numbers of the input's columns. `only` is the
    one source to read of a file that holds several, `pattern` a glob of the files of a folder.
    """

    columns: dict[str, str] = field(default_factory=dict)
    encoding: str = "utf-8"
    delimiter: str = ","
    header: bool = True
    only: str = ""
    pattern: str = ""

    def changed(self) -> frozenset[str]:
        """Return the names of the options that differ from their default."""
        given, default = asdict(self), asdict(Options())
        return frozenset(name for name in given if given[name] != default[name])


class Range(NamedTuple):
    """Whole lines or rows of a plain file: where they lie in bytes, and the number of the first.

    Without `end` it is the rest of the file. Of a table, `header` is the line of its header (0 if
    it has none), `width` the fields of a row, and `places` are those of the wanted columns.
    """

    start: int = 0
    end: int | None = None
    line: int = 1
    header: int = 0
    width: int = 0
    places: Mapping[str, int] = {}


class Batch(NamedTuple):
    """Documents by column, and the records of a range that need a closer look.

    `lines` are those of the documents; `columns` are their fields by the project's names, checked;
    an empty field is null.
    """

    lines: npt.NDArray[np.int64] | tuple[()]
    columns: dict[str, pa.StringArray]
    others: list[Record | Rejected]


@dataclass(frozen=True)
class Reader:
    """Reads one format.

    `scan` streams the raw records of a file or folder, in an order that depends on names alone. It
    raises InputError when the input as a whole is unusable: missing, empty, cut off, of another
    format, without a column that the options name. `parse` turns one record into documents, in
    order. `takes` are the names of the options that make a difference. With `cut`, workers read a
    plain file themselves: it yields ranges, and `read` returns what `scan` and `parse` would.
    """

    scan: Callable[[Path, Options], Iterator[Record | Rejected]]
    parse: Callable[[Record, Options], Iterator[Document | Rejected]]
    takes: frozenset[str] = frozenset()
    cut: Callable[[Path, Options], Iterator[Range]] = lambda *_: iter((Range(line=0),))
    read: Callable[[Path, Options, Range], Batch] = lambda *_: Batch((), {}, [])


def record_reader(
    scan: Callable[[Path, Options], Iterator[Record | Rejected]],
    document: Callable[[Record, Options], Document],
    takes: frozenset[str] = frozenset(),
) -> Reader:
    """Return a reader whose every record is one document; `document` raises RecordError."""

    def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
        try:
            yield document(record, options)
        except RecordError as fault:
            yield rejected(fault, record.file, record.line)

    return Reader(scan, parse, takes)


@dataclass(frozen=True, slots=True)
class Rule:
    """What happens to a record under this rule, and what the rule means."""

    action: Literal["drop", "quarantine"]
    meaning: str


#: A drop is on purpose: the record was understood and is not wanted. A quarantine is a fault: the
#: record could not be understood, and somebody may want to mend it.
RULES: Final[dict[str, Rule]] = {
    "read.empty@1": Rule("drop", "a blank line, or a record without text"),
    "read.not_a_record@1": Rule("drop", "a file or page of another kind than the reader's"),
    "read.namespace@1": Rule("drop", "a wiki page outside the article namespace"),
    "read.redirect@1": Rule("drop", "a wiki page that only points to another"),
    "read.language@1": Rule("drop", "a text that is not Korean"),
    "read.too_long@1": Rule("quarantine", "a line longer than the cap"),
    "read.too_large@1": Rule("quarantine", "a file, page or row larger than the cap"),
    "read.encoding@1": Rule("quarantine", "bytes or escapes that are no text in the encoding"),
    "read.malformed@1": Rule("quarantine", "a record that breaks its format"),
    "read.missing_field@1": Rule("quarantine", "a record without a field that it must have"),
    "read.archive_path@1": Rule("quarantine", "a name that leaves its folder, a link or a device"),
    "read.unreadable@1": Rule("quarantine", "a file that is not what its name says, from there on"),
    "read.wikitext@1": Rule("quarantine", "wikitext that the parser gives up on"),
}

#: The rules of core/io as rules of readers.
FILE_RULES: Final = {
    "file.blank@1": "read.empty@1",
    "file.missing@1": "read.missing_field@1",
    "file.too_long@1": "read.too_long@1",
    "file.too_large@1": "read.too_large@1",
    "file.encoding@1": "read.encoding@1",
    "file.malformed@1": "read.malformed@1",
    "file.archive_path@1": "read.archive_path@1",
    "file.not_a_record@1": "read.not_a_record@1",
}


_HERE: Final = "pipeline.corpus.readers"

#: The readers by the names that catalogue entries give them.
READERS: Final[Registry[Reader]] = Registry(
    "reader",
    {
        "airbnb": f"{_HERE}.corpora:AIRBNB",
        "csv": f"{_HERE}.rows:CSV",
        "files": f"{_HERE}.files:FILES",
        "headlines": f"{_HERE}.rows:HEADLINES",
        "jsonl": f"{_HERE}.rows:JSONL",
        "klue_texts": f"{_HERE}.corpora:KLUE_TEXTS",
        "lines": f"{_HERE}.files:LINES",
        "mediawiki": f"{_HERE}.wiki.mediawiki:READER",
        "modu": f"{_HERE}.modu:MODU",
        "namuwiki": f"{_HERE}.wiki.namuwiki:READER",
        "news_crawl": f"{_HERE}.crawls:NEWS_CRAWL",
        "news_csv": f"{_HERE}.rows:NEWS_CSV",
        "news_jsonl": f"{_HERE}.rows:NEWS_JSONL",
        "nsmc": f"{_HERE}.corpora:NSMC",
        "nsmc_ratings": f"{_HERE}.rows:NSMC_RATINGS",
        "paragraphs": f"{_HERE}.crawls:PARAGRAPHS",
        "parakqc": f"{_HERE}.corpora:PARAKQC",
        "parquet": f"{_HERE}.rows:PARQUET",
        "petitions": f"{_HERE}.rows:PETITIONS",
        "text": f"{_HERE}.lines:TEXT",
        "text_files": f"{_HERE}.lines:TEXT_FILES",
        "tsv": f"{_HERE}.rows:TSV",
        "wikinews_csv": f"{_HERE}.rows:WIKINEWS",
    },
)


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Raise SpecError when an option that a reader has no use for differs from its default.

    `options` has the fields of `Options`, all or some.
    """
    takes = READERS[name].takes
    idle = sorted(Options(**options).changed() - takes)
    if idle:
        allowed = f"it takes {', '.join(sorted(takes))}" if takes else "it takes no options"
        raise SpecError(f"reader {name} has no use for {', '.join(idle)}; {allowed}")
