"""Columns of mrc. The type of a question and whether it has an answer betray the answer.

The type that its author was asked for (`question_type` of the item's fields) is no column.
"""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.release.tables import NUMBERS, TEXT, TEXTS, Card, Columns, Row, schema
from pipeline.tasks.mrc.task import UNANSWERABLE

_ANSWERS: Final = pa.struct([("answer_start", NUMBERS), ("text", TEXTS)])


def _to_row(example: Example) -> Row:
    kind = example.label["type"]
    return {
        "guid": example.id,
        "title": example.fields["title"],
        "context": example.fields["context"],
        "news_category": example.meta.get("news_category"),
        "source": example.source,
        "is_impossible": kind == UNANSWERABLE,
        "question_type": kind,
        "question": example.label["question"],
        "answers": _lists(example.label["answers"]),
        "plausible_answers": _lists(example.label.get("plausible_answers", [])),
    }


def _lists(answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "answer_start": [answer["start"] for answer in answers],
        "text": [answer["text"] for answer in answers],
    }


def _from_row(row: Row) -> Example:
    label = {"question": row["question"]}
    if row["answers"] is not None:
        label |= {
            "type": row["question_type"],
            "answers": _answers(row["answers"]),
            "plausible_answers": _answers(row["plausible_answers"]),
        }
    meta = {"news_category": row["news_category"]} if row["news_category"] is not None else {}
    fields = {"title": row["title"], "context": row["context"]}
    return Example(row["guid"], row["source"], fields, label, meta=meta)


def _answers(answers: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"start": start, "text": text}
        for start, text in zip(answers["answer_start"], answers["text"], strict=True)
    ]


def _is_valid(row: Row) -> bool:
    answers = [*_answers(row["answers"]), *_answers(row["plausible_answers"])]
    in_place = all(
        answer["start"] >= 0
        and answer["text"]
        and row["context"].startswith(answer["text"], answer["start"])
        for answer in answers
    )
    return in_place and row["is_impossible"] == (not row["answers"]["text"])


COLUMNS: Final = Columns(
    task="mrc",
    schema=schema(
        title=TEXT,
        context=TEXT,
        news_category=TEXT,
        source=TEXT,
        guid=TEXT,
        is_impossible=pa.bool_(),
        question_type=pa.int32(),
        question=TEXT,
        answers=_ANSWERS,
        plausible_answers=_ANSWERS,
    ),
    answer=("is_impossible", "answers", "plausible_answers"),
    hidden_in_test=("is_impossible", "question_type", "answers", "plausible_answers"),
    to_row=_to_row,
    from_row=_from_row,
    former=(
        (
            *("guid", "title", "context", "news_category", "source", "is_impossible"),
            *("question_type", "question", "answers", "plausible_answers"),
        ),
    ),
    label_names="question_type",
    allowed=lambda spec: spec.ids("question_type"),
    is_valid=_is_valid,
)
CARD: Final = Card(
    "question-answering",
    "extractive-qa",
    written=True,
    redrawn="the type of question that was asked for",
    split="By type of question: the parts are the same for every type.",
    promises=("No document is in two splits.",),
)
