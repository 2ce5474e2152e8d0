"""Who may take part: the pilot's rule of a spec, worker by worker, with the reason in words.

The paper: RE workers answered at least 4 of 5 questions right (Section 3.5.1), MRC workers wrote 15
question-answer pairs (3.7.1), and TC, STS and NLI workers who often disagreed with the others were
left out (3.1.1, 3.2.1). Items may have gold under every rule: then answers are compared with it,
and what somebody missed is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np
import pyarrow as pa

from pipeline.contracts.pilot import Pilot
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed

Status = Literal["passed", "failed", "unfinished"]
#: Whether a worker's answer to an item was accepted: (worker, item) to yes or no.
Reviews = Mapping[tuple[str, str], bool]

_JUDGES: Final = ("inspector", "expert")


@dataclass(frozen=True)
class Qualified:
    """A worker's result.

    `done` counts the pilot items that could be judged, out of `items` of the rule. `score` is what
    the rule looks at: answers right or accepted (a count), Pearson's r or a share; None where there
    is none, and `reason` says why. `missed` are the items with gold whose answer is not right: a
    number may be one away.
    """

    annotator: str
    status: Status
    done: int
    items: int
    score: float | None
    needed: float
    reason: str
    missed: tuple[str, ...] = ()


def qualify(
    votes: pa.Table,
    *,
    task: Task,
    spec: TaskSpec,
    items: pa.Table | None = None,
    reviews: Reviews | None = None,
    workers: Iterable[str] = (),
    round_: str | None = None,
) -> list[Qualified]:
    """Judge every worker of a pilot by the spec's rule, by name.

    `items` hold the gold that the rule `correct` needs and the others may use, `reviews` are for
    the rule `reviewed`.
    `workers` names those who were given items and may have answered none; `round_` is the round of
    the pilot, if there are votes of others. Only first answers count, and a report is no answer.
    Raises InputError when gold is missing.
    """
    answers = _answers(votes, round_)
    for worker in workers:
        answers.setdefault(worker, {})
    pilot, gold = spec.pilot, _gold(items, needed=spec.pilot.rule == "correct")
    right = {who: _right(labels, gold, task, pilot) for who, labels in answers.items()}
    if pilot.rule == "agreement":
        agreed = agreement_with_gold(answers, gold, task) if gold else None
        wanted = min(pilot.items, len(gold) or pilot.items)
        agreed = agreed or agreement_with_others(answers, task)
        results = [
            _by_agreement(w, pilot, agreement, task, wanted, to="gold" if gold else "")
            for w, agreement in agreed.items()
        ]
    elif pilot.rule == "correct":
        marks = {who: list(marks.values()) for who, marks in right.items()}
        results = [_by_count(w, pilot, m, "gold items", "right") for w, m in marks.items()]
    else:
        for (who, item), good in (reviews or {}).items():
            right.setdefault(who, {})[item] = good
        accepted = {w: list(right[w].values()) for w in answers}
        results = [_by_count(w, pilot, m, "answers", "accepted") for w, m in accepted.items()]
    missed = {
        who: tuple(sorted(item for item, good in marks.items() if item in gold and not good))
        for who, marks in right.items()
    }
    results = [replace(result, missed=missed[result.annotator]) for result in results]
    return sorted(results, key=lambda result: result.annotator)


def _right(
    labels: Mapping[str, Any], gold: Mapping[str, Any], task: Task, pilot: Pilot
) -> dict[str, bool]:
    """Return by item with gold whether a worker's answer is right."""
    if task.kind == "number":
        return {
            item: abs(task.view(label) - _number(gold[item], task)) <= 1
            for item, label in labels.items()
            if item in gold
        }
    return {
        item: label == gold[item] or _likeness(task, label, gold[item]) >= pilot.likeness
        for item, label in labels.items()
        if item in gold
    }


def _number(gold: Any, task: Task) -> float:
    """Return a number of gold, which may be {"label": NUMBER, ...} as in official files."""
    return float(task.view(gold["label"] if isinstance(gold, dict) else gold))


def _answers(votes: pa.Table, round_: str | None) -> dict[str, dict[str, Any]]:
    """Return worker: item: answer, of the first attempts of those who are no reviewers."""
    labels: dict[str, dict[str, tuple[int, str]]] = {}
    for who, item, attempt, label, role, name in schemas.rows(
        votes, "annotator", "item", "attempt", "label", "role", "round"
    ):
        if who is None or role in _JUDGES or round_ not in (None, name):
            continue
        labels_of_worker = labels.setdefault(who, {})
        if label is not None:
            labels_of_worker[item] = min(
                labels_of_worker.get(item, (attempt, label)), (attempt, label)
            )
    return {
        who: {item: parsed(label) for item, (_, label) in labels_of_worker.items()}
        for who, labels_of_worker in labels.items()
    }


def _gold(items: pa.Table | None, *, needed: bool) -> dict[str, Any]:
    if items is None:
        if not needed:
            return {}
        raise InputError("the rule of this pilot counts right answers; give its items with `gold`")
    rows = schemas.rows(items, "item", "gold")
    gold = {item: parsed(label) for item, label in rows if label is not None}
    if needed and not gold:
        raise InputError("none of the pilot's items has a `gold`, so nobody can be judged; add it")
    return gold


def _likeness(task: Task, left: Any, right: Any) -> float:
    return next(iter(task.compare(left, right).values()))


def _by_count(worker: str, pilot: Pilot, marks: list[bool], subject: str, good: str) -> Qualified:
    """Judge by good ones out of `items`; with more than that, by the same share of them."""
    needed, done, count = pilot.needed or 0, len(marks), sum(marks)
    reason = f"{count} of {done} {subject} {good}; {needed} of {pilot.items} are needed"
    status: Status = "passed" if count * pilot.items >= needed * done else "failed"
    if done < pilot.items:
        lost = done - count > pilot.items - needed
        status = "passed" if count >= needed else "failed" if lost else "unfinished"
        reason += f", {pilot.items - done} are still open"
    return Qualified(worker, status, done, pilot.items, float(count), float(needed), reason)


def _by_agreement(
    worker: str, pilot: Pilot, agreed: PilotAgreement, task: Task, wanted: int, *, to: str
) -> Qualified:
    needed, other = pilot.threshold or 0.0, to or "the other workers"
    status: Status = "unfinished"
    if agreed.items < wanted:
        answers = to or "the other workers' answers"
        reason = f"{agreed.items} of {wanted} items can be compared with {answers} so far"
    elif agreed.value is None:
        status, reason = "failed" if agreed.flat else "unfinished", agreed.reason
    else:
        status = "passed" if agreed.value >= needed else "failed"
        measure = "Pearson's r with" if task.kind == "number" else "agreement with"
        reason = (
            f"{measure} {other} is {agreed.value:.2f} over {agreed.counted} items;"
            f" {needed:.2f} is needed"
        )
    return Qualified(worker, status, agreed.items, wanted, agreed.value, needed, reason)


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
        item: _number(label, task) if task.kind == "number" else label
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
        np.mean([_likeness(task, answer, other) for other in others]) for answer, others in pairs
    ]
    return PilotAgreement(len(pairs), len(pairs), float(np.mean(values)))


def _pearson(pairs: Sequence[tuple[float, list[float]]]) -> PilotAgreement:
    values = np.array([value for value, _ in pairs], np.float64)
    rest = np.array([np.mean(others) for _, others in pairs], np.float64)
    if np.ptp(values) == 0:
        reason = f"gave the same number {len(pairs)} times, which agrees with nothing"
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
