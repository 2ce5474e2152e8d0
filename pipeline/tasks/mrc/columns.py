"""Columns of mrc. The type of a question and whether it has an answer betray the answer.

The type that its author was asked for (`question_type` of the item's fields) is no column.
"""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.release.columns import NUMBERS, TEXT, TEXTS, Columns, Row, schema
from pipeline.tasks.mrc.task import UNANSWERABLE

_ANSWERS: Final = pa.struct([("answer_start", NUMBERS), ("text", TEXTS)])
_HIDDEN: Final = ("is_impossible", "question_type", "answers", "plausible_answers")


def _row(one: Example) -> Row:
    kind = one.label["type"]
    return {
        "guid": one.id,
        "title": one.fields["title"],
        "context": one.fields["context"],
        "news_category": one.meta.get("news_category"),
        "source": one.source,
        "is_impossible": kind == UNANSWERABLE,
        "question_type": kind,
        "question": one.label["question"],
        "answers": _parted(one.label["answers"]),
        "plausible_answers": _parted(one.label.get("plausible_answers", [])),
    }


def _parted(answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "answer_start": [one["start"] for one in answers],
        "text": [one["text"] for one in answers],
    }


def _back(row: Row) -> Example:
    label = {"question": row["question"]}
    if row["answers"] is not None:
        label |= {
            "type": row["question_type"],
            "answers": _joined(row["answers"]),
            "plausible_answers": _joined(row["plausible_answers"]),
        }
    told = {"news_category": row["news_category"]} if row["news_category"] is not None else {}
    fields = {"title": row["title"], "context": row["context"]}
    return Example(row["guid"], row["source"], fields, label, meta=told)


def _joined(answers: dict[str, Any]) -> list[dict[str, Any]]:
    pairs = zip(answers["answer_start"], answers["text"], strict=True)
    return [{"start": start, "text": text} for start, text in pairs]


COLUMNS: Final = Columns(
    task="mrc",
    schema=schema(
        guid=TEXT,
        title=TEXT,
        context=TEXT,
        news_category=TEXT,
        source=TEXT,
        is_impossible=pa.bool_(),
        question_type=pa.int32(),
        question=TEXT,
        answers=_ANSWERS,
        plausible_answers=_ANSWERS,
    ),
    answer=("is_impossible", "answers", "plausible_answers"),
    betraying=_HIDDEN,
    row=_row,
    back=_back,
)
