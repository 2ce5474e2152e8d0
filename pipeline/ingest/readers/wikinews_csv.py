"""Korean Wikinews articles as CSV: 작성일, 출처, 제목, 내용 (date, address, title, body).

The text is the body alone. The key is the page's name in the address, percent-decoded, because
titles were edited after the address was fixed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from pipeline.ingest.readers import records, tables
from pipeline.ingest.readers.base import Document, Options, Record, Rejected
from pipeline.ingest.readers.columns import Columns

_COLUMNS: Final = Columns({"date": "작성일", "url": "출처", "title": "제목", "text": "내용"})


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the rows."""
    return tables.scan(path, options, _COLUMNS)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one row into its document."""
    return records.one(record, lambda: _document(record, options))


def _document(record: Record, options: Options) -> Document:
    found = tables.document(record, options, _COLUMNS)
    return replace(found, key=_page_name(found.url)) if found.url else found


def _page_name(url: str) -> str:
    name = url.rpartition("/wiki/")[2]
    try:
        return unquote(name, errors="strict")
    except UnicodeDecodeError:
        return name
