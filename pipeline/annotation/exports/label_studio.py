"""Label Studio's export "JSON": tasks with annotations, a result for each use of a control."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pipeline.annotation.exchange import files
from pipeline.annotation.exchange.answer_parts import exchange_fault
from pipeline.annotation.exports.answer import Answer, AnswerForm, ToolExport, item_of
from pipeline.core.errors import InputError, RecordError

#: What a result of each type holds, and under which key; other types cannot be compared.
_FORMS: Final[Mapping[str, AnswerForm]] = {
    "choices": "choices",
    "taxonomy": "choices",
    "pairwise": "choice",
    "rating": "rating",
    "number": "number",
    "labels": "spans",
    "textarea": "text",
}
_KEYS: Final = {"pairwise": "selected", "textarea": "text"}


def read(path: Path, item: str) -> ToolExport:
    """Read the annotations of every task; `item` is the key of a task's data that names the item.

    Without that key the id of the task does. Raises InputError for a file of another form.
    """
    export = ToolExport()
    for line, task in files.read_list(path, 'as Label Studio exports "JSON"'):
        if line == 1 and isinstance(task, dict) and "annotations" not in task:
            _require_json(path, task)
        for annotation in _annotations(task):
            try:
                answers = list(_answers(annotation, task, export, item))
            except RecordError as fault:
                export.refuse(path.name, line, fault)
            else:
                export.answers += [Answer(path.name, line, **answer) for answer in answers]
    return export


def _require_json(path: Path, task: Mapping[str, Any]) -> None:
    if "annotation_id" in task:
        raise InputError(
            f'{path}: is Label Studio\'s "JSON-MIN"; export "JSON", or read it as votes:'
            " --columns item=id,annotator=annotator,label=CONTROL --level nominal"
        )


def _annotations(task: Any) -> list[Any]:
    annotations = task.get("annotations") if isinstance(task, dict) else None
    if isinstance(annotations, list):
        return annotations
    return [exchange_fault("form", 'is no task with its annotations; export "JSON"')]


def _answers(
    annotation: Any, task: Mapping[str, Any], export: ToolExport, key: str
) -> Iterator[dict[str, Any]]:
    if isinstance(annotation, RecordError):
        raise annotation
    if not isinstance(annotation, dict) or not isinstance(annotation.get("result"), list):
        raise exchange_fault("form", "an annotation is an object with a list of results")
    if annotation.get("was_cancelled"):
        export.skipped["annotations that were cancelled"] += 1
        return
    data = task.get("data")
    item = item_of(data if isinstance(data, dict) else {}, key, task.get("id"))
    user = annotation.get("completed_by")  # a number, or an object with one
    user = user.get("id") if isinstance(user, dict) else user
    times = {"at": annotation.get("created_at"), "seconds": annotation.get("lead_time")}
    common = {
        "item": item,
        "annotator": None if user is None else str(user),
        "times": {name: value for name, value in times.items() if value is not None},
    }
    if not annotation["result"]:
        export.skipped["annotations without an answer"] += 1
    asked: set[str] = set()
    for result in annotation["result"]:
        name, form, value = _result(result)
        if name in asked and form not in ("spans", "other"):
            raise exchange_fault("form", f"control {name!r} is answered twice in one annotation")
        if name not in asked:
            yield common | {"question": name, "form": form, "value": value}
        asked.add(name)


def _result(result: Any) -> tuple[str, AnswerForm, Any]:
    value = result.get("value") if isinstance(result, dict) else None
    if not isinstance(value, dict):
        return "relations", "other", None
    type_ = str(result.get("type"))
    key = _KEYS.get(type_, type_)
    form, content = _FORMS.get(type_, "other"), value.get(key)
    if value.keys() != {key} and form != "spans":  # about a region, whose place it has, too
        form = "other"
    if type_ == "taxonomy" and isinstance(content, list):
        paths = (node if isinstance(node, list) else [node] for node in content)
        content = [" / ".join(map(str, path)) for path in paths]
    return str(result.get("from_name")), form, content
