"""Columns of ynat. The press's own section, and the URL whose code names it, betray the topic."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.example import Example
from pipeline.release.columns import TEXT, Columns, Row, schema

_TOLD: Final = ("predefined_news_category", "url")


def _row(one: Example) -> Row:
    return {
        "guid": one.id,
        "title": one.fields["title"],
        "label": one.label[0],
        "source": one.source,
        "date": one.date or one.meta.get("date"),
        **{name: one.meta.get(name) for name in _TOLD},
    }


def _back(row: Row) -> Example:
    return Example(
        row["guid"],
        row["source"],
        {"title": row["title"]},
        None if row["label"] is None else [row["label"]],
        date=row["date"],
        meta={name: row[name] for name in _TOLD if row[name] is not None},
    )


COLUMNS: Final = Columns(
    task="tc",
    schema=schema(
        guid=TEXT,
        title=TEXT,
        label=TEXT,
        source=TEXT,
        date=TEXT,
        predefined_news_category=TEXT,
        url=TEXT,
    ),
    answer=("label",),
    betraying=("label", *_TOLD),
    row=_row,
    back=_back,
)
