"""The adjudication flow: candidates and answers -> votes -> gold of each task."""

from __future__ import annotations

from functools import partial

from flows.engine.run import Part
from flows.plan.gold import GoldPlan
from flows.view import funnel
from flows.view.tables import gold_table


def adjudication_flow(plans: list[GoldPlan]) -> Part:
    """Return the flow that makes gold answers of the votes of each task."""
    return Part("adjudicate", partial(_summary, plans), [plan.calls for plan in plans])


def _summary(plans: list[GoldPlan]) -> str:
    return gold_table({plan.task: funnel.outcomes(plan.gold) for plan in plans}).markdown()
