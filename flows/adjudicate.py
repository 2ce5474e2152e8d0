"""The adjudication flow: candidates and answers -> votes -> gold of each task."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from flows.engine.run import Part
from flows.plan.gold import GoldPlan
from flows.view import funnel
from flows.view.tables import gold_table

if TYPE_CHECKING:
    from flows.engine.tasks import Tasks


def adjudication_flow(plans: list[GoldPlan]) -> Part:
    """Return the flow that makes gold answers of the votes of each task."""
    calls = [call for plan in plans for call in plan.calls]
    return Part("adjudicate", calls, partial(_submit, plans), partial(_summary, plans))


def _submit(plans: list[GoldPlan], tasks: Tasks) -> None:
    tasks.submit_chains(plan.calls for plan in plans)


def _summary(plans: list[GoldPlan]) -> str:
    return gold_table({plan.task: funnel.outcomes(plan.gold) for plan in plans}).markdown()
