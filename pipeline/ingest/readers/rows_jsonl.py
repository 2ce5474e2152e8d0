"""Any JSON lines file: one object a line.

`Options.columns` names the field of the text (required) and, where there are, of key, title, date,
section and url; other names go into `meta`. Without key, the url or the line number is the key.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.ingest.readers import objects, streams
from pipeline.ingest.readers.base import Document, Options, Record, Rejected
from pipeline.ingest.readers.columns import Columns

_COLUMNS: Final = Columns({"text": "text"})


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the lines."""
    return streams.scan_lines(path, options)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one line into its document."""
    return objects.parse(record, options, _COLUMNS)
