"""The head of the baseline model for a task without the part `head`, by its kind of answer.

category   a class of the spec for one or two fields
labels     any of the classes of the spec for one or two fields
number     a number on the scale of the spec for one or two fields
spans      tags for the tokens of the first field
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from pipeline.contracts.example import Example
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.core.errors import InputError
from pipeline.training.head import Head
from pipeline.training.heads.tagging import Tagging
from pipeline.training.heads.whole import Classes, MultiLabel, Score
from pipeline.training.recipe import Recipe


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Head:  # noqa: ARG001
    """Return the head of a task; raises InputError for a kind of answer without a default."""
    task = TASKS[spec.task]
    if task.kind == "spans":
        return Tagging(spec, recipe, task.fields[0])
    if task.kind not in ("category", "labels", "number") or len(task.fields) > 2:
        raise InputError(
            f"task {task.id} has no part `head`, and there is no default for answers of the kind"
            f" {task.kind} to {len(task.fields)} fields; give the task one (a category,"
            " labels or a number for one or two texts, and spans in a text have a default)"
        )
    if task.kind == "category":

        def class_of(label: Any) -> Any:
            return task.view(label) if label else None

        return Classes(task.id, spec.ids(), task.fields, recipe.max_length, named=class_of)
    if task.kind == "labels":
        return MultiLabel(task.id, spec.ids(), task.fields, recipe.max_length)
    ends = (spec.scale.low, spec.scale.high) if spec.scale else (-inf, inf)
    return Score(task.id, ("number",), task.fields, recipe.max_length, ends=ends)
