"""The columns of own tasks in a release: the texts, and `label`, `labels` or `spans`."""

from __future__ import annotations

import math
from typing import Final

import pyarrow as pa

from pipeline.contracts.aggregation_rules import Scores
from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.release.soft_labels import with_soft_label
from pipeline.release.tables import TEXT, TEXTS, Columns, Row, schema

_SPAN: Final = pa.struct([("start", pa.int32()), ("end", pa.int32()), ("label", TEXT)])
#: The column of the answer and its type, by the kind in which answers are compared.
_ANSWERS: Final = {
    "category": ("label", TEXT),
    "labels": ("labels", TEXTS),
    "number": ("label", pa.float64()),
    "spans": ("spans", pa.list_(_SPAN)),
}


def columns(task: Task) -> Columns:
    """Return the columns of an own task: guid, source, its texts, the answer, and soft labels."""
    name, kind = _ANSWERS[task.kind]

    def to_row(example: Example) -> Row:
        texts, label = {field: example.fields[field] for field in task.fields}, example.label
        answer = label["label"] if isinstance(label, dict) else label  # of a rounded score
        return {"guid": example.id, "source": example.source, **texts, name: answer}

    def from_row(row: Row) -> Example:
        texts = {field: row[field] for field in task.fields}
        return Example(row["guid"], row["source"], texts, row[name])

    texts = dict.fromkeys(task.fields, TEXT)
    plain = Columns(
        task=task.id,
        schema=schema(guid=TEXT, source=TEXT, **texts, **{name: kind}),
        answer=(name,),
        hidden_in_test=(name,),
        to_row=to_row,
        from_row=from_row,
        classes=lambda spec: {name: spec.ids()} if task.kind in ("category", "labels") else {},
        label_names=None if task.kind == "number" else f"{name}.label" if name == "spans" else name,
        fault=_score_fault if task.kind == "number" else None,
    )
    return with_soft_label(plain, task.kind)


def _score_fault(row: Row, spec: TaskSpec) -> str | None:
    score, scale, rule = row["label"], spec.scale, spec.aggregation
    if score is None:
        return None  # told by the column already
    if scale is not None and not scale.low <= score <= scale.high:
        return f"has a score off the scale from {scale.low} to {scale.high}"
    step = rule.step if isinstance(rule, Scores) else None
    if step is not None and not math.isclose(score, round(score / step) * step, abs_tol=1e-9):
        return f"has a score that is no multiple of {step}"
    return None
