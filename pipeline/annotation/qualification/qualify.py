"""Who may take part: the pilot's rule of a spec, worker by worker, with the reason in words.

The paper: RE workers answered at least 4 of 5 questions right (Section 3.5.1), MRC workers wrote 15
question-answer pairs (3.7.1), and TC, STS and NLI workers who often disagreed with the others were
left out (3.1.1, 3.2.1). Items may have gold under every rule: then answers are compared with it,
and what somebody missed is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import pyarrow as pa

from pipeline.annotation.qualification.agreement import (
    PilotAgreement,
    agreement_with_gold,
    agreement_with_others,
    right_answers,
)
from pipeline.contracts.pilot import Pilot
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count

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
    answers, reported = _answers(votes, round_), _reported(votes, round_)
    for worker in workers:
        answers.setdefault(worker, {})
    pilot, gold = spec.pilot, _gold(items, needed=spec.pilot.rule == "correct")
    right = {
        who: right_answers(labels, gold, task, pilot.likeness) for who, labels in answers.items()
    }
    if pilot.rule == "agreement" and gold:
        results = [
            _by_agreement(
                who, pilot, agreement, task, len(gold), len(reported.get(who, set()) & gold.keys())
            )
            for who, agreement in agreement_with_gold(answers, gold, task).items()
        ]
    elif pilot.rule == "agreement":
        agreed = agreement_with_others(answers, task)
        results = [_by_agreement(w, pilot, agreement, task) for w, agreement in agreed.items()]
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


def _reported(votes: pa.Table, round_: str | None) -> dict[str, set[str]]:
    """Return worker: items that were reported and not answered."""
    columns = ("annotator", "item", "round", "label", "report")
    reported = schemas.group(
        (who, item)
        for who, item, name, label, report in schemas.rows(votes, *columns)
        if report is not None and label is None and who is not None and round_ in (None, name)
    )
    return {who: set(items) for who, items in reported.items()}


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
    worker: str,
    pilot: Pilot,
    agreed: PilotAgreement,
    task: Task,
    gold: int = 0,
    reported: int = 0,
) -> Qualified:
    """Judge by agreement with the others, or with so many items with `gold`.

    Who reported more of these than the threshold leaves room for has failed.
    """
    needed, wanted = pilot.threshold or 0.0, min(pilot.items, gold or pilot.items)
    other, answers = (
        ("gold", "gold") if gold else ("the other workers", "the other workers' answers")
    )
    status: Status = "unfinished"
    if agreed.items + reported < wanted:
        reason = f"{agreed.items} of {count(wanted, 'item')} can be compared with {answers} so far"
    elif agreed.items < needed * wanted:
        status, reason = (
            "failed",
            f"reported {reported} of {count(wanted, 'item')} instead of answering",
        )
    elif agreed.value is None:
        status, reason = "failed" if agreed.flat else "unfinished", agreed.reason
    else:
        status = "passed" if agreed.value >= needed else "failed"
        measure = "Pearson's r with" if task.kind == "number" else "agreement with"
        reason = (
            f"{measure} {other} is {agreed.value:.2f} over {count(agreed.counted, 'item')};"
            f" {needed:.2f} is needed"
        )
    return Qualified(worker, status, agreed.items, wanted, agreed.value, needed, reason)
