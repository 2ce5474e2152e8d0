"""The sections of a source, each with its document and the sentences of it that were kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import pyarrow as pa

from pipeline.core.errors import StoreError
from pipeline.core.stage import Call
from pipeline.sampling import inputs

Row = dict[str, Any]
_DOCUMENT = ["id", "text", "title", "section", "url", "date"]
_SECTION = ["id", "document", "title", "start", "end", "sentences"]
_KEPT = ["id", "document", "text"]


class Section(NamedTuple):
    """A section: its rows of DOCUMENTS and SECTIONS, and its kept sentences by id."""

    row: Row
    document: Row
    kept: dict[str, str]


def sections(call: Call, source: str) -> Iterator[Section]:
    """Yield the sections of a source in their order.

    Sections, documents and kept sentences are three streams in one order, so that no more than a
    batch of each is held. Raises StoreError where they are not of one corpus.
    """
    documents = _rows(inputs.rows(call, source, "documents"), _DOCUMENT)
    kept = groupby(_rows(inputs.units(call, source), _KEPT), key=_document)
    waiting = next(kept, None)
    for name, group in groupby(
        _rows(inputs.rows(call, source, "sections"), _SECTION), key=_document
    ):
        document = next((row for row in documents if row["id"] == name), None)
        if document is None:
            raise StoreError(f"{source}: sections and documents differ; run the build again")
        texts: dict[str, str] = {}
        if waiting is not None and waiting[0] == name:
            texts = {row["id"]: row["text"] for row in waiting[1]}
            waiting = next(kept, None)
        for row in group:
            yield Section(row, document, texts)
    if waiting is not None:
        raise StoreError(f"{source}: kept sentences and sections differ; run the build again")


def _document(row: Row) -> str:
    return str(row["document"])


def _rows(tables: Iterator[pa.Table], columns: list[str]) -> Iterator[Row]:
    for table in tables:
        yield from table.select(columns).to_pylist()
