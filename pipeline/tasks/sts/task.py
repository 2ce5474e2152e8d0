"""Semantic textual similarity (STS, Section 3.2): a whole score on the scale for two sentences."""

from __future__ import annotations

from pipeline.contracts.answers import parse_score
from pipeline.contracts.task import Task

TASK = Task(
    id="sts",
    config="sts",
    kind="number",
    fields=("sentence1", "sentence2"),
    titles={"sentence1": "문장 1", "sentence2": "문장 2"},
    parse=parse_score,
    view=float,
    compare=lambda left, right: {
        "closeness": 1 - abs(left - right) / 5,
        "equal": float(left == right),
    },
    free=True,
)
