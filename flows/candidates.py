"""The candidates flow: kept sentences -> the candidates of each task."""

from __future__ import annotations

from typing import Any

from flows.engine.run import Submitter
from flows.plan.candidates import TaskPlan


def draw_candidates(tasks: list[TaskPlan], submit: Submitter, *, after: Any) -> dict[str, Any]:
    """Submit the calls of every task, to run after the corpus (`after`).

    Returns by task the future that later calls have to wait for.
    """
    return {task.task: submit(list(task.calls), after=[after]) for task in tasks}
