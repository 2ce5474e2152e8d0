"""How annotators answer the control items of batches: overall, and in the course of their work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.batches.batch import Batch
from pipeline.annotation.batches.control import KNOWN_ITEM
from pipeline.annotation.qualification.agreement import right_answers
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.jsontext import parsed

#: The 97.5 percentile of the normal distribution: intervals are of 95 %.
_Z: Final = 1.959963984540054
#: The parts of an annotator's course.
PARTS: Final = ("first_third", "middle_third", "last_third")


@dataclass(frozen=True)
class _Answer:
    """An annotator's answer to a control item; `at` is in ISO 8601, `place` that in the queue."""

    item: str
    right: bool
    at: str | None
    place: tuple[str, int]


def control_record(batches: Iterable[Batch], task: Task) -> dict[str, Any] | None:
    """Return the scores of all annotators on control items, or None where there are none.

    `assigned`, `answered` and `reported` count answers wanted, answers given, and items that were
    reported instead. `annotators` has for each of them `assigned`, `n` answers, `right` ones, their
    `share` with the 95 % interval of Wilson (1927), the same for each third of the course, and the
    `answers` in their order: by the time `at` where all votes have it, else by place in the queue.
    An answer is right as in a pilot. Only the first answer to an item that was given to the
    annotator counts.
    """
    given: Counter[str] = Counter()
    reported: Counter[str] = Counter()
    answers: dict[str, list[_Answer]] = {}
    for batch in batches:
        control = batch.control
        given.update(control.assignments.column("annotator").to_pylist())
        reported.update(_reporters(control.votes))
        for who, answer in _answers(batch, task):
            answers.setdefault(who, []).append(answer)
    if not given:
        return None
    people = {
        who: {
            "assigned": given[who],
            "reported": reported[who],
            **_course(answers.get(who, [])),
        }
        for who in sorted(given)
    }
    return {
        "assigned": given.total(),
        "answered": sum(map(len, answers.values())),
        "reported": reported.total(),
        "annotators": people,
    }


def _answers(batch: Batch, task: Task) -> Iterator[tuple[str, _Answer]]:
    """Yield the first answers of a batch's annotators to the control items that each was given."""
    card, control = batch.card, batch.control
    facts = {
        item: (parsed(gold), parsed(meta)[KNOWN_ITEM])
        for item, gold, meta in schemas.rows(control.items, "item", "gold", "meta")
    }
    places = {
        (who, item): place
        for who, item, place in schemas.rows(control.assignments, "annotator", "item", "ordinal")
    }
    columns = ("annotator", "item", "round", "attempt", "label", "at")
    for who, item, round_, attempt, label, at in schemas.rows(control.votes, *columns):
        is_asked = (round_, attempt) == (card.round, card.attempt) and (who, item) in places
        if label is None or not is_asked:
            continue
        gold, known = facts[item]
        right = right_answers({item: parsed(label)}, {item: gold}, task, card.control_likeness)
        time = at.isoformat() if at is not None else None
        yield who, _Answer(known, right[item], time, (card.name, places[who, item]))


def _reporters(votes: pa.Table) -> Iterator[str]:
    """Yield an annotator for every control item that they reported and did not answer."""
    columns = ("annotator", "item", "label", "report")
    rows = list(schemas.rows(votes, *columns))
    answered = {(who, item) for who, item, label, _ in rows if label is not None}
    reported = {(who, item) for who, item, _, report in rows if report is not None}
    yield from (who for who, _ in sorted(reported - answered))


def _course(answers: Sequence[_Answer]) -> dict[str, Any]:
    timed = all(answer.at is not None for answer in answers)
    ordered = sorted(answers, key=lambda a: (a.at or "" if timed else "", a.place))
    cuts = [round(len(ordered) * n / len(PARTS)) for n in range(len(PARTS) + 1)]
    parts = {
        name: _score(ordered[start:end])
        for name, start, end in zip(PARTS, cuts, cuts[1:], strict=False)
    }
    return {
        **_score(ordered),
        **parts,
        "order": "at" if timed else "queue",
        "answers": [{"item": a.item, "right": a.right, "at": a.at} for a in ordered],
    }


def _score(answers: Sequence[_Answer]) -> dict[str, Any]:
    n, right = len(answers), sum(answer.right for answer in answers)
    low, high = wilson(right, n)
    return {
        "n": n,
        "right": right,
        "share": round(right / n, 6) if n else None,
        "low": low,
        "high": high,
    }


def wilson(right: int, n: int) -> tuple[float | None, float | None]:
    """Return the 95 % score interval of a share (Wilson 1927); no answers have none."""
    if not n:
        return None, None
    share, z = right / n, _Z
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return round(max(0.0, middle - half), 6), round(min(1.0, middle + half), 6)
