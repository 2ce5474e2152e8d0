"""The adjudication flow: candidates and answers -> votes -> gold of each task."""

from __future__ import annotations

from typing import Any

from flows.engine.run import Submitter
from flows.plan.gold import GoldPlan


def adjudicate(
    tasks: list[GoldPlan], submit: Submitter, *, after: dict[str, Any]
) -> dict[str, Any]:
    """Submit the calls of every task, each when its candidates are there.

    Returns by task what has to wait for its gold.
    """
    return {one.task: submit(list(one.calls), after=[after.get(one.task)]) for one in tasks}
