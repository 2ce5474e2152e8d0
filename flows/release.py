"""The release flow: gold -> splits -> leakage check of each task; publish/ writes the files."""

from __future__ import annotations

from typing import Any

from flows.engine.run import Submitter
from flows.plan.release import ReleasePlan


def release(plan: ReleasePlan, submit: Submitter, *, after: dict[str, Any]) -> None:
    """Submit the calls of every task after its gold."""
    for task in plan.tasks:
        submit(list(task.calls), after=[after.get(task.task)])
