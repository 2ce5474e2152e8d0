"""Semantic textual similarity (STS, Section 3.2): a whole score on the scale for two sentences."""

from __future__ import annotations

from typing import Any

from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, Task, shown, wrong


def parse(answer: Any, _fields: Fields, spec: TaskSpec, _round: Round) -> int:
    """Return a score; 3.0 is 3, a text or a half is none."""
    low, high = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
    number = isinstance(answer, int | float) and not isinstance(answer, bool)
    if not number or not low <= answer <= high or answer != int(answer):
        raise wrong("range", f"a score is a whole number from {low} to {high}, not {shown(answer)}")
    return int(answer)


def _compare(left: float, right: float) -> dict[str, float]:
    return {"closeness": 1 - abs(left - right) / 5, "equal": float(left == right)}


TASK = Task(
    id="sts",
    config="sts",
    kind="number",
    fields=("sentence1", "sentence2"),
    parse=parse,
    view=float,
    compare=_compare,
    free=True,
)
