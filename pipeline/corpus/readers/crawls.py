"""Readers of texts crawled from the web: CC-100 and the articles of the WMT News Crawl.

PARAGRAPHS, the form of CC-100: a paragraph a line, and an empty line between documents. A document
is named by its input and first line. Source: https://data.statmt.org/cc-100 (Conneau et al., 2020)

NEWS_CRAWL: an article a line, three fields with tabs between: the day (YYYYMMDD), the text cut into
sentences, and the text as it was, both in base64; the last is read. The shuffled sentences of the
same crawl are a file of lines, for the reader `text`. Source: https://data.statmt.org/news-crawl
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.core.errors import RecordError
from pipeline.core.io import batch
from pipeline.core.wording import count
from pipeline.corpus.readers import base, lines, records
from pipeline.corpus.readers.base import (
    Document,
    Options,
    Reader,
    Record,
    Rejected,
    record_reader,
    rejected,
)


def _scan_documents(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream documents; one that is longer than a record may be is rejected as a whole."""
    held: list[bytes] = []
    first = size = 0
    for number, line in lines.read_lines(path, options):
        if line is not None and line.isspace():
            yield from _whole(held, size, path.name, first)
            held, size = [], 0
            continue
        first = first if size else number
        size += base.MAX_RECORD_BYTES + 1 if line is None else len(line)
        if line is not None and size <= base.MAX_RECORD_BYTES:
            held.append(line)
    yield from _whole(held, size, path.name, first)


def _whole(held: list[bytes], size: int, file: str, line: int) -> Iterator[Record | Rejected]:
    """Yield the document of lines, if there are any."""
    if size > base.MAX_RECORD_BYTES:
        yield rejected(batch.too_long("document", base.MAX_RECORD_BYTES), file, line)
    elif held:
        yield Record(file, line, b"".join(held))


def _paragraphs(record: Record, options: Options) -> Document:
    text = records.full_text(records.decode(record.data, options))
    return Document("", text.rstrip("\r\n"), record.file, record.line)


def _article(record: Record, options: Options) -> Document:
    fields = record.data.split(b"\t")
    if len(fields) != 3:
        reason = (
            f"has {count(len(fields), 'field')}; a day and two texts are wanted, with tabs between"
        )
        raise RecordError("read.malformed@1", reason)
    try:
        data = b64decode(fields[2], validate=True)
    except Error:
        raise RecordError("read.malformed@1", "the third field is not base64") from None
    return Document(
        key="",
        text=records.full_text(records.decode(data, options)),
        file=record.file,
        line=record.line,
        date=records.iso_date(records.decode(fields[0], options)),
    )


PARAGRAPHS: Final[Reader] = record_reader(_scan_documents, _paragraphs)
NEWS_CRAWL: Final[Reader] = record_reader(lines.scan_lines, _article)
