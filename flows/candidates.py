"""The candidates flow: kept sentences -> the candidates of each task."""

from __future__ import annotations

from functools import partial

from flows.engine.run import Part
from flows.plan.candidates import TaskPlan
from flows.view import funnel
from flows.view.tables import task_table


def candidates_flow(plans: list[TaskPlan]) -> Part:
    """Return the flow that draws the candidates of each task."""
    return Part("candidates", partial(_summary, plans), [plan.calls for plan in plans])


def _summary(plans: list[TaskPlan]) -> str:
    return task_table(funnel.task_rows(plans)).markdown()
