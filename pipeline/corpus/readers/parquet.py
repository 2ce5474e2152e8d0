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

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io.parquet import open_file
from pipeline.corpus.readers import base, records
from pipeline.corpus.readers.base import Document, Options, Record, RecordReader, Rejected, rejected
from pipeline.corpus.readers.rows import Columns

_COLUMNS: Final = Columns({"text": "text"})
_ROWS: Final = 256


def _scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows; the line of a record is its row number from 1."""
    with open_file(path) as file:
        if file.metadata.num_rows == 0:
            raise InputError(f"{path}: is empty; fetch it again")
        header = file.schema_arrow.names
        places = _COLUMNS.under(options).find(path, header)
        columns = {name: header[place] for name, place in places.items()}
        number = 0
        wanted = list(columns.values())
        for batch in file.iter_batches(batch_size=_ROWS, columns=wanted, use_threads=False):
            for index in range(batch.num_rows):
                number += 1
                cells = {name: batch.column(column)[index] for name, column in columns.items()}
                yield _record(path, number, cells)


def _record(path: Path, number: int, cells: dict[str, Any]) -> Record | Rejected:
    try:
        return Record(path.name, number, _pack(cells))
    except RecordError as fault:
        return rejected(fault, path.name, number)


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


def _document(record: Record, options: Options) -> Document:
    names = _COLUMNS.under(options).names()
    return records.document(orjson.loads(record.data), record, names)


READER: Final = RecordReader(_scan, _document, frozenset({"columns"}))
