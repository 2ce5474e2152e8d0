"""Items of pilots under review, and of human baselines (Tables 7 and 21).

The paper asked four people about 100 pairs (NLI, Section 3.3.1) and three about 1,000 questions
(MRC, Section 3.7.3), none of whom had taken part in the annotation of NLI.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.batches.assignment import ORIGIN
from pipeline.annotation.batches.batch import Batch, read_where
from pipeline.contracts.decisions import verdict_of
from pipeline.contracts.spec import Round
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.wording import count, verb

#: The key of an item's `meta` that names whose answer it shows; reviewers never see it.
WORKER: Final = "worker"


def review_items(
    items: pa.Table, votes: pa.Table, round_: Round
) -> tuple[pa.Table, dict[str, Any]]:
    """Return one item for every answer that a round of verdicts judges, and what each shows.

    An item's id is that of the one answered, with the worker's number among those who answered it.
    """
    columns = ("item", "annotator", "round", "attempt", "label")
    answers = schemas.group(
        (item, (who, label))
        for item, who, name, attempt, label in schemas.rows(votes, *columns)
        if name == round_.after and attempt == 1 and who is not None and label is not None
    )
    rows: list[dict[str, object]] = []
    earlier: dict[str, Any] = {}
    for row in items.to_pylist():
        by_worker = dict(answers.get(row["item"], ()))
        for number, (who, label) in enumerate(sorted(by_worker.items()), 1):
            name = f"{row['item']}.{number}"
            meta = canonical({ORIGIN: row["item"], WORKER: who})
            rows.append({**row, "item": name, "gold": None, "meta": meta})
            earlier[name] = parsed(label)
    return schemas.build("items", rows), earlier


def reviews(reviewed: Iterable[Batch]) -> dict[tuple[str, str], bool]:
    """Return by worker and item whether all who reviewed the answer accepted it."""
    accepted: dict[tuple[str, str], bool] = {}
    for batch in reviewed:
        rows = schemas.rows(batch.items, "item", "meta")
        about = {item: parsed(meta) for item, meta in rows if meta}
        for item, round_, label in schemas.rows(batch.votes, "item", "round", "label"):
            meta = about.get(item, {})
            if round_ == batch.card.round and label is not None and WORKER in meta:
                key = meta[WORKER], meta[ORIGIN]
                accepted[key] = accepted.get(key, True) and verdict_of(parsed(label)) == "accept"
    return accepted


def human_baseline(items: pa.Table, n: int, *, task: Task, seed: int) -> pa.Table:
    """Draw `n` of the items, keyed by their ids; returns them by id, as annotators may see them.

    What may tell a label is left out: `gold`, `meta`, `source`, `sampler`, and fields that the task
    does not ask for. Where people are asked about what an author wrote, that part of `gold` joins
    the fields: the `question` of a reading, the `turns` of a dialogue without their states. Raises
    InputError when there are fewer than `n` items.
    """
    names = items.column("item").to_pylist()
    if not 1 <= n <= len(names):
        raise InputError(
            f"{count(n, 'item')} {verb(n, 'was', 'were')} asked for and {len(names):,}"
            f" {verb(len(names), 'is', 'are')} there; give a number from 1 to that"
        )
    sample = set(sorted(names, key=lambda i: (draw(seed, "human_baseline", i), i))[:n])
    rows: list[dict[str, object]] = [
        {"item": row["item"], "task": row["task"], "fields": canonical(_fields(row, task))}
        for row in items.sort_by("item").to_pylist()
        if row["item"] in sample
    ]
    return schemas.build("items", rows)


def require_fresh(work: Path, task: str, annotators: Collection[str]) -> None:
    """Raise InputError for annotators who answered, or were given, another batch of the task."""
    seen: set[str] = set()
    for batch in read_where(work, task, lambda card: card.kind != "baseline"):
        seen.update(batch.card.annotators, batch.votes.column("annotator").to_pylist())
    known = sorted(seen.intersection(annotators))
    if known:
        raise InputError(
            f"{', '.join(known[:5])} took part in the annotation of {task}; a human baseline needs"
            " people who did not (Section 3.3.1)"
        )


def _fields(row: dict[str, Any], task: Task) -> dict[str, object]:
    fields = {key: value for key, value in parsed(row["fields"]).items() if key in task.fields}
    gold = parsed(row["gold"]) if row["gold"] else None
    if isinstance(gold, dict) and "question" in gold:
        fields["question"] = gold["question"]
    if isinstance(gold, dict) and "turns" in gold:
        fields["turns"] = [{key: turn[key] for key in ("role", "text")} for turn in gold["turns"]]
    return fields
