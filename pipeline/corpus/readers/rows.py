"""Readers that are a table of columns: CSV, TSV and JSON lines, and the corpora that come as such.

`Options.columns` maps the project's names (key, text, title, date, section, url) to the columns of
the input and takes the place of those given here; other names go into `meta`. Without key, the url
is the key. A news article has its body as text; a headline is a title without body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final
from urllib.parse import unquote

import orjson

from pipeline.core.errors import InputError
from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Document, Options, Record, Rejected
from pipeline.corpus.readers.columns import Columns
from pipeline.corpus.readers.files import delimited, streams

_NO_HEADER: Final = "; for a file without header, set `header: false` and the columns' numbers"
_PACKED: Final = (".gz", ".bz2", ".zst")


def _as_read(document: Document) -> Document:
    """Return a document as it is."""
    return document


@dataclass(frozen=True)
class Delimited:
    """A reader of CSV or TSV rows.

    `delimiter` is the format's own, where it leaves the options no choice; without `quoted`, a
    quote is a character like any other. `refine` changes a document, or raises RecordError.
    """

    columns: Columns
    delimiter: str | None = None
    quoted: bool = True
    refine: Callable[[Document], Document] = _as_read

    @property
    def takes(self) -> frozenset[str]:
        """The names of the options that make a difference."""
        free = {"delimiter"} if self.delimiter is None else set()
        return frozenset({"columns", "encoding", "header"} | free)

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:
        """Stream rows as records whose data is a JSON object of the wanted columns.

        Raises InputError when the header lacks a required column, or no row follows it.
        """
        options = replace(options, delimiter=self.delimiter or options.delimiter)
        places: dict[str, int] | None = None
        seen = False
        for row in delimited.rows(path, options, quoted=self.quoted):
            if isinstance(row, Rejected):
                if places is None and options.header and row.action == "quarantine":
                    raise InputError(f"{path}:{row.line}: the header cannot be read: {row.reason}")
                seen = True
                yield row
                continue
            number, fields = row
            if places is None:
                places = self._places(path, options, fields)
                if options.header:
                    continue
            seen = True
            yield Record(path.name, number, _pack(fields, places))
        if not seen:
            raise InputError(f"{path}: holds a header and no rows; fetch it again")

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one packed row into its document."""
        return records.one(record, lambda: self._document(record, options))

    def _places(self, path: Path, options: Options, first: list[str]) -> dict[str, int]:
        wanted = self.columns.under(options)
        if options.header:
            return wanted.find(path, first, hint=_NO_HEADER)
        return wanted.at(path, len(first))

    def _document(self, record: Record, options: Options) -> Document:
        names = self.columns.under(options).names()
        return self.refine(records.document(orjson.loads(record.data), record, names))


@dataclass(frozen=True)
class JsonLines:
    """A reader of one JSON object a line."""

    columns: Columns
    takes: ClassVar[frozenset[str]] = frozenset({"columns", "encoding"})

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:
        """Stream the lines."""
        return streams.scan_lines(path, options)

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one line into its document."""
        return records.one(record, lambda: self._document(record, options))

    def _document(self, record: Record, options: Options) -> Document:
        wanted = self.columns.under(options)
        values = wanted.pick(records.load_object(record.data, options))
        return records.document(values, record, wanted.names())


@dataclass(frozen=True)
class ByName:
    """A reader of files that come in several forms, told by their suffix (also packed)."""

    forms: dict[str, Delimited | JsonLines]

    @property
    def takes(self) -> frozenset[str]:
        """The names of the options that make a difference to any of the forms."""
        return frozenset().union(*(form.takes for form in self.forms.values()))

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:
        """Stream the lines or rows; raises InputError for another suffix or an idle option."""
        streams.require_file(path)
        suffix = _suffix(path.name)
        if suffix not in self.forms:
            raise InputError(
                f"{path}: this reader takes {', '.join(self.forms)} (also packed as"
                f" {', '.join(_PACKED)})"
            )
        form = self.forms[suffix]
        if idle := sorted(options.given() - form.takes):
            raise InputError(f"{path}: a {suffix} file has no use for {', '.join(idle)}; remove it")
        return form.scan(path, options)

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one line or row into its document."""
        return self.forms[_suffix(record.file)].parse(record, options)


def _pack(fields: list[str], places: dict[str, int]) -> bytes:
    return orjson.dumps({name: fields[place] for name, place in places.items()})


def _suffix(name: str) -> str:
    suffixes = [s for s in Path(name.lower()).suffixes if s not in _PACKED]
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
