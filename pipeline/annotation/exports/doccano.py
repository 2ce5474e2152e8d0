"""doccano's exports, JSONL or JSON: a file an annotator, named after the user.

The labels of an example are a list of texts (`label`, or `cats` beside entities), or of spans
(`label` or `entities`). A project of free texts looks like one of labels.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pipeline.annotation.exchange import files
from pipeline.annotation.exchange.answer_parts import exchange_fault
from pipeline.annotation.exports.answer import Answer, AnswerForm, ToolExport, item_of
from pipeline.core.errors import InputError, RecordError

_COLUMNS: Final = ("label", "cats", "entities")
#: The name of an export of shared annotations, which says nobody's name.
_SHARED: Final = "all"


def read(path: Path, item: str) -> ToolExport:
    """Read the examples of one annotator, or of all files of a folder.

    `item` is the key of an example that names the item, otherwise its id does. An example without
    labels was not answered. Raises InputError for files of another form, and for shared ones.
    """
    export = ToolExport()
    for file in _files(path):
        who = _annotator(file)
        for line, record in _records(file):
            try:
                if isinstance(record, RecordError):
                    raise record
                answers = list(_answers(record))
                if not answers:
                    export.skipped["examples without a label"] += 1
                    continue
                name = item_of(record, item, record.get("id"))
                for question, form, value in answers:
                    answer = Answer(file.name, line, name, who, question, form, value)
                    export.answers.append(answer)
            except RecordError as fault:
                export.refuse(file.name, line, fault)
    return export


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(
        file
        for file in path.iterdir()
        if file.suffix in (".jsonl", ".json") and file.name != files.ANNOTATORS
    )
    if not found:
        raise InputError(f"{path}: holds no .jsonl or .json file; unpack doccano's export into it")
    return found


def _records(path: Path) -> Iterable[tuple[int, Any]]:
    if path.suffix == ".json":
        return files.read_list(path, "as doccano exports JSON")
    return files.read_lines(path)


def _annotator(path: Path) -> str:
    ids = files.find_annotators(path, None) or {}
    if path.stem == _SHARED and path.stem not in ids:
        raise InputError(
            f"{path}: doccano names an export by its user, and this one is of shared annotations,"
            ' which do not say whose they are; turn "Share annotations" off, or name who answered'
            f' in {files.ANNOTATORS} beside it: {{"{_SHARED}": "hana"}}'
        )
    return ids.get(path.stem, path.stem)


def _answers(record: Any) -> Iterable[tuple[str, AnswerForm, Any]]:
    if not isinstance(record, dict) or not any(name in record for name in _COLUMNS):
        raise exchange_fault("form", f"is no example with {', '.join(_COLUMNS[:-1])} or entities")
    for name in (name for name in _COLUMNS if name in record):
        labels = record[name]
        if not isinstance(labels, list):
            raise exchange_fault("form", f"{name!r} is not a list of labels")
        if all(isinstance(label, str) for label in labels):
            form: AnswerForm = "choices"
        else:
            form = "spans" if all(isinstance(label, list | dict) for label in labels) else "other"
        if labels:
            yield name, form, labels
