"""Columns of nli."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.example import Example
from pipeline.release.columns import TEXT, Columns, Row, schema


def _row(one: Example) -> Row:
    return {
        "guid": one.id,
        "source": one.source,
        "premise": one.fields["premise"],
        "hypothesis": one.fields["hypothesis"],
        "label": one.label,
    }


def _back(row: Row) -> Example:
    fields = {"premise": row["premise"], "hypothesis": row["hypothesis"]}
    return Example(row["guid"], row["source"], fields, row["label"])


COLUMNS: Final = Columns(
    task="nli",
    schema=schema(guid=TEXT, source=TEXT, premise=TEXT, hypothesis=TEXT, label=TEXT),
    answer=("label",),
    betraying=("label",),
    row=_row,
    back=_back,
)
