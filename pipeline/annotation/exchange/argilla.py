"""Argilla 2: settings and records out, records as `records.to_json` writes them in.

    part      question            value of a response
    choice    label_selection     the id of the option
    number    rating              the number
    text      text                the text
    spans     span                [{"start", "end", "label"}], UTF-16 code units
    others    text                JSON (see answer_parts.py)
    report    label_selection     the reason, or "none"; the one question that must be answered

A record's `id` is the item. Argilla's page counts UTF-16 code units where its server counts code
points: a span behind an emoji at the very end of a text is refused by the server, and so a span
filled in beforehand is left out where it would be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.exchange import files
from pipeline.annotation.exchange.answer_parts import (
    FORMS,
    Part,
    Parts,
    exchange_fault,
    from_text,
    parts_of,
    to_text,
)
from pipeline.annotation.exchange.formats import ASKED, REPORT, Export, item_of
from pipeline.annotation.exchange.offers import KNOWLEDGE
from pipeline.annotation.exchange.rendering import RenderedItem, render_items, target_of, titles_of
from pipeline.annotation.exchange.utf16 import from_utf16, utf16_length
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import RecordError

SETTINGS: Final = "settings.json"
RECORDS: Final = "records.json"
#: The option of the report question that reports nothing.
NONE: Final = "none"
_KEYS: Final = ("spec", "round", "assigned")


def write(
    items: pa.Table,
    *,
    spec: TaskSpec,
    round_: Round,
    folder: Path,
    assigned: Mapping[str, tuple[str, ...]] | None = None,
    shown: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the settings of a dataset and its records; returns the two files.

    What is filled in beforehand, and what items suggest, are suggestions. Raises InputError for
    items of another task, and for a folder that cannot be written.
    """
    parts = parts_of(spec, round_)
    pages = list(render_items(items, spec=spec, round_=round_, assigned=assigned, shown=shown))
    titles = titles_of(spec.task)
    names = list(dict.fromkeys(name for page in pages for name in page.texts_with_first))
    keys = (*_KEYS, ASKED) if any(page.asked for page in pages) else _KEYS
    reasons = ((NONE, "신고할 것 없음"), *((r.id, r.title.ko) for r in spec.reports))
    # the one required question, so that nobody must answer the item
    report = _question(Part(REPORT, "choice", "신고", reasons), spec) | {"required": True}
    settings = {
        "guidelines": "\n\n".join(dict.fromkeys([spec.instruction.ko, round_.question.ko])),
        "questions": [*(_question(part, spec) for part in parts), report],
        "fields": [
            {
                "name": name,
                "title": titles[name],
                "required": place == 0,
                "settings": {"type": "text", "use_markdown": name == KNOWLEDGE},
            }
            for place, name in enumerate(names)
        ],
        "vectors": [],
        "metadata": [
            {
                "name": key,
                "title": key,
                "visible_for_annotators": False,
                "settings": {"type": "terms", "values": None},
            }
            for key in keys
        ],
        "allow_extra_metadata": True,
        "distribution": {"strategy": "overlap", "min_submitted": round_.per_item},
        "mapping": None,
    }
    return [
        files.write_json(folder / SETTINGS, settings),
        files.write_json(folder / RECORDS, [_record(p, parts, spec, round_) for p in pages]),
    ]


def read(
    path: Path,
    *,
    task: Task,
    spec: TaskSpec,
    round_: Round | None = None,
    annotators: Mapping[str, str] | None = None,
) -> Iterator[RawVote | Refused]:
    """Yield the votes of exported records, one a user who answered, and what gives none.

    `annotators` (or `annotators.json` beside the export) maps Argilla's user ids to annotators.
    `line` counts the records. Drafts and discarded responses, where the export tells them, give
    nothing. Raises InputError for a file that is no such export, and where there is no map.
    """
    export = Export(path, task, spec, round_)
    ids = files.require_annotators(path, annotators)
    for line, record in files.read_list(path, "as `records.to_json` writes"):
        for response in _by_user(record):
            yield from export.votes(line, _votes, response, record, export, ids)


def _by_user(record: Any) -> list[tuple[str, dict[str, Any]] | RecordError]:
    if not isinstance(record, dict) or not isinstance(record.get("responses"), dict):
        return [
            exchange_fault("form", "no record with its responses; export with `records.to_json`")
        ]
    values: dict[str, dict[str, Any]] = {}
    for question, responses in record["responses"].items():
        if not isinstance(responses, list) or not all(isinstance(r, dict) for r in responses):
            return [exchange_fault("form", "the responses to a question are a list of objects")]
        for response in responses:
            if response.get("status", "submitted") != "submitted":
                continue
            of_user = values.setdefault(str(response.get("user_id")), {})
            if question in of_user:
                return [exchange_fault("form", "a user answers one question twice")]
            of_user[question] = response.get("value")
    return list(values.items())


def _votes(
    response: tuple[str, dict[str, Any]],
    record: Mapping[str, Any],
    export: Export,
    ids: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    user, answers = response
    metadata, fields = record.get("metadata"), record.get("fields")
    if not isinstance(metadata, dict) or not isinstance(fields, dict):
        raise exchange_fault("form", "a record has fields, and the metadata that were sent out")
    keys = {**metadata, "item": record.get("id")}
    item_of(keys)
    round_ = export.round_of(keys)
    text = str(fields.get(target_of(export.spec.task), ""))
    parts = {part.name: part for part in export.parts[round_.id]}
    values: Parts = {}
    for name, value in answers.items():
        if name == REPORT:
            values |= {name: value} if value not in (NONE, None) else {}
        elif name not in parts:
            raise exchange_fault(
                "control", f"a response is of none of the questions {', '.join(parts)}"
            )
        elif value is not None:
            values[name] = _read_value(parts[name], value, text)
    yield export.vote(
        keys, annotator=files.annotator_of(ids, user), parts=values, round_=round_, text=text
    )


def _read_value(part: Part, value: Any, text: str) -> Any:
    if part.kind == "number":
        return value
    if part.kind == "spans":
        return [
            {key: from_utf16(text, span[key]) for key in ("start", "end")}
            | {"label": span["label"]}
            for span in from_text(part, to_text(value))
        ]
    if not isinstance(value, str):
        raise exchange_fault("form", f"the response to {part.name!r} is not a text")
    return from_text(part, value)


def _written_value(part: Part, value: Any, text: str) -> Any:
    """Return the value of a suggestion for a part; None for spans that the server would refuse."""
    if part.kind in ("choice", "number"):
        return value
    if part.kind != "spans":
        return to_text(value)
    spans = [
        {key: utf16_length(text[: span[key]]) for key in ("start", "end")}
        | {"label": span["label"]}
        for span in value
    ]
    return spans if all(span["end"] <= len(text) for span in spans) else None


def _record(
    page: RenderedItem, parts: Sequence[Part], spec: TaskSpec, round_: Round
) -> dict[str, Any]:
    values = {
        part.name: _written_value(part, page.filled[part.name], page.text)
        for part in parts
        if part.name in page.filled
    }
    more: dict[str, Any] = {"assigned": list(page.assigned)} if page.assigned else {}
    more |= {ASKED: page.asked} if page.asked else {}
    return {
        "id": page.item,
        "fields": page.texts_with_first,
        "metadata": {"spec": spec.name, "round": round_.id} | more,
        "suggestions": {
            name: {"value": value, "score": None, "agent": "filled"}
            for name, value in values.items()
            if value is not None
        },
        "responses": {},
        "vectors": {},
        "status": "pending",
    }


def _question(part: Part, spec: TaskSpec) -> dict[str, Any]:
    options = [{"value": id_, "text": title, "description": None} for id_, title in part.options]
    settings: dict[str, Any] = {"type": "text", "use_markdown": False}
    if part.kind == "choice":
        settings = {"type": "label_selection", "options": options}
    elif part.kind == "number":
        low, high = (int(end) for _, end in part.options)
        settings = {"type": "rating", "options": [{"value": n} for n in range(low, high + 1)]}
    elif part.kind == "spans":
        settings = {
            "type": "span",
            "options": options,
            "field": target_of(spec.task),
            "allow_overlapping": False,
        }
    return {
        "name": part.name,
        "title": part.title,
        "description": FORMS.get(part.kind) if part.kind != "spans" else None,
        "required": False,
        "settings": settings,
    }
