"""News articles as JSON lines: body, and title, date, section, url and id where given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.ingest.readers import news, objects, streams
from pipeline.ingest.readers.base import Document, Options, Record, Rejected


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the lines."""
    return streams.scan_lines(path, options)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one line into its document."""
    return objects.parse(record, options, news.ARTICLE)
