"""Columns of ynat. The press's own section, and the URL whose code names it, betray the topic."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.example import Example
from pipeline.release.soft_labels import with_soft_label
from pipeline.release.tables import TEXT, Card, Columns, Row, schema

_TOLD: Final = ("predefined_news_category", "url")


def _to_row(example: Example) -> Row:
    return {
        "guid": example.id,
        "title": example.fields["title"],
        "label": example.label[0],
        "source": example.source,
        "date": example.date or example.meta.get("date"),
        **{name: example.meta.get(name) for name in _TOLD},
    }


def _from_row(row: Row) -> Example:
    return Example(
        row["guid"],
        row["source"],
        {"title": row["title"]},
        None if row["label"] is None else [row["label"]],
        date=row["date"],
        meta={name: row[name] for name in _TOLD if row[name] is not None},
    )


_COLUMNS: Final = Columns(
    task="tc",
    schema=schema(
        guid=TEXT,
        title=TEXT,
        label=TEXT,
        url=TEXT,
        date=TEXT,
        source=TEXT,
        predefined_news_category=TEXT,
    ),
    answer=("label",),
    hidden_in_test=("label", *_TOLD),
    to_row=_to_row,
    from_row=_from_row,
    classes=lambda spec: {"label": sorted(spec.ids())},
    former=(("guid", "title", "label", "source", "date", *_TOLD),),
    label_names="label",
)
COLUMNS: Final = with_soft_label(_COLUMNS, "category")
CARD: Final = Card(
    "text-classification",
    "topic-classification",
    split="By the day of publication: late headlines are for validation and test.",
    promises=(
        "No headline of train is known to be from the day that evaluation begins, or later.",
        "Other headlines in validation and test hold a term that no train headline has.",
    ),
)
