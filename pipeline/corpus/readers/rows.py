"""Readers that are a table of columns: CSV, TSV, JSON lines, Parquet, and corpora in these forms.

`Options.columns` maps the project's names (key, text, title, date, section, url) to the columns of
the input and takes the place of those given here; other names go into `meta`. Without key, the url
is the key. A news article has its body as text; a headline is a title without body.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import unquote

import orjson

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io.batch import Row
from pipeline.core.io.parquet import open_file
from pipeline.core.io.source import READABLE, Source, require_filled
from pipeline.core.jsontext import has_so_many_keys, repeats_a_key
from pipeline.corpus.readers import base, lines, ranges, records
from pipeline.corpus.readers.base import (
    Batch,
    Document,
    Options,
    Range,
    Reader,
    Record,
    Rejected,
    record_reader,
    rejected,
)

_NO_HEADER: Final = "; for a file without header, set `header: false` and the columns' numbers"


def delimited(
    columns: records.Columns,
    delimiter: str | None = None,
    *,
    quoted: bool = True,
    refine: Callable[[Document], Document] | None = None,
) -> Reader:
    """Return a reader of CSV or TSV rows.

    `delimiter` is the format's own, where it leaves the options no choice; without `quoted`, a
    quote is a character like any other. `refine` changes a document, or raises RecordError.
    """

    def source_of(path: Path, options: Options) -> Source:
        return Source(path, "csv", delimiter=delimiter or options.delimiter, quoted=quoted)

    def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
        source = source_of(path, options)
        first = _first(source, columns.under(options), options)
        return _scan_rows(lines.scan_rows(source, options), first, path)

    def cut(path: Path, options: Options) -> Iterator[Range]:
        source = source_of(path, options)
        return ranges.cut(source, _first(source, columns.under(options), options), options)

    def read(path: Path, options: Options, part: Range) -> Batch:
        source = source_of(path, options)
        if not refine and (batch := ranges.of_rows(source, part, options)):
            return batch
        rows = lines.scan_rows(source, options, part)
        return Batch((), {}, list(_scan_rows(rows, part, path)))

    takes = {"columns", "encoding", "header"} | ({"delimiter"} if delimiter is None else set())
    reader = record_reader(scan, _packed(columns, refine), frozenset(takes))
    return replace(reader, cut=cut, read=read)


def _first(source: Source, columns: records.Columns, options: Options) -> Range:
    """Return where the header is and what is where in the rows of a file.

    Raises InputError when the header lacks a required column, or no row follows it.
    """
    path = source.path
    first = Range()
    for row in lines.scan_rows(source, options):
        if isinstance(row, Rejected):
            if first.width:
                return first
            if options.header and row.action == "quarantine":
                raise InputError(f"{path}:{row.line}: the header cannot be read: {row.reason}")
        elif first.width:
            return first
        elif not options.header:
            width = len(row.values)
            return Range(width=width, places=columns.at(path, width))
        else:
            places = columns.find(path, row.values, hint=_NO_HEADER)
            first = Range(header=row.line, width=len(row.values), places=places)
    if first.width:
        raise InputError(f"{path}: holds a header and no rows; make or fetch it again")
    return first


def _scan_rows(
    rows: Iterator[Row | Rejected], first: Range, path: Path
) -> Iterator[Record | Rejected]:
    """Stream rows as records whose data is a JSON object of the wanted columns."""
    for row in rows:
        if isinstance(row, Rejected):
            yield row
        elif row.line != first.header:
            values = {name: row.values[place] for name, place in first.places.items()}
            yield Record(path.name, row.line, orjson.dumps(values))


def _packed(
    columns: records.Columns, refine: Callable[[Document], Document] | None = None
) -> Callable[[Record, Options], Document]:
    """Return what makes the document of a record that is a JSON object of the wanted columns."""

    def make(record: Record, options: Options) -> Document:
        names = columns.under(options).names()
        document = records.document(orjson.loads(record.data), record, names)
        return refine(document) if refine else document

    return make


def _json_lines(columns: records.Columns) -> Reader:
    """Return a reader of one JSON object a line."""

    def document(record: Record, options: Options) -> Document:
        wanted = columns.under(options)
        values = wanted.pick(records.as_object(records.load_json(record.data, options)))
        return records.document(values, record, wanted.names())

    return lines.line_reader(_load, columns.under, document, frozenset({"columns", "encoding"}))


def _load(lines: list[bytes], options: Options) -> list[dict[str, Any]]:
    if options.encoding != "utf-8":
        return [{}] * len(lines)
    try:
        values = list(map(orjson.loads, lines))
    except orjson.JSONDecodeError:
        values = list(map(_value_or_none, lines))
    if {*map(type, values)} == {dict}:
        objects = cast(list[dict[str, Any]], values)
        if has_so_many_keys(b"\n".join(lines), sum(map(len, objects))):
            return objects
    return [
        value if isinstance(value, dict) and not repeats_a_key(line, value) else {}
        for line, value in zip(lines, values, strict=True)
    ]


def _value_or_none(line: bytes) -> object:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None


def _by_name(forms: dict[str, Reader]) -> Reader:
    """Return a reader of files in several forms; the suffix (before that of packing) decides."""

    def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
        require_filled(path)
        suffix = ending(path.name)
        if suffix not in forms:
            allowed = f"{', '.join(forms)} (also packed as {', '.join(READABLE)})"
            raise InputError(f"{path}: this reader takes {allowed}")
        if idle := sorted(options.changed() - forms[suffix].takes):
            raise InputError(f"{path}: a {suffix} file has no use for {', '.join(idle)}; remove it")
        return forms[suffix].scan(path, options)

    def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
        return forms[ending(record.file)].parse(record, options)

    return Reader(scan, parse, frozenset().union(*(form.takes for form in forms.values())))


def ending(name: str) -> str:
    """Return the ending of a name that says the form, in small letters, without that of packing."""
    suffixes = [s for s in Path(name.lower()).suffixes if s not in READABLE]
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
_PETITION: Final = records.Columns(
    {"key": "petition_idx", "text": "content"},
    {"title": "title", "date": "begin", "section": "category"},
)
_WIKINEWS: Final = records.Columns(
    {"date": "작성일", "url": "출처", "title": "제목", "text": "내용"}
)

#: Any file, by the columns that the options name.
CSV: Final = delimited(_TEXT)
TSV: Final = delimited(_TEXT, delimiter="\t", quoted=False)
JSONL: Final = _json_lines(_TEXT)

#: News articles: body, and title, date, section, url and id where given.
NEWS_CSV: Final = delimited(_ARTICLE)
NEWS_JSONL: Final = _json_lines(_ARTICLE)

#: News headlines without bodies; the press category goes into `section`.
HEADLINES: Final = _by_name(
    {
        ".jsonl": _json_lines(_HEADLINE),
        ".ndjson": _json_lines(_HEADLINE),
        ".csv": delimited(_HEADLINE),
    }
)

#: NAVER movie review ratings (``ratings.txt``); `meta` holds the label (0 negative, 1 positive).
#: Source: https://github.com/e9t/nsmc
NSMC_RATINGS: Final = delimited(_RATING, delimiter="\t", quoted=False)

#: Petitions to the Blue House: the body; title, first day and category where given.
#: Source: https://github.com/lovit/petitions_archive
PETITIONS: Final = _json_lines(_PETITION)

#: Korean Wikinews articles: date, address, title, body; the text is the body alone.
WIKINEWS: Final = delimited(_WIKINEWS, refine=_named_by_page)


_ROWS: Final = 256


def _scan_parquet(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows; the line of a record is its row number from 1."""
    with open_file(path) as file:
        if file.metadata.num_rows == 0:
            raise InputError(f"{path}: is empty; make or fetch it again")
        header = file.schema.names
        places = _TEXT.under(options).find(path, header)
        columns = {name: header[place] for name, place in places.items()}
        number = 0
        wanted = list(columns.values())
        for batch in file.batches(wanted, rows=_ROWS, use_threads=False):
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
    return value.isoformat() if isinstance(value, datetime.date) else value


PARQUET: Final = record_reader(_scan_parquet, _packed(_TEXT), frozenset({"columns"}))
