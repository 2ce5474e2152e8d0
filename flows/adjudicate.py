"""The adjudication flow: candidates and answers -> votes -> gold of each task."""

from __future__ import annotations

from typing import Any

from flows.engine.run import Submitter
from flows.plan.gold import GoldPlan


def adjudicate(
    plans: list[GoldPlan], submit: Submitter, *, after: dict[str, Any]
) -> dict[str, Any]:
    """Submit the calls of every task after its candidates; returns by task what splits wait for."""
    return {plan.task: submit(list(plan.calls), after=[after.get(plan.task)]) for plan in plans}
