"""NAVER movie review ratings (``ratings.txt``): TSV with header id, document, label; no quoting.

The key is the id, and `meta` holds the label (0 negative, 1 positive).
Source: https://github.com/e9t/nsmc
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from pipeline.ingest.readers import tables
from pipeline.ingest.readers.base import Document, Options, Record, Rejected
from pipeline.ingest.readers.columns import Columns

_COLUMNS: Final = Columns({"key": "id", "text": "document", "label": "label"})


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows."""
    return tables.scan(path, replace(options, delimiter="\t"), _COLUMNS, quoted=False)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one row into its document."""
    return tables.parse(record, options, _COLUMNS)
