"""Any tab-separated file: no quoting, a quote is a character like any other.

`Options.columns` names the column of the text (required) and, where there are, of key, title, date,
section and url; other names go into `meta`. Without key, the url or the line number is the key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from pipeline.ingest.readers import tables
from pipeline.ingest.readers.base import Document, Options, Record, Rejected
from pipeline.ingest.readers.columns import Columns

_COLUMNS: Final = Columns({"text": "text"})


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows."""
    return tables.scan(path, replace(options, delimiter="\t"), _COLUMNS, quoted=False)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one row into its document."""
    return tables.parse(record, options, _COLUMNS)
