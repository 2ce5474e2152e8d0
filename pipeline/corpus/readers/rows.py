"""Readers that are a table of columns: CSV, TSV, JSON lines, Parquet, and corpora in these forms.

`Options.columns` maps the project's names (key, text, title, date, section, url) to the columns of
the input and takes the place of those given here; other names go into `meta`. Without key, the url
is the key. A news article has its body as text; a headline is a title without body.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import unquote

import orjson

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io.parquet import open_file
from pipeline.core.io.source import PACKED, Source, require_filled
from pipeline.corpus.readers import base, lines, records
from pipeline.corpus.readers.base import Document, Options, Record, RecordReader, Rejected, rejected

_NO_HEADER: Final = "; for a file without header, set `header: false` and the columns' numbers"


@dataclass(frozen=True)
class Delimited:
    """A reader of CSV or TSV rows.

    `delimiter` is the format's own, where it leaves the options no choice; without `quoted`, a
    quote is a character like any other. `refine` changes a document, or raises RecordError.
    """

    columns: records.Columns
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

    columns: records.Columns
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


_TEXT: Final = records.Columns({"text": "text"})
_ABOUT: Final = {"key": "id", "date": "date", "section": "section", "url": "url"}
_ARTICLE: Final = records.Columns({"text": "body"}, {"title": "title", **_ABOUT})
_HEADLINE: Final = records.Columns({"text": "title"}, _ABOUT)
_RATING: Final = records.Columns({"key": "id", "text": "document", "label": "label"})
_WIKINEWS: Final = records.Columns(
    {"date": "작성일", "url": "출처", "title": "제목", "text": "내용"}
)

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


_ROWS: Final = 256


def _scan_parquet(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows; the line of a record is its row number from 1."""
    with open_file(path) as file:
        if file.metadata.num_rows == 0:
            raise InputError(f"{path}: is empty; fetch it again")
        header = file.schema_arrow.names
        places = _TEXT.under(options).find(path, header)
        columns = {name: header[place] for name, place in places.items()}
        number = 0
        wanted = list(columns.values())
        for batch in file.iter_batches(batch_size=_ROWS, columns=wanted, use_threads=False):
            for index in range(batch.num_rows):
                number += 1
                cells = {name: batch.column(column)[index] for name, column in columns.items()}
                try:
                    yield Record(path.name, number, _pack(cells))
                except RecordError as fault:
                    yield rejected(fault, path.name, number)


def _pack(cells: dict[str, Any]) -> bytes:
    try:
        data = orjson.dumps({name: _value(cell) for name, cell in cells.items()})
    except UnicodeDecodeError:
        raise RecordError("read.encoding@1", "holds bytes that are not UTF-8") from None
    except TypeError:
        raise RecordError("read.malformed@1", "holds a value of an unusual type") from None
    if len(data) > base.MAX_RECORD_BYTES:
        raise RecordError("read.too_large@1", f"is a row of {len(data):,} bytes")
    return data


def _value(cell: Any) -> object:
    value = cell.as_py()
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()
    return value


def _parquet_document(record: Record, options: Options) -> Document:
    return records.document(orjson.loads(record.data), record, _TEXT.under(options).names())


PARQUET: Final = RecordReader(_scan_parquet, _parquet_document, frozenset({"columns"}))
