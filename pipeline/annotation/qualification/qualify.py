"""Who may take part: the pilot's rule of a spec, worker by worker, with the reason in words.

The paper: RE workers answered at least 4 of 5 questions right (Section 3.5.1), MRC workers wrote 15
question-answer pairs (3.7.1), and TC, STS and NLI workers who often disagreed with the others were
left out (3.1.1, 3.2.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import pyarrow as pa

from pipeline.annotation.qualification.pilot import PilotAgreement, agreement_with_others
from pipeline.contracts.spec import Pilot, TaskSpec
from pipeline.contracts.task import Task
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
    is none, and `reason` says why.
    """

    annotator: str
    status: Status
    done: int
    items: int
    score: float | None
    needed: float
    reason: str


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

    `items` hold the gold that the rule `correct` needs. `reviews` are for the rule `reviewed`; if
    absent, the verdicts among the votes are. `workers` names those who were given items and may
    have answered none; `round_` is the round of the pilot, if there are votes of others. Only first
    answers count, and a report is no answer. Raises InputError when gold is missing.
    """
    answers = _answers(votes, round_)
    for worker in workers:
        answers.setdefault(worker, {})
    pilot = spec.pilot
    if pilot.rule == "agreement":
        agreed = agreement_with_others({w: _values(a) for w, a in answers.items()}, task)
        found = {w: _by_agreement(w, pilot, one, task) for w, one in agreed.items()}
    elif pilot.rule == "correct":
        right = _right(answers, _gold(items), task)
        found = {w: _by_count(w, pilot, marks, "gold items", "right") for w, marks in right.items()}
    else:
        reviews = verdicts(votes) if reviews is None else reviews
        marks = {w: [m for (who, _), m in sorted(reviews.items()) if who == w] for w in answers}
        found = {w: _by_count(w, pilot, m, "answers", "accepted") for w, m in marks.items()}
    return [found[worker] for worker in sorted(found)]


def verdicts(votes: pa.Table) -> dict[tuple[str, str], bool]:
    """Return which answers the reviewers accepted: all who judged one must have.

    A verdict is about the one who answered its item; where several did, its `seat` names whom it is
    about. Raises InputError where it does not.
    """
    writers: dict[str, set[str]] = {}
    columns = (votes.column(name).to_pylist() for name in ("item", "annotator", "role"))
    for item, who, role in zip(*columns, strict=True):
        if role not in _JUDGES and who is not None:
            writers.setdefault(item, set()).add(who)
    found: dict[tuple[str, str], bool] = {}
    for row in votes.to_pylist():
        label = parsed(row["label"]) if row["label"] and row["role"] in _JUDGES else None
        if not isinstance(label, dict) or "verdict" not in label:
            continue
        key = _judged(row, writers.get(row["item"], set())), row["item"]
        found[key] = found.get(key, True) and label["verdict"] == "accept"
    return found


def _judged(row: Mapping[str, Any], writers: set[str]) -> str:
    if row["seat"] in writers:
        return str(row["seat"])
    if len(writers) == 1 and row["seat"] is None:
        return next(iter(writers))
    raise InputError(
        f"a verdict on item {row['item']} does not say whose answer it is about: {len(writers)}"
        " workers answered it; name the worker as the verdict's `seat`"
    )


def _answers(votes: pa.Table, round_: str | None) -> dict[str, dict[str, tuple[int, str]]]:
    """Return worker: item: (attempt, label), first attempts of those who are no reviewers."""
    found: dict[str, dict[str, tuple[int, str]]] = {}
    names = ("annotator", "item", "attempt", "label", "role", "round")
    columns = (votes.column(name).to_pylist() for name in names)
    for who, item, attempt, label, role, name in zip(*columns, strict=True):
        if who is None or role in _JUDGES or round_ not in (None, name):
            continue
        mine = found.setdefault(who, {})
        if label is not None:
            mine[item] = min(mine.get(item, (attempt, label)), (attempt, label))
    return found


def _values(answers: Mapping[str, tuple[int, str]]) -> dict[str, Any]:
    return {item: parsed(label) for item, (_, label) in answers.items()}


def _gold(items: pa.Table | None) -> dict[str, Any]:
    if items is None:
        raise InputError("the rule of this pilot counts right answers; give its items with `gold`")
    pairs = zip(items.column("item").to_pylist(), items.column("gold").to_pylist(), strict=True)
    gold = {item: parsed(label) for item, label in pairs if label is not None}
    if not gold:
        raise InputError("none of the pilot's items has a `gold`, so nobody can be judged; add it")
    return gold


def _right(
    answers: Mapping[str, Mapping[str, tuple[int, str]]], gold: Mapping[str, Any], task: Task
) -> dict[str, list[bool]]:
    return {
        who: [
            _same(task, value, gold[item])
            for item, value in sorted(_values(mine).items())
            if item in gold
        ]
        for who, mine in answers.items()
    }


def _same(task: Task, left: Any, right: Any) -> bool:
    """Tell whether the task's usual comparison finds two answers equal."""
    if left == right:
        return True
    return next(iter(task.compare(left, right).values())) == 1


def _by_count(worker: str, pilot: Pilot, marks: list[bool], what: str, good: str) -> Qualified:
    """Judge by good ones out of `items`; with more than that, by the same share of them."""
    needed, done, count = pilot.needed or 0, len(marks), sum(marks)
    told = f"{count} of {done} {what} {good}; {needed} of {pilot.items} are needed"
    status: Status
    if done < pilot.items:
        lost = done - count > pilot.items - needed
        status = "passed" if count >= needed else "failed" if lost else "unfinished"
        told += f", {pilot.items - done} are still open"
    else:
        status = "passed" if count * pilot.items >= needed * done else "failed"
    return Qualified(worker, status, done, pilot.items, float(count), float(needed), told)


def _by_agreement(worker: str, pilot: Pilot, agreed: PilotAgreement, task: Task) -> Qualified:
    needed, of = pilot.threshold or 0.0, pilot.items
    if agreed.items < of:
        told = (
            f"{agreed.items} of {of} items can be compared with the other workers' answers so far"
        )
        return Qualified(worker, "unfinished", agreed.items, of, agreed.value, needed, told)
    if agreed.value is None:
        status: Status = "failed" if agreed.flat else "unfinished"
        return Qualified(worker, status, agreed.items, of, None, needed, agreed.reason)
    what = "Pearson's r with" if task.kind == "number" else "agreement with"
    told = f"{what} the other workers is {agreed.value:.2f} over {agreed.counted} items"
    told += f"; {needed:.2f} is needed"
    status = "passed" if agreed.value >= needed else "failed"
    return Qualified(worker, status, agreed.items, of, agreed.value, needed, told)
