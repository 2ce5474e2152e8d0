"""Columns of nli."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.example import Example
from pipeline.release.cards.task_card import Card
from pipeline.release.tables import TEXT, Columns, Row, schema


def _row(example: Example) -> Row:
    return {
        "guid": example.id,
        "source": example.source,
        "premise": example.fields["premise"],
        "hypothesis": example.fields["hypothesis"],
        "label": example.label,
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
    names="label",
)
CARD: Final = Card(
    "text-classification",
    "natural-language-inference",
    written=True,
    split="By set: validation and test take whole sets of hypotheses on one premise.",
    promises=(
        "Every set in validation and test has one hypothesis of each label.",
        "These sets are among those whose hypotheses alone give the label away least.",
        "A premise is in one split only.",
    ),
)
