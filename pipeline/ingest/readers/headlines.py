"""News headlines without bodies, as JSON lines or CSV by the file's name; the text is the title.

The press category goes into `section`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError
from pipeline.ingest.readers import news, objects, streams, tables
from pipeline.ingest.readers.base import Document, Options, Record, Rejected

_JSON: Final = (".jsonl", ".ndjson")
_PACKED: Final = (".gz", ".bz2", ".zst")


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the lines or rows."""
    streams.require_file(path)
    suffix = _suffix(path.name)
    if suffix in _JSON:
        return streams.scan_lines(path, options)
    if suffix == ".csv":
        return tables.scan(path, options, news.HEADLINE)
    allowed = ", ".join((*_JSON, ".csv"))
    raise InputError(f"{path}: headlines come as {allowed} (also packed as {', '.join(_PACKED)})")


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one line or row into its document."""
    if _suffix(record.file) in _JSON:
        return objects.parse(record, options, news.HEADLINE)
    return tables.parse(record, options, news.HEADLINE)


def _suffix(name: str) -> str:
    suffixes = [s for s in Path(name.lower()).suffixes if s not in _PACKED]
    return suffixes[-1] if suffixes else ""
