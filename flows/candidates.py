"""The sampling flow: kept sentences -> the candidates of each task."""

from __future__ import annotations

from typing import Any

from flows.engine.run import Submitter
from flows.plan.candidates import TaskPlan


def sampling(tasks: list[TaskPlan], submit: Submitter, *, after: Any) -> dict[str, Any]:
    """Submit the calls of every task, each when the corpus is there.

    Returns by task what has to wait for its candidates.
    """
    return {task.task: submit(list(task.calls), after=[after]) for task in tasks}
