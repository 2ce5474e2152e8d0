"""Written answers of a pilot under review: each worker's apart, and what the reviewers said.

Three tasks qualify their workers by answers that an expert accepts (MRC: 15 question-answer pairs,
Section 3.7.1). Every worker of a pilot answers every item; an item for review is one answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.batches.assignment import ORIGIN
from pipeline.annotation.batches.batch import Batch
from pipeline.contracts.spec import Round
from pipeline.core import schemas
from pipeline.core.jsontext import canonical, parsed

#: The key of an item's `meta` that names whose answer it shows; reviewers never see it.
WORKER: Final = "worker"


def apart(items: pa.Table, votes: pa.Table, round_: Round) -> tuple[pa.Table, dict[str, Any]]:
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
