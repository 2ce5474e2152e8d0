"""The answers of own tasks, by kind (contracts/own_task.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.contracts import answers
from pipeline.contracts.parts import own_folder
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError
from pipeline.core.specs import read_yaml

#: The texts that an item of each kind has; of other kinds it is `text`.
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {"pair": ("text1", "text2")}


def task(task_id: str) -> Task:
    """Return the task of an own task's id: what its spec says is the kind of its answers."""
    folder = own_folder(task_id)
    if folder is None:
        raise InputError(f"task {task_id} has no part `task`; add task.py with TASK to its folder")
    kind = str(read_yaml(folder / "spec.yaml")["kind"])
    fields = FIELDS.get(kind, ("text",))
    common: dict[str, Any] = {"id": task_id, "config": task_id, "fields": fields}
    return Task(**common, **ANSWERS[kind])


def _overlap(left: list[str], right: list[str]) -> dict[str, float]:
    union = set(left) | set(right)
    jaccard = len(set(left) & set(right)) / len(union) if union else 1.0
    return {"jaccard": jaccard, "equal": float(set(left) == set(right))}


def _number(answer: Any) -> float:
    """Return a score; gold has its mean in several roundings, of which the exact one counts."""
    return float(answer["real-label"] if isinstance(answer, dict) else answer)


_LABEL: Final = {
    "kind": "category",
    "parse": answers.parse_label,
    "view": answers.same,
    "compare": answers.compare_labels,
    "free": True,
}
ANSWERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "label": _LABEL,
    "pair": _LABEL,
    "labels": {
        "kind": "labels",
        "parse": answers.parse_labels,
        "view": frozenset,
        "compare": _overlap,
        "free": True,
    },
    "score": {
        "kind": "number",
        "parse": answers.parse_score,
        "view": _number,
        "compare": lambda left, right: {
            "closeness": 1 / (1 + abs(left - right)),
            "equal": float(left == right),
        },
        "free": True,
    },
    "spans": {
        "kind": "spans",
        "parse": answers.parse_spans,
        "view": answers.span_tuples,
        "compare": answers.compare_spans,
    },
}
