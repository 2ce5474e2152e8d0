"""The candidates flow: kept sentences -> the candidates of each task."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from flows.engine.run import Part
from flows.plan.candidates import TaskPlan
from flows.view import funnel
from flows.view.tables import task_table

if TYPE_CHECKING:
    from flows.engine.tasks import Tasks


def candidates_flow(plans: list[TaskPlan]) -> Part:
    """Return the flow that draws the candidates of each task."""
    calls = [call for plan in plans for call in plan.calls]
    return Part("candidates", calls, partial(_submit, plans), partial(_summary, plans))


def _submit(plans: list[TaskPlan], tasks: Tasks) -> None:
    tasks.submit_chains(plan.calls for plan in plans)


def _summary(plans: list[TaskPlan]) -> str:
    return task_table(funnel.task_rows(plans)).markdown()
