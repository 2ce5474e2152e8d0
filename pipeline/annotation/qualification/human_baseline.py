"""Items for measuring people (Tables 7 and 21): drawn from the gold, without a trace of labels.

The paper asked four people about 100 pairs (NLI, Section 3.3.1) and three about 1,000 questions
(MRC, Section 3.7.3), none of whom had taken part in the annotation of NLI.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.card import folder_of, list_batches
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.store import read_table


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
            f"{n} items were asked for and {len(names)} are there; give a number from 1 to that"
        )
    drawn = sorted(names, key=lambda item: (draw(seed, "human_baseline", item), item))[:n]
    mask = pc.is_in(items.column("item"), value_set=pa.array(drawn, pa.string()))
    rows = [
        {
            "item": row["item"],
            "task": row["task"],
            "fields": canonical(_shown(row, task)),
        }
        for row in items.filter(mask).sort_by("item").to_pylist()
    ]
    return schemas.build("items", rows)


def require_fresh(work: Path, task: str, annotators: Collection[str]) -> None:
    """Raise InputError for annotators who answered, or were given, another batch of the task."""
    seen: set[str] = set()
    for card in list_batches(work, task):
        if card.kind == "baseline":
            continue
        seen.update(card.annotators)
        votes = read_table(folder_of(work, task, card.name) / "votes.parquet", "votes")
        seen.update(pc.unique(votes.column("annotator")).to_pylist())
    known = sorted(seen.intersection(annotators))
    if known:
        raise InputError(
            f"{', '.join(known[:5])} took part in the annotation of {task}; a human baseline needs"
            " people who did not (Section 3.3.1)"
        )


def _shown(row: dict[str, Any], task: Task) -> dict[str, object]:
    fields = parsed(row["fields"])
    shown = {name: fields[name] for name in task.fields if name in fields}
    gold = parsed(row["gold"]) if row["gold"] else None
    if isinstance(gold, dict) and "question" in gold:
        shown["question"] = gold["question"]
    if isinstance(gold, dict) and "turns" in gold:
        shown["turns"] = [{key: turn[key] for key in ("role", "text")} for turn in gold["turns"]]
    return shown
