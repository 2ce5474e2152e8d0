"""The eight tasks by their ids."""

from __future__ import annotations

from typing import Final

from pipeline.core.errors import InputError
from pipeline.tasks import (
    dependency,
    dialogue,
    entities,
    inference,
    reading,
    relation,
    similarity,
    topic,
)
from pipeline.tasks.base import Task

_MODULES: Final = (
    topic,
    similarity,
    inference,
    entities,
    relation,
    dependency,
    reading,
    dialogue,
)
TASKS: Final[dict[str, Task]] = {module.TASK.id: module.TASK for module in _MODULES}


def task_of(name: str) -> Task:
    """Return the task of an id (tc, dst) or of a config name inside a release (ynat, wos).

    Raises InputError that names the allowed ones.
    """
    configs = {task.config: task for task in TASKS.values()}
    found = TASKS.get(name) or configs.get(name)
    if found is None:
        allowed = ", ".join(TASKS)
        raise InputError(f"{name!r} is no task; allowed: {allowed} (or ynat for tc, wos for dst)")
    return found
