"""Hangul of documents as whole syllables, in texts and titles, with a ledger row for each edit.

Files from a Mac have the letters of a syllable apart (NFD). Composed once, when they are read, they
are to every later stage what the same texts are in any other file.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa

from pipeline.core import ledger, schemas
from pipeline.core.hangul import compose_column, places

COMPOSED: Final = "read.composed@1"


def compose_documents(documents: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Compose the documents of a table: (the documents, ledger rows of those that this changed)."""
    fewer: dict[int, int] = {}
    for name in ("text", "title"):
        before = documents[name].combine_chunks()
        column, rows = compose_column(before)
        if not rows:
            continue
        for row in rows:
            fewer[row] = fewer.get(row, 0) + len(before[row].as_py()) - len(column[row].as_py())
        if name == "text":
            at = {row: places(before[row].as_py()) for row in rows}
            documents = _put(documents, "sections", _moved(documents["sections"], at))
        documents = _put(documents, name, column)
    return documents, ledger.rows(
        documents.take(pa.array(sorted(fewer), pa.int64())),
        stage="read",
        rule=COMPOSED,
        action="edit",
        reason=pa.array(
            [f"Hangul in pieces; {fewer[row]} characters fewer" for row in sorted(fewer)],
            pa.string(),
        ),
    )


def _put(table: pa.Table, name: str, column: pa.Array) -> pa.Table:
    place = table.schema.get_field_index(name)
    return table.set_column(place, table.schema.field(place), column)


def _moved(sections: pa.ChunkedArray, at: dict[int, list[int]]) -> pa.ListArray:
    """Move the sections of some documents; the characters of each composed text began `at`."""
    lists = sections.combine_chunks()
    flat, ends = lists.flatten(), np.cumsum([0, *lists.value_lengths().to_pylist()])
    bounds = {name: flat.field(name).to_numpy().copy() for name in ("start", "end")}
    for row, begins in at.items():
        own = slice(ends[row], ends[row + 1])
        for values in bounds.values():
            values[own] = np.searchsorted(begins, values[own])
    kind = schemas.DOCUMENTS.field("sections").type.value_type
    columns = [
        pa.array(bounds[field.name], field.type) if field.name in bounds else flat.field(field.name)
        for field in kind
    ]
    structs = pa.StructArray.from_arrays(columns, fields=list(kind))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), structs, type=lists.type)
