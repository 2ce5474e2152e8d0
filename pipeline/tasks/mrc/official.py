"""KLUE-MRC: the nested file (as SQuAD nests), and a flat form with one question a record.

    nested  {"version", "data": [{"title", "news_category", "source", "paragraphs": [{"context",
             "qas": [{"guid", "question_type", "is_impossible", "question", "answers":
             [{"text", "answer_start"}], "plausible_answers"}]}]}]}
    flat    guid, title, context, question, answers {"answer_start": [], "text": []},
            is_impossible; `answers` of an impossible question are its plausible ones

In the flat form `answers` may be a Python literal in a text, and `is_impossible` a text. It does
not tell type 1 from type 2: the type of an answerable question is null there.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.official import documents
from pipeline.contracts.official.tables import (
    Official,
    Row,
    SourceTexts,
    fault,
    gather,
    more,
    need,
    rows_of,
)
from pipeline.core.errors import InputError
from pipeline.tasks.mrc import passages
from pipeline.tasks.mrc.passages import answer_notes
from pipeline.tasks.mrc.task import UNANSWERABLE

_FLAT: Final = ("guid", "title", "context", "question", "answers", "is_impossible")
_TRUTH: Final = {"True": True, "False": False}
TEXTS: Final = SourceTexts(rb'"context"|"paragraphs"', ("context",), title="title")


def read(path: Path) -> Official:
    """Read KLUE-MRC in either form; raises InputError for any other file."""
    document = documents.load_json(documents.read_text(path), path)
    if isinstance(document, list):
        return gather("mrc", "flat", path, list(enumerate(document, start=1)), _from_flat)
    if not isinstance(document, dict) or not isinstance(document.get("data"), list):
        raise InputError(f"{path}: neither a list of questions nor an object with the list `data`")
    frame = {key: value for key, value in document.items() if key != "data"}
    return gather(
        "mrc", "nested", path, passages.questions(document["data"]), passages.from_nested, frame
    )


def write(official: Official, path: Path) -> None:
    """Write the items in the form that they were read from."""
    rows = rows_of(official)
    if official.form == "flat":
        documents.save_json([_to_flat(row) for row in rows], path)
    else:
        frame = official.frame or {"version": "v1.1"}
        documents.save_json({**frame, "data": passages.to_nested(rows)}, path)


def _from_flat(record: Any) -> Row:
    guid, question = need(record, "guid", str), need(record, "question", str)
    fields = {key: need(record, key, str) for key in ("title", "context")}
    meta = more(record, _FLAT)
    impossible = record.get("is_impossible")
    if isinstance(impossible, str):
        meta["impossible"], impossible = impossible, _TRUTH.get(impossible)
    if not isinstance(impossible, bool):
        raise fault("form", "'is_impossible' must be true or false")
    given = record.get("answers")
    if isinstance(given, str):
        meta["literal"], given = given, _literal(given)
    answers = _answers(given)
    gold = {
        "question": question,
        "type": UNANSWERABLE if impossible else None,
        "answers": [] if impossible else answers,
        "plausible_answers": answers if impossible else [],
    }
    return Row(guid, fields, gold, meta=meta, notes=answer_notes(gold, fields["context"]))


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise fault("form", "'answers' is neither an object nor a Python literal of one") from None


def _answers(given: Any) -> list[dict[str, Any]]:
    starts, texts = need(given, "answer_start", list), need(given, "text", list)
    if len(starts) != len(texts) or len(given) > 2:
        raise fault("form", "'answers' has `answer_start` and `text` of one length, nothing else")
    if not all(type(one) is int for one in starts) or not all(isinstance(t, str) for t in texts):
        raise fault("form", "'answers' has whole numbers and texts")
    return [{"start": start, "text": text} for start, text in zip(starts, texts, strict=True)]


def _to_flat(row: Row) -> dict[str, Any]:
    found = row.gold["answers"] or row.gold["plausible_answers"]
    literal = row.meta.get("literal")
    answers = {
        "answer_start": [one["start"] for one in found],
        "text": [one["text"] for one in found],
    }
    return {
        "guid": row.item,
        "title": row.fields["title"],
        "context": row.fields["context"],
        "question": row.gold["question"],
        "answers": literal if literal and _literal(literal) == answers else answers,
        "is_impossible": row.meta.get("impossible", row.gold["type"] == UNANSWERABLE),
        **row.meta.get("more", {}),
    }
