"""A worker's agreement in a pilot: with the other workers, or with gold where items have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.contracts.task import Task
from pipeline.core.wording import count

#: Answers by worker and item.
Answers = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class PilotAgreement:
    """A worker's agreement over the `items` that others answered too, of which `counted` tell.

    `value` is None, and `reason` says why, where there is none; `flat` says that this is for the
    worker's own answers being all the same.
    """

    items: int
    counted: int
    value: float | None
    reason: str = ""
    flat: bool = False


def agreement_with_others(answers: Answers, task: Task) -> dict[str, PilotAgreement]:
    """Return the agreement of every worker.

    Numbers: Pearson's r with the mean of the others, item by item. Categories: the share of items
    where the worker's is the most frequent one of the others; an item where these are tied does not
    count. Other answers: the mean likeness to the others', by the task's usual comparison.
    """
    by_item: dict[str, dict[str, Any]] = {}
    for worker in sorted(answers):
        for item, answer in answers[worker].items():
            by_item.setdefault(item, {})[worker] = answer
    agreements = {}
    for worker in answers:
        pairs = [
            (answers[worker][item], [a for other, a in by_item[item].items() if other != worker])
            for item in sorted(answers[worker])
            if len(by_item[item]) > 1
        ]
        agreements[worker] = _agreement(pairs, task)
    return agreements


def agreement_with_gold(
    answers: Answers, gold: Mapping[str, Any], task: Task
) -> dict[str, PilotAgreement]:
    """Return the agreement of every worker with gold; see `agreement_with_others`."""
    compared = {
        item: number_of_gold(label, task) if task.kind == "number" else label
        for item, label in gold.items()
    }
    return {
        worker: _agreement(
            [(labels[item], [compared[item]]) for item in sorted(labels) if item in compared], task
        )
        for worker, labels in answers.items()
    }


def _agreement(pairs: list[tuple[Any, list[Any]]], task: Task) -> PilotAgreement:
    if not pairs:
        return PilotAgreement(0, 0, None, "no item was answered by another worker too")
    if task.kind in ("number", "category"):
        viewed = [(task.view(answer), [task.view(o) for o in others]) for answer, others in pairs]
        return _pearson(viewed) if task.kind == "number" else _share(viewed)
    values = [
        np.mean([likeness(task, answer, other) for other in others]) for answer, others in pairs
    ]
    return PilotAgreement(len(pairs), len(pairs), float(np.mean(values)))


def _pearson(pairs: Sequence[tuple[float, list[float]]]) -> PilotAgreement:
    values = np.array([value for value, _ in pairs], np.float64)
    rest = np.array([np.mean(others) for _, others in pairs], np.float64)
    if np.ptp(values) == 0:
        reason = f"gave the same number {count(len(pairs), 'time')}, which agrees with nothing"
        return PilotAgreement(len(pairs), 0, None, reason, flat=True)
    if np.ptp(rest) == 0:
        reason = "the others' means are all the same, so that no correlation can be told"
        return PilotAgreement(len(pairs), 0, None, reason)
    return PilotAgreement(len(pairs), len(pairs), float(np.corrcoef(values, rest)[0, 1]))


def _share(pairs: Sequence[tuple[Any, list[Any]]]) -> PilotAgreement:
    equal = []
    for answer, others in pairs:
        (first, most), *rest = Counter(others).most_common(2)
        if not rest or rest[0][1] < most:  # no tie
            equal.append(answer == first)
    if not equal:
        reason = "the other workers' answers are tied on every item"
        return PilotAgreement(len(pairs), 0, None, reason)
    return PilotAgreement(len(pairs), len(equal), sum(equal) / len(equal))


def right_answers(
    labels: Mapping[str, Any], gold: Mapping[str, Any], task: Task, least: float
) -> dict[str, bool]:
    """Return by item with gold whether an answer is right: by its likeness to gold.

    A number may be one away, other answers are right from the likeness `least` on.
    """
    if task.kind == "number":
        return {
            item: abs(task.view(label) - number_of_gold(gold[item], task)) <= 1
            for item, label in labels.items()
            if item in gold
        }
    return {
        item: label == gold[item] or likeness(task, label, gold[item]) >= least
        for item, label in labels.items()
        if item in gold
    }


def likeness(task: Task, left: Any, right: Any) -> float:
    """Return the similarity of two answers by the task's usual comparison."""
    return next(iter(task.compare(left, right).values()))


def number_of_gold(gold: Any, task: Task) -> float:
    """Return a number of gold, which may be {"label": NUMBER, ...} as in official files."""
    return float(task.view(gold["label"] if isinstance(gold, dict) else gold))
