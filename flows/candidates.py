"""The candidates flow: kept sentences -> the candidates of each task."""

from __future__ import annotations

from typing import Any

from flows.engine.run import Submitter
from flows.plan.candidates import TaskPlan


def draw_candidates(plans: list[TaskPlan], submit: Submitter, *, after: Any) -> dict[str, Any]:
    """Submit the calls of every task after the corpus; returns by task what its gold waits for."""
    return {plan.task: submit(list(plan.calls), after=[after]) for plan in plans}
