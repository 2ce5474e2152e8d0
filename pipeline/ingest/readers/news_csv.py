"""News articles as CSV: body, and title, date, section, url and id where given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.ingest.readers import news, tables
from pipeline.ingest.readers.base import Document, Options, Record, Rejected


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows."""
    return tables.scan(path, options, news.ARTICLE)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one row into its document."""
    return tables.parse(record, options, news.ARTICLE)
