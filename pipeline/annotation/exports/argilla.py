"""Argilla 2's records, as `records.to_json` or the loop of docs/annotation-tools.md writes them.

A file does not tell labels from written texts: both are texts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.annotation.exchange import files
from pipeline.annotation.exchange.answer_parts import exchange_fault
from pipeline.annotation.exports.answer import Answer, AnswerForm, ToolExport, item_of
from pipeline.annotation.intake.vote import is_number
from pipeline.core.errors import RecordError


def read(path: Path, item: str) -> ToolExport:
    """Read the responses to every question; `item` is the key of the metadata that names the item.

    Without that key the id of the record does. Drafts and discarded responses, where the file tells
    them, are skipped. Raises InputError for a file of another form.
    """
    export = ToolExport()
    ids = files.find_annotators(path, None) or {}
    for line, record in files.read_list(path, "as `records.to_json` writes"):
        try:
            for question, response in _responses(record):
                status = response.get("status") or "submitted"
                if status != "submitted" or response.get("value") is None:
                    what = "without a value" if status == "submitted" else f"that are {status}"
                    export.skipped[f"responses {what}"] += 1
                    continue
                metadata = record.get("metadata")
                name = item_of(metadata if isinstance(metadata, dict) else {}, item, record["id"])
                user = response.get("user_id")
                who = None if user is None else ids.get(str(user), str(user))
                form, value = _form(response["value"]), response["value"]
                export.answers.append(Answer(path.name, line, name, who, question, form, value))
        except RecordError as fault:
            export.refuse(path.name, line, fault)
    return export


def _responses(record: Any) -> list[tuple[str, dict[str, Any]]]:
    responses = record.get("responses") if isinstance(record, dict) else None
    if not isinstance(responses, dict) or "id" not in record:
        raise exchange_fault("form", "is no record with its id and its responses")
    lists = responses.values()
    if not all(isinstance(x, list) and all(isinstance(y, dict) for y in x) for x in lists):
        raise exchange_fault("form", "the responses to a question are a list of objects")
    return [(question, response) for question, some in responses.items() for response in some]


def _form(value: Any) -> AnswerForm:
    if isinstance(value, str):
        return "choice"
    if is_number(value):
        return "rating"
    if isinstance(value, list) and all(isinstance(label, str) for label in value):
        return "choices"
    is_spans = isinstance(value, list) and all(
        isinstance(span, dict) and {"start", "end", "label"} <= set(span) for span in value
    )
    return "spans" if is_spans else "other"
