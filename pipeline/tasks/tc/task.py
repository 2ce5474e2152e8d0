"""Topic classification (TC, Section 3.1): up to three topics of a headline, in order."""

from __future__ import annotations

from typing import Any

from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, Task, mask, one_of, wrong

#: How many topics an annotator may name.
MOST = 3


def parse(answer: Any, _fields: Fields, spec: TaskSpec, _round: Round) -> list[str]:
    """Return ranked topics; one topic may be given as a plain text."""
    names = [answer] if isinstance(answer, str) else answer
    if not isinstance(names, list) or not 1 <= len(names) <= MOST:
        raise wrong("form", f"one to {MOST} topics in a list are wanted, not {mask(answer)}")
    topics = [one_of(topic, spec.ids(), "topic") for topic in names]
    if len(set(topics)) < len(topics):
        raise wrong("form", "a topic is named twice; name each once, the most relevant first")
    return topics


def first(answer: list[str]) -> str:
    """Return the most relevant topic: what agreement and gold are about (Section 3.1.1)."""
    return answer[0]


def _compare(left: list[str], right: list[str]) -> dict[str, float]:
    overlap = len(set(left) & set(right)) / len(set(left) | set(right))
    return {"equal": float(left[0] == right[0]), "overlap": overlap}


TASK = Task(
    id="tc",
    config="ynat",
    kind="category",
    fields=("title",),
    titles={"title": "제목"},
    parse=parse,
    view=first,
    compare=_compare,
    free=True,
    unit="whole",
)
