"""What became of all items, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from pipeline.agreement.aggregation.exclusion import Judged
from pipeline.agreement.aggregation.outcome import Note, Outcome
from pipeline.contracts.task import Task
from pipeline.core.jsontext import canonical, parsed


def summarise(
    outcomes: Sequence[Outcome], notes: Sequence[Note], judged: Sequence[Judged]
) -> dict[str, Any]:
    """Return the counts of a run.

    `items`, `resolved`, `unresolved`, `removed`; `by_rule` and the status of each; `by_queue` of
    the unresolved; `by_reason` of the unresolved and the removed; `excluded` annotators with their
    numbers, and `judged` with everybody's; `left_out` votes by rule.
    """
    status = Counter(one.status for one in outcomes)
    rules: dict[str, Counter[str]] = {}
    for one in outcomes:
        rules.setdefault(one.rule, Counter())[one.status] += 1
    return {
        "items": len(outcomes),
        "resolved": status["gold"],
        "unresolved": status["unresolved"],
        "removed": status["removed"],
        "by_rule": {rule: _sorted(found) for rule, found in sorted(rules.items())},
        "by_queue": _sorted(Counter(one.queue for one in outcomes if one.queue)),
        "by_reason": _sorted(Counter(one.reason for one in outcomes if one.reason)),
        "excluded": [one.record() for one in judged if one.excluded],
        "judged": [one.record() for one in judged],
        "left_out": _sorted(Counter(one.rule for one in notes)),
    }


def matches(gold: pa.Table, items: pa.Table | None, task: Task) -> int | None:
    """Count the items whose aggregated label equals the one their file gives.

    None where the items give no label. A file's label equals if it is the same JSON, or the same
    answer of a category task (a topic and a list of one topic).
    """
    given = {} if items is None else _given(items, task)
    if not given:
        return None
    pairs = zip(gold["item"].to_pylist(), gold["label"].to_pylist(), strict=True)
    return sum(
        label is not None and name in given and _equal(label, given[name], task)
        for name, label in pairs
    )


def _given(items: pa.Table, task: Task) -> dict[str, str]:
    """Return the labels to compare with; one true score is not what a mean of votes can equal."""
    pairs = zip(items["item"].to_pylist(), items["gold"].to_pylist(), strict=True)
    scores = task.kind == "number"
    return {
        name: label
        for name, label in pairs
        if label is not None and (not scores or label.startswith("{"))
    }


def _equal(ours: str, theirs: str, task: Task) -> bool:
    if ours == theirs:
        return True
    left, right = parsed(ours), parsed(theirs)
    if task.kind == "category":
        return bool(_one(left) == _one(right))
    return canonical(left) == canonical(right)


def _one(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _sorted(counts: Counter[Any]) -> dict[str, int]:
    return {str(name): n for name, n in sorted(counts.items())}
