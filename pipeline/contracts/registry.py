"""The tasks by their ids."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from pipeline.contracts.parts import Parts, shipped_packages, unknown_task
from pipeline.contracts.task import Task

TASKS: Final[Mapping[str, Task]] = Parts("task", "TASK")


def task_of(name: str) -> Task:
    """Return the task of an id (tc, dst) or of a config name inside a release (ynat, wos).

    Raises InputError that names the allowed ones.
    """
    if name in TASKS:
        return TASKS[name]
    aliases = {task.config: task for task in TASKS.values() if task.config != task.id}
    if name not in aliases:
        more = ", ".join(f"{alias} for {task.id}" for alias, task in aliases.items())
        raise unknown_task(name, f"{', '.join(TASKS)} (or {more})")
    return aliases[name]


def shipped_names() -> frozenset[str]:
    """Return the ids and config names of the tasks of the package, which own tasks cannot have."""
    tasks = [import_module(f"{package}.task").TASK for package in shipped_packages().values()]
    return frozenset({task.id for task in tasks} | {task.config for task in tasks})
