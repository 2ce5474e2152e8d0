"""The rows of a table of examples, column by column, without holding them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
import pyarrow as pa

#: So many rows are plain data at a time: a passage has a thousand characters.
_BATCH: Final = 2048
_JSON: Final = frozenset({"fields", "label", "meta"})


def each(examples: pa.Table, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the named columns of every row, in order; fields, label and meta as plain data."""
    for batch in examples.select(columns).to_batches(max_chunksize=_BATCH):
        yield from zip(*(_values(batch, name) for name in columns), strict=True)


def _values(batch: pa.RecordBatch, name: str) -> list[Any]:
    found: list[Any] = batch.column(name).to_pylist()
    if name not in _JSON:
        return found
    return [None if text is None else orjson.loads(text) for text in found]
