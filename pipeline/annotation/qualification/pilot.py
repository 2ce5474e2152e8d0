"""Pilots: each worker's agreement with the others, and written answers under review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.annotation.batches.assignment import ORIGIN
from pipeline.annotation.batches.batch import Batch
from pipeline.contracts.spec import Round
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.jsontext import canonical, parsed

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
    found = {}
    for worker in answers:
        pairs = [
            (answers[worker][item], [a for other, a in by_item[item].items() if other != worker])
            for item in sorted(answers[worker])
            if len(by_item[item]) > 1
        ]
        found[worker] = _agreed(pairs, task)
    return found


def _agreed(pairs: list[tuple[Any, list[Any]]], task: Task) -> PilotAgreement:
    if not pairs:
        return PilotAgreement(0, 0, None, "no item was answered by another worker too")
    if task.kind == "number":
        return _pearson([(task.view(a), [task.view(o) for o in others]) for a, others in pairs])
    if task.kind == "category":
        return _share([(task.view(a), [task.view(o) for o in others]) for a, others in pairs])
    likeness = [np.mean([_usual(task, mine, other) for other in others]) for mine, others in pairs]
    return PilotAgreement(len(pairs), len(pairs), float(np.mean(likeness)))


def _pearson(pairs: Sequence[tuple[float, list[float]]]) -> PilotAgreement:
    mine = np.array([value for value, _ in pairs], np.float64)
    rest = np.array([np.mean(others) for _, others in pairs], np.float64)
    if np.ptp(mine) == 0:
        told = f"gave the same number {len(pairs)} times, which agrees with nothing"
        return PilotAgreement(len(pairs), 0, None, told, flat=True)
    if np.ptp(rest) == 0:
        told = "the others' means are all the same, so that no correlation can be told"
        return PilotAgreement(len(pairs), 0, None, told)
    return PilotAgreement(len(pairs), len(pairs), float(np.corrcoef(mine, rest)[0, 1]))


def _share(pairs: Sequence[tuple[Any, list[Any]]]) -> PilotAgreement:
    equal = [mine == top for mine, others in pairs if (top := _most(others)) is not None]
    if not equal:
        return PilotAgreement(
            len(pairs), 0, None, "the other workers' answers are tied on every item"
        )
    return PilotAgreement(len(pairs), len(equal), sum(equal) / len(equal))


def _most(values: list[Any]) -> Any:
    """Return the most frequent value, or None for a tie."""
    (first, most), *rest = Counter(values).most_common(2)
    return None if rest and rest[0][1] == most else first


def _usual(task: Task, left: Any, right: Any) -> float:
    return next(iter(task.compare(left, right).values()))


#: The key of an item's `meta` that names whose answer it shows; reviewers never see it.
WORKER: Final = "worker"


def review_items(
    items: pa.Table, votes: pa.Table, round_: Round
) -> tuple[pa.Table, dict[str, Any]]:
    """Return one item for every answer that a round of verdicts judges, and what each shows.

    An item's id is that of the one answered, with the worker's number among those who answered it.
    """
    names = ("item", "annotator", "round", "attempt", "label")
    columns = (votes.column(name).to_pylist() for name in names)
    answers: dict[str, dict[str, str]] = {}
    for item, who, name, attempt, label in zip(*columns, strict=True):
        if name == round_.after and attempt == 1 and who is not None and label is not None:
            answers.setdefault(item, {})[who] = label
    rows: list[dict[str, object]] = []
    shown: dict[str, Any] = {}
    for row in items.to_pylist():
        for number, (who, label) in enumerate(sorted(answers.get(row["item"], {}).items()), 1):
            made = {**row, "item": f"{row['item']}.{number}", "gold": None}
            rows.append(made | {"meta": canonical({ORIGIN: row["item"], WORKER: who})})
            shown[str(made["item"])] = parsed(label)
    return schemas.build("items", rows), shown


def reviews(reviewed: Iterable[Batch]) -> dict[tuple[str, str], bool]:
    """Return by worker and item whether all who reviewed the answer accepted it."""
    found: dict[tuple[str, str], bool] = {}
    for batch in reviewed:
        pairs = zip(*(batch.items.column(n).to_pylist() for n in ("item", "meta")), strict=True)
        about = {item: parsed(meta) for item, meta in pairs if meta}
        columns = (batch.votes.column(n).to_pylist() for n in ("item", "round", "label"))
        for item, round_, label in zip(*columns, strict=True):
            meta = about.get(item, {})
            if round_ == batch.card.round and label is not None and WORKER in meta:
                key = meta[WORKER], meta[ORIGIN]
                found[key] = found.get(key, True) and parsed(label)["verdict"] == "accept"
    return found
