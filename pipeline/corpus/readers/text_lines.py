"""Plain text, one document a line, without key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Document, Options, Record, Rejected
from pipeline.corpus.readers.files import streams

takes: Final = frozenset({"encoding"})


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the lines."""
    return streams.scan_lines(path, options)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one line into its document."""
    return records.one(record, lambda: _document(record, options))


def _document(record: Record, options: Options) -> Document:
    text = records.full_text(records.decode(record.data, options))
    return Document("", text, record.file, record.line)
