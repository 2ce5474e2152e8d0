"""NAVER movie reviews as crawled: one JSON file a movie, in a folder, .zip or .tar (also packed).

A file is a list of reviews. The key is the review's id; `meta` holds rating (1 to 10) and movie.
The author is personal data and is not kept. Source: https://github.com/e9t/nsmc
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import dates, records
from pipeline.corpus.readers.base import Document, Options, Record, Rejected
from pipeline.corpus.readers.files import archives

takes: Final = frozenset({"encoding"})


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:  # noqa: ARG001
    """Stream the files, one a movie."""
    return archives.scan_files(path, ".json")


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one movie's file into a document for each review; `line` numbers them from 1."""
    try:
        reviews = records.load_json(record.data, options, leniently=True)
        if not isinstance(reviews, list):
            reason = f"is a JSON {type(reviews).__name__}, not a list of reviews"
            raise RecordError("read.malformed@1", reason)
        if not reviews:
            raise RecordError("read.empty@1", "the list holds no review")
    except RecordError as fault:
        yield records.rejected(fault, record.file, record.line)
        return
    for line, review in enumerate(reviews, start=1):
        try:
            yield _document(review, record.file, line)
        except RecordError as fault:
            yield records.rejected(fault, record.file, line)


def _document(review: Any, file: str, line: int) -> Document:
    values = records.as_object(review)
    key = records.name_field(values, "review_id")
    if key is None:
        raise RecordError("read.missing_field@1", "has no field 'review_id'")
    text = records.full_text(records.text_field(values, "review"))
    date = dates.short_year(records.name_field(values, "date") or "")
    given = {
        "rating": records.name_field(values, "rating"),
        "movie": records.name_field(values, "movie_id"),
    }
    meta = tuple((name, value) for name, value in given.items() if value is not None)
    return Document(key, text, file, line, date=date, meta=meta)
