"""Records out of CSV and TSV files: the wanted columns of each row, under the project's names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson

from pipeline.core.errors import InputError
from pipeline.ingest.readers import delimited, records
from pipeline.ingest.readers.base import Document, Options, Record, Rejected
from pipeline.ingest.readers.columns import Columns


def scan(
    path: Path, options: Options, columns: Columns, *, quoted: bool = True
) -> Iterator[Record | Rejected]:
    """Stream rows as records whose data is a JSON object of the wanted columns.

    Raises InputError when the header lacks a required column, or no row follows it.
    """
    wanted = columns.under(options)
    rows = delimited.rows(path, options, quoted=quoted)
    places: dict[str, int] | None = None
    seen = False
    for row in rows:
        if isinstance(row, Rejected):
            if places is None and options.header and row.action == "quarantine":
                raise InputError(f"{path}:{row.line}: the header cannot be read: {row.reason}")
            seen = True
            yield row
            continue
        number, fields = row
        if places is None:
            places = wanted.find(path, fields) if options.header else wanted.at(path, len(fields))
            if options.header:
                continue
        seen = True
        yield Record(path.name, number, _pack(fields, places))
    if not seen:
        raise InputError(f"{path}: holds a header and no rows; fetch it again")


def _pack(fields: list[str], places: dict[str, int]) -> bytes:
    return orjson.dumps({name: fields[place] for name, place in places.items()})


def document(record: Record, options: Options, columns: Columns) -> Document:
    """Build the document of one packed row; raises RecordError."""
    values = orjson.loads(record.data)
    return records.document(values, record, columns.under(options).names())


def parse(record: Record, options: Options, columns: Columns) -> Iterator[Document | Rejected]:
    """Turn one packed row into its document."""
    return records.one(record, lambda: document(record, options, columns))
