"""Columns of re; as in the official files `end_idx` is the last character of an entity."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.release.columns import TEXT, Columns, Row, schema

_ENTITY: Final = pa.struct(
    [("word", TEXT), ("start_idx", pa.int32()), ("end_idx", pa.int32()), ("type", TEXT)]
)


def _row(one: Example) -> Row:
    return {
        "guid": one.id,
        "sentence": one.fields["sentence"],
        "subject_entity": _entity(one.fields["subject"]),
        "object_entity": _entity(one.fields["object"]),
        "label": one.label,
        "source": one.source,
    }


def _entity(given: dict[str, Any]) -> dict[str, Any]:
    ends = {"start_idx": given["start"], "end_idx": given["end"] - 1}
    return {"word": given["word"], "type": given["type"], **ends}


def _back(row: Row) -> Example:
    fields = {
        "sentence": row["sentence"],
        "subject": _given(row["subject_entity"]),
        "object": _given(row["object_entity"]),
    }
    return Example(row["guid"], row["source"], fields, row["label"])


def _given(entity: dict[str, Any]) -> dict[str, Any]:
    ends = {"start": entity["start_idx"], "end": entity["end_idx"] + 1}
    return {"word": entity["word"], "type": entity["type"], **ends}


COLUMNS: Final = Columns(
    task="re",
    schema=schema(
        guid=TEXT,
        sentence=TEXT,
        subject_entity=_ENTITY,
        object_entity=_ENTITY,
        label=TEXT,
        source=TEXT,
    ),
    answer=("label",),
    betraying=("label",),
    row=_row,
    back=_back,
)
