"""Small specs for the tests of the eight tasks: what a spec.yaml would hold, and no more."""

from __future__ import annotations

from typing import Any

from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import RecordError

_TEXT = {"ko": "글", "en": "text"}


def round_(answer: str, name: str = "main", after: str | None = None) -> dict[str, Any]:
    """Return a round that asks for one kind of answer."""
    return {
        "id": name,
        "role": "inspector" if answer == "verdict" else "annotator",
        "per_item": 1,
        "answer": answer,
        "question": _TEXT,
        "after": after,
    }


def labels(*ids: str, group: str | None = None) -> list[dict[str, Any]]:
    """Return labels of one group."""
    return [{"id": one, "title": _TEXT, "group": group} for one in ids]


def spec(task: str, rounds: list[dict[str, Any]], **more: Any) -> TaskSpec:
    """Return a spec with these rounds; `more` are further keys of a spec."""
    return TaskSpec.model_validate(
        {
            "task": task,
            "version": "1.0.0",
            "title": _TEXT,
            "instruction": _TEXT,
            "rounds": rounds,
            "pilot": {"rule": "correct", "items": 5, "needed": 4},
            "reports": [{"id": "hate", "title": _TEXT}],
            "aggregation": {"rule": "inspected", "roles": ["annotator"]},
            "agreement": {"coefficient": "entity_f1"},
            "split": {
                "rule": "by_source",
                "numbers": {"train": 6, "dev": 2, "test": 2, "keep_source_shares": True},
            },
            **more,
        }
    )


def named(one: TaskSpec, name: str = "main") -> Round:
    """Return a round that is there."""
    found = one.round(name)
    assert found is not None
    return found


def rule_of(
    task: Task, answer: Any, fields: dict[str, Any], one: TaskSpec, name: str = "main"
) -> str:
    """Return the rule that an answer breaks, or `good`."""
    try:
        task.parse(answer, fields, one, named(one, name))
    except RecordError as error:
        assert error.reason
        return error.rule
    return "good"
