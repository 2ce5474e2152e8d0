"""Readers that are a table of columns: CSV, TSV and JSON lines, and the corpora that come as such.

`Options.columns` maps the project's names (key, text, title, date, section, url) to the columns of
the input and takes the place of those given here; other names go into `meta`. Without key, the url
is the key. A news article has its body as text; a headline is a title without body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Final
from urllib.parse import unquote

import orjson

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io.source import PACKED, Source, require_filled
from pipeline.corpus.readers import lines, records
from pipeline.corpus.readers.base import Document, Options, Record, Rejected, rejected

_NO_HEADER: Final = "; for a file without header, set `header: false` and the columns' numbers"
#: How much of a header an error shows: columns, and characters of each.
_SHOWN: Final = 12
_LONGEST: Final = 30


@dataclass(frozen=True)
class Columns:
    """The columns a reader wants, from the project's names to the input's.

    `required` must be in the input; `optional` is used where the input has it.
    """

    required: dict[str, str]
    optional: dict[str, str] = field(default_factory=dict)

    def under(self, options: Options) -> Columns:
        """Return these columns with those that the options name in their place, as required."""
        required = {**self.required, **options.columns}
        optional = {n: c for n, c in self.optional.items() if n not in options.columns}
        return Columns(required, optional)

    def names(self) -> dict[str, str]:
        """Return all columns by the project's names."""
        return {**self.optional, **self.required}

    def find(self, path: Path, header: Sequence[str], *, hint: str = "") -> dict[str, int]:
        """Return the place of every wanted column in a header.

        Raises InputError that shows the columns found, masked where they may be data, and says
        which option to set; `hint` ends it.
        """
        absent = [f"{c!r} (for {n})" for n, c in self.required.items() if c not in header]
        if absent:
            shown = ", ".join(map(_masked, header[:_SHOWN]))
            shown += ", ..." if len(header) > _SHOWN else ""
            raise InputError(
                f"{path}: has no column {', '.join(absent)}; found: {shown}; set `columns` of the"
                f" source to the names in this file{hint}"
            )
        wanted = {n: c for n, c in self.names().items() if c in header}
        twice = sorted({c for c in wanted.values() if header.count(c) > 1})
        if twice:
            raise InputError(f"{path}: column {twice[0]!r} is there twice; rename one")
        return {name: header.index(column) for name, column in wanted.items()}

    def at(self, path: Path, width: int) -> dict[str, int]:
        """Return the place of every required column of an input without header."""
        places = {n: int(c) if c.isdecimal() else -1 for n, c in self.required.items()}
        wrong = [f"{self.required[n]!r} (for {n})" for n, p in places.items() if not 0 <= p < width]
        if wrong:
            raise InputError(
                f"{path}: without header, `columns` takes numbers from 0 to {width - 1}; given:"
                f" {', '.join(wrong)}"
            )
        return places

    def pick(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return the wanted fields of one object by the project's names; absent ones stay absent.

        An absent required key is present as None, so that it is missed.
        """
        picked = {n: values[c] for n, c in self.names().items() if c in values}
        if "key" in self.required:
            picked.setdefault("key", None)
        return picked


def _masked(name: str) -> str:
    """Return a column's name for an error: in a file without header, it is a cell with data."""
    if name.isascii() and "@" not in name and not any(map(str.isdigit, name)):
        return repr(name[:_LONGEST])
    return repr(name[:1] + "*" * (min(len(name), _LONGEST) - 1))


@dataclass(frozen=True)
class Delimited:
    """A reader of CSV or TSV rows.

    `delimiter` is the format's own, where it leaves the options no choice; without `quoted`, a
    quote is a character like any other. `refine` changes a document, or raises RecordError.
    """

    columns: Columns
    delimiter: str | None = None
    quoted: bool = True
    refine: Callable[[Document], Document] | None = None

    @property
    def takes(self) -> frozenset[str]:
        """The names of the options that make a difference."""
        free = {"delimiter"} if self.delimiter is None else set()
        return frozenset({"columns", "encoding", "header"} | free)

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:
        """Stream rows as records whose data is a JSON object of the wanted columns.

        Raises InputError when the header lacks a required column, or no row follows it.
        """
        source = Source(
            path, "csv", delimiter=self.delimiter or options.delimiter, quoted=self.quoted
        )
        places: dict[str, int] | None = None
        seen = False
        for row in lines.scan_rows(source, options):
            if isinstance(row, Rejected):
                if places is None and options.header and row.action == "quarantine":
                    raise InputError(f"{path}:{row.line}: the header cannot be read: {row.reason}")
                seen = True
                yield row
                continue
            if places is None:
                places = self._places(path, options, row.fields)
                if options.header:
                    continue
            seen = True
            values = {name: row.fields[place] for name, place in places.items()}
            yield Record(path.name, row.line, orjson.dumps(values))
        if not seen:
            raise InputError(f"{path}: holds a header and no rows; fetch it again")

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one packed row into its document."""
        names = self.columns.under(options).names()
        try:
            document = records.document(orjson.loads(record.data), record, names)
            yield self.refine(document) if self.refine else document
        except RecordError as fault:
            yield rejected(fault, record.file, record.line)

    def _places(self, path: Path, options: Options, first: list[str]) -> dict[str, int]:
        wanted = self.columns.under(options)
        if options.header:
            return wanted.find(path, first, hint=_NO_HEADER)
        return wanted.at(path, len(first))


@dataclass(frozen=True)
class JsonLines:
    """A reader of one JSON object a line."""

    columns: Columns
    takes: ClassVar[frozenset[str]] = frozenset({"columns", "encoding"})

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:
        """Stream the lines."""
        return lines.scan_lines(path, options)

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one line into its document."""
        wanted = self.columns.under(options)
        try:
            values = wanted.pick(records.load_object(record.data, options))
            yield records.document(values, record, wanted.names())
        except RecordError as fault:
            yield rejected(fault, record.file, record.line)


@dataclass(frozen=True)
class ByName:
    """A reader of files in several forms; the suffix (before that of packing) decides."""

    forms: dict[str, Delimited | JsonLines]

    @property
    def takes(self) -> frozenset[str]:
        """The names of the options that make a difference to any of the forms."""
        return frozenset().union(*(form.takes for form in self.forms.values()))

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:
        """Stream the lines or rows; raises InputError for another suffix or an idle option."""
        require_filled(path)
        suffix = _suffix(path.name)
        if suffix not in self.forms:
            raise InputError(
                f"{path}: this reader takes {', '.join(self.forms)} (also packed as"
                f" {', '.join(PACKED)})"
            )
        form = self.forms[suffix]
        if idle := sorted(options.changed() - form.takes):
            raise InputError(f"{path}: a {suffix} file has no use for {', '.join(idle)}; remove it")
        return form.scan(path, options)

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one line or row into its document."""
        return self.forms[_suffix(record.file)].parse(record, options)


def _suffix(name: str) -> str:
    suffixes = [s for s in Path(name.lower()).suffixes if s not in PACKED]
    return suffixes[-1] if suffixes else ""


def _named_by_page(document: Document) -> Document:
    """Take as key the page's name in the address: titles were edited after it was fixed."""
    if not document.url:
        return document
    name = document.url.rpartition("/wiki/")[2]
    try:
        return replace(document, key=unquote(name, errors="strict"))
    except UnicodeDecodeError:
        return replace(document, key=name)


_TEXT: Final = Columns({"text": "text"})
_ABOUT: Final = {"key": "id", "date": "date", "section": "section", "url": "url"}
_ARTICLE: Final = Columns({"text": "body"}, {"title": "title", **_ABOUT})
_HEADLINE: Final = Columns({"text": "title"}, _ABOUT)
_RATING: Final = Columns({"key": "id", "text": "document", "label": "label"})
_WIKINEWS: Final = Columns({"date": "작성일", "url": "출처", "title": "제목", "text": "내용"})

#: Any file, by the columns that the options name.
CSV: Final = Delimited(_TEXT)
TSV: Final = Delimited(_TEXT, delimiter="\t", quoted=False)
JSONL: Final = JsonLines(_TEXT)

#: News articles: body, and title, date, section, url and id where given.
NEWS_CSV: Final = Delimited(_ARTICLE)
NEWS_JSONL: Final = JsonLines(_ARTICLE)

#: News headlines without bodies; the press category goes into `section`.
HEADLINES: Final = ByName(
    {
        ".jsonl": JsonLines(_HEADLINE),
        ".ndjson": JsonLines(_HEADLINE),
        ".csv": Delimited(_HEADLINE),
    }
)

#: NAVER movie review ratings (``ratings.txt``); `meta` holds the label (0 negative, 1 positive).
#: Source: https://github.com/e9t/nsmc
NSMC_RATINGS: Final = Delimited(_RATING, delimiter="\t", quoted=False)

#: Korean Wikinews articles: date, address, title, body; the text is the body alone.
WIKINEWS: Final = Delimited(_WIKINEWS, refine=_named_by_page)
