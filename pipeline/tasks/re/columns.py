"""Columns of re; as in the official files `end_idx` is the last character of an entity."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.release.soft_labels import with_soft_label
from pipeline.release.tables import TEXT, Card, Columns, Row, schema
from pipeline.tasks.re.official import to_official

_ENTITY: Final = pa.struct(
    [("word", TEXT), ("start_idx", pa.int32()), ("end_idx", pa.int32()), ("type", TEXT)]
)


def _to_row(example: Example) -> Row:
    return {
        "guid": example.id,
        "sentence": example.fields["sentence"],
        "subject_entity": to_official(example.fields["subject"]),
        "object_entity": to_official(example.fields["object"]),
        "label": example.label,
        "source": example.source,
    }


def _from_row(row: Row) -> Example:
    fields = {
        "sentence": row["sentence"],
        "subject": _entity(row["subject_entity"]),
        "object": _entity(row["object_entity"]),
    }
    return Example(row["guid"], row["source"], fields, row["label"])


def _entity(entity: dict[str, Any]) -> dict[str, Any]:
    ends = {"start": entity["start_idx"], "end": entity["end_idx"] + 1}
    return {"word": entity["word"], "type": entity["type"], **ends}


def _is_valid(row: Row) -> bool:
    return all(
        0 <= entity["start_idx"] <= entity["end_idx"]
        and row["sentence"][entity["start_idx"] : entity["end_idx"] + 1] == entity["word"]
        for entity in (row["subject_entity"], row["object_entity"])
    )


_COLUMNS: Final = Columns(
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
    hidden_in_test=("label",),
    to_row=_to_row,
    from_row=_from_row,
    classes=lambda spec: {"label": spec.ids()},
    label_names="label",
    is_valid=_is_valid,
)
COLUMNS: Final = with_soft_label(_COLUMNS, "category")
CARD: Final = Card(
    "text-classification",
    "multi-class-classification",
    split="By the way a pair was drawn: validation and test take pairs drawn uniformly.",
    promises=(
        "No pair that was drawn with the help of a knowledge base is in validation or test.",
        "Entities of test pairs are not in train.",
    ),
)
