"""Any CSV file, quoted newlines included; `Options` give delimiter, header or not, and columns.

`Options.columns` names the column of the text (required) and, where there are, of key, title, date,
section and url; other names go into `meta`. Without key, the url or the line number is the key.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.ingest.readers import tables
from pipeline.ingest.readers.base import Document, Options, Record, Rejected
from pipeline.ingest.readers.columns import Columns

_COLUMNS: Final = Columns({"text": "text"})


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows."""
    return tables.scan(path, options, _COLUMNS)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one row into its document."""
    return tables.parse(record, options, _COLUMNS)
