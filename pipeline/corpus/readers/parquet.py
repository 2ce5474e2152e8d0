"""Any Parquet file, read by batches of rows.

`Options.columns` names the column of the text (required) and, where there are, of key, title, date,
section and url; other names go into `meta`. Without key, the url is the key.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.core.errors import InputError, RecordError
from pipeline.corpus.readers import base, records
from pipeline.corpus.readers.base import Document, Options, Record, Rejected
from pipeline.corpus.readers.columns import Columns
from pipeline.corpus.readers.files import streams

takes: Final = frozenset({"columns"})

_COLUMNS: Final = Columns({"text": "text"})
_ROWS: Final = 256


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows; the line of a record is its row number from 1."""
    streams.require_file(path)
    try:
        with pq.ParquetFile(path) as file:
            yield from _rows(path, file, options)
    except (pa.ArrowException, OSError) as error:
        kind = type(error).__name__
        raise InputError(f"{path}: damaged or no Parquet file ({kind}); fetch it again") from None


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one row into its document."""
    return records.one(record, lambda: _document(record, options))


def _document(record: Record, options: Options) -> Document:
    names = _COLUMNS.under(options).names()
    return records.document(orjson.loads(record.data), record, names)


def _rows(path: Path, file: pq.ParquetFile, options: Options) -> Iterator[Record | Rejected]:
    if file.metadata.num_rows == 0:
        raise InputError(f"{path}: is empty; fetch it again")
    header = file.schema_arrow.names
    places = _COLUMNS.under(options).find(path, header)
    number = 0
    wanted = [header[place] for place in places.values()]
    for batch in file.iter_batches(batch_size=_ROWS, columns=wanted, use_threads=False):
        for index in range(batch.num_rows):
            number += 1
            yield _record(
                path, number, {n: batch.column(header[p])[index] for n, p in places.items()}
            )


def _record(path: Path, number: int, cells: dict[str, Any]) -> Record | Rejected:
    try:
        return Record(path.name, number, _pack(cells))
    except RecordError as fault:
        return records.rejected(fault, path.name, number)


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
