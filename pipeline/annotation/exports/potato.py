"""Potato's annotations.jsonl: a line for an annotator and an item, labels by schema and name.

    {"instance_id": "t1", "user_id": "hana", "labels": {"topic": {"news": "news"}}, "spans": {...}}

Read from `annotation_output/exports/jsonl` of Potato 2.12, or from the folder around it. Radio
buttons and checkboxes are told apart by how many names a line has, texts and sliders by the name of
their field, and scales of Likert by names that are numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pipeline.annotation.exchange import files
from pipeline.annotation.exchange.answer_parts import exchange_fault
from pipeline.annotation.exports.answer import Answer, AnswerForm, ToolExport, item_of
from pipeline.core.errors import InputError, RecordError

_EXPORT: Final = Path("exports", "jsonl", "annotations.jsonl")
#: What a checkbox that is ticked may hold beside its own name.
_TICKED: Final = "true"


def read(path: Path, item: str) -> ToolExport:
    """Read the labels of every schema; `item` is the key of a line that names the item.

    Without that key `instance_id` does. Raises InputError for a file or folder of another form.
    """
    export, path = ToolExport(), _file(path)
    for line, record in files.read_lines(path):
        try:
            if isinstance(record, RecordError):
                raise record
            for question, form, value in _answers(record):
                name = item_of(record, item, record.get("instance_id"))
                who = record.get("user_id")
                if not isinstance(who, str):
                    raise exchange_fault("annotator", "the line has no `user_id`")
                export.answers.append(Answer(path.name, line, name, who, question, form, value))
        except RecordError as fault:
            export.refuse(path.name, line, fault)
    return export


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    file = path / _EXPORT
    if not file.is_file():
        raise InputError(
            f"{path}: holds no {_EXPORT}; give Potato's output_annotation_dir, with"
            " output_annotation_format: jsonl in its configuration"
        )
    return file


def _answers(record: dict[str, Any]) -> list[tuple[str, AnswerForm, Any]]:
    labels, spans = record.get("labels"), record.get("spans") or {}
    if not isinstance(labels, dict) or not isinstance(spans, dict):
        raise exchange_fault("form", "is no line with `labels` by schema")
    answers = [(name, *_label(name, values)) for name, values in labels.items()]
    return [*answers, *((name, "spans", None) for name, some in spans.items() if some)]


def _label(schema: str, values: Any) -> tuple[AnswerForm, Any]:
    """Return the form and the value of what one schema holds: {NAME: VALUE}."""
    if not isinstance(values, dict) or not values:
        raise exchange_fault("form", f"the labels of {schema!r} are not an object of names")
    ticked = [n for n, value in values.items() if value in (n, _TICKED) or value is True]
    if len(ticked) < len(values):
        return "text", None
    if len(ticked) > 1 or values[ticked[0]] != ticked[0]:
        return "choices", ticked
    name = ticked[0]
    return ("rating", int(name)) if name.isascii() and name.isdigit() else ("choice", name)
