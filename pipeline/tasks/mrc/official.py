"""The nested form of KLUE-MRC: questions out of their passages, and back into them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.contracts.official import documents
from pipeline.contracts.official.files import ReleaseFile, VoteRow
from pipeline.contracts.official.tables import (
    Official,
    Row,
    SourceTexts,
    corpus,
    fault,
    gather,
    more,
    need,
    rows_of,
)
from pipeline.core.errors import InputError
from pipeline.tasks.mrc.task import UNANSWERABLE

_DOCUMENT: Final = ("title", "news_category", "source", "paragraphs")
_PARAGRAPH: Final = ("context", "qas")
_QUESTION: Final = (
    "guid",
    "question_type",
    "is_impossible",
    "question",
    "answers",
    "plausible_answers",
)
#: A question with the numbers of its document and paragraph, and both.
Nested = tuple[int, int, Any, Any, Any]


def questions(data: list[Any]) -> list[tuple[int, Nested]]:
    """Return every question, numbered from 1; a passage without one counts as one that is null."""
    nested = [
        (place, at, document, paragraph, question)
        for place, document in enumerate(data)
        for at, paragraph in enumerate(_list(document, "paragraphs"))
        for question in _list(paragraph, "qas")
    ]
    return list(enumerate(nested, start=1))


def _list(holder: Any, key: str) -> list[Any]:
    inner = holder.get(key) if isinstance(holder, dict) else None
    return inner if isinstance(inner, list) and inner else [None]


def from_nested(nested: Nested) -> Row:
    """Return one question as a record; raises RecordError."""
    place, at, document, paragraph, asked = nested
    if asked is None:
        raise fault("form", f"passage {at} of document {place} (from 0) holds no question")
    context = need(paragraph, "context", str)
    gold = _gold(asked)
    meta = {
        "document": place,
        "paragraph": at,
        **{key: document[key] for key in ("news_category", "source") if key in document},
        **more(asked, _QUESTION),
    }
    for holder, keys, name in (
        (document, _DOCUMENT, "document_more"),
        (paragraph, _PARAGRAPH, "paragraph_more"),
    ):
        if other := more(holder, keys):
            meta[name] = other["more"]
    if "plausible_answers" not in asked:
        meta["plausible"] = False
    if need(asked, "is_impossible", bool) != (gold["type"] == UNANSWERABLE):
        raise fault("form", "'is_impossible' is true for question_type 3 and no other")
    source = document.get("source")
    return Row(
        need(asked, "guid", str),
        {"title": need(document, "title", str), "context": context},
        gold,
        corpus(source) if isinstance(source, str) else None,
        meta=meta,
        notes=answer_notes(gold, context),
    )


def _gold(asked: Any) -> dict[str, Any]:
    kind = need(asked, "question_type", int)
    if kind not in (1, 2, UNANSWERABLE):
        raise fault("range", "'question_type' is 1, 2 or 3")
    plausible = need(asked, "plausible_answers", list) if "plausible_answers" in asked else []
    gold = {
        "question": need(asked, "question", str),
        "type": kind,
        "answers": [_answer(answer) for answer in need(asked, "answers", list)],
        "plausible_answers": [_answer(answer) for answer in plausible],
    }
    if kind == UNANSWERABLE and gold["answers"]:
        raise fault("form", "a question of type 3 has answers; only plausible ones are allowed")
    return gold


def _answer(answer: Any) -> dict[str, Any]:
    start, text = need(answer, "answer_start", int), need(answer, "text", str)
    if len(answer) > 2:
        raise fault("form", "an answer has `text` and `answer_start`, nothing else")
    return {"start": start, "text": text}


def answer_notes(gold: dict[str, Any], context: str) -> list[tuple[str, str]]:
    """Return what is wrong with the places of answers, as notes of a record that keeps them."""
    notes = []
    for name in ("answers", "plausible_answers"):
        places = [(answer["start"], answer["text"]) for answer in gold[name]]
        for at, (start, text) in enumerate(places, start=1):
            if start < 0 or context[start : start + len(text)] != text:
                reason = f"number {at} of {name} does not stand at {start} in the context"
                notes.append(("official.kept.offset@1", reason))
        if len(set(places)) < len(places):
            notes.append(("official.kept.double@1", f"{name} names one place twice"))
    return notes


def to_nested(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the documents of questions that stand in the order of their passages."""
    by_document = groupby(rows, lambda row: (row.meta.get("document"), row.fields["title"]))
    return [_document(list(group)) for _, group in by_document]


def _document(rows: list[Row]) -> dict[str, Any]:
    first = rows[0]
    meta = {key: first.meta[key] for key in ("news_category", "source") if key in first.meta}
    paragraphs = groupby(rows, lambda row: (row.meta.get("paragraph"), row.fields["context"]))
    return {
        "title": first.fields["title"],
        **meta,
        "paragraphs": [
            {
                "context": group[0].fields["context"],
                "qas": [_question(row) for row in group],
                **group[0].meta.get("paragraph_more", {}),
            }
            for group in (list(group) for _, group in paragraphs)
        ],
        **first.meta.get("document_more", {}),
    }


def _question(row: Row) -> dict[str, Any]:
    plausible = _official(row.gold["plausible_answers"])
    return {
        "guid": row.item,
        "question_type": row.gold["type"],
        "is_impossible": row.gold["type"] == UNANSWERABLE,
        "question": row.gold["question"],
        "answers": _official(row.gold["answers"]),
        **({"plausible_answers": plausible} if row.meta.get("plausible", True) else {}),
        **row.meta.get("more", {}),
    }


def _official(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"text": answer["text"], "answer_start": answer["start"]} for answer in answers]


_FLAT: Final = ("guid", "title", "context", "question", "answers", "is_impossible")
TEXTS: Final = SourceTexts(rb'"context"|"paragraphs"', ("context",), title="title")


def read(path: Path) -> Official:
    """Read KLUE-MRC in either form; raises InputError for any other file."""
    text = documents.read_text(path)
    document, frame = documents.load_json(text, path), documents.frame_of(text, path)
    if isinstance(document, list):
        return gather("mrc", "flat", path, list(enumerate(document, start=1)), _from_flat, frame)
    if not isinstance(document, dict) or not isinstance(document.get("data"), list):
        raise InputError(f"{path}: neither a list of questions nor an object with the list `data`")
    frame["document"] = {key: value for key, value in document.items() if key != "data"}
    return gather("mrc", "nested", path, questions(document["data"]), from_nested, frame)


def write(official: Official, path: Path) -> None:
    """Write the items in the form that they were read from."""
    rows = rows_of(official)
    if official.form == "flat":
        documents.save_json([_to_flat(row) for row in rows], path, official.frame)
    else:
        document = official.frame.get("document", {"version": "v1.1"})
        documents.save_json({**document, "data": to_nested(rows)}, path, official.frame)


def _from_flat(record: Any) -> Row:
    guid, question = need(record, "guid", str), need(record, "question", str)
    fields = {key: need(record, key, str) for key in ("title", "context")}
    meta = more(record, _FLAT)
    impossible = record.get("is_impossible")
    if isinstance(impossible, str):
        meta["impossible"], impossible = impossible, {"True": True, "False": False}.get(impossible)
    if not isinstance(impossible, bool):
        raise fault("form", "'is_impossible' must be true or false")
    answers_field = record.get("answers")
    if isinstance(answers_field, str):
        meta["literal"], answers_field = (
            answers_field,
            documents.load_literal(answers_field, "'answers'"),
        )
    answers = _answers(answers_field)
    gold = {
        "question": question,
        "type": UNANSWERABLE if impossible else None,
        "answers": [] if impossible else answers,
        "plausible_answers": answers if impossible else [],
    }
    return Row(guid, fields, gold, meta=meta, notes=answer_notes(gold, fields["context"]))


def _answers(answers_field: Any) -> list[dict[str, Any]]:
    starts, texts = need(answers_field, "answer_start", list), need(answers_field, "text", list)
    if len(starts) != len(texts) or len(answers_field) > 2:
        raise fault("form", "'answers' has `answer_start` and `text` of one length, nothing else")
    if not all(type(start) is int for start in starts) or not all(
        isinstance(t, str) for t in texts
    ):
        raise fault("form", "'answers' has whole numbers and texts")
    return [{"start": start, "text": text} for start, text in zip(starts, texts, strict=True)]


def _to_flat(row: Row) -> dict[str, Any]:
    gold = row.gold["answers"] or row.gold["plausible_answers"]
    literal = row.meta.get("literal")
    answers = {
        "answer_start": [answer["start"] for answer in gold],
        "text": [answer["text"] for answer in gold],
    }
    return {
        "guid": row.item,
        "title": row.fields["title"],
        "context": row.fields["context"],
        "question": row.gold["question"],
        "answers": literal
        if literal and documents.load_literal(literal, "'answers'") == answers
        else answers,
        "is_impossible": row.meta.get("impossible", row.gold["type"] == UNANSWERABLE),
        **row.meta.get("more", {}),
    }


def _from_example(example: Example, _votes: Sequence[VoteRow]) -> Row:
    return Row(
        example.id,
        dict(example.fields),
        example.label,
        example.source,
        meta={"source": example.source, **example.meta},
    )


FILE: Final = ReleaseFile(
    "klue-mrc",
    form="nested",
    row=_from_example,
    order=lambda row: (row.fields["title"], row.fields["context"], row.item),
    forms={"answers": "literal", "plausible_answers": "literal", "is_impossible": "impossible"},
)
