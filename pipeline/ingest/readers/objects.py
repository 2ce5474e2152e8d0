"""Documents out of JSON lines: the wanted fields of each object, under the project's names."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.ingest.readers import records
from pipeline.ingest.readers.base import Document, Options, Record, Rejected
from pipeline.ingest.readers.columns import Columns


def document(record: Record, options: Options, columns: Columns) -> Document:
    """Build the document of one line that holds a JSON object; raises RecordError."""
    wanted = columns.under(options)
    values = wanted.pick(records.load_object(record.data, options))
    return records.document(values, record, wanted.names())


def parse(record: Record, options: Options, columns: Columns) -> Iterator[Document | Rejected]:
    """Turn one line into its document."""
    return records.one(record, lambda: document(record, options, columns))
