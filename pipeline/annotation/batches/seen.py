"""What annotators were given before, so that a control item never comes to anybody twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from pipeline.annotation.batches.batch import Batch, Plan, list_batches, read
from pipeline.annotation.batches.control import text_of
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import StoreError


def seen_by(folder: Path, task: Task) -> dict[str, set[str]]:
    """Return by annotator the texts of all items given or answered in a task's folder."""
    seen: dict[str, set[str]] = {}
    for batch in _batches(folder):
        for items, *tables in (
            (batch.items, batch.assignments, batch.votes),
            (batch.control.items, batch.control.assignments),
        ):
            for who, text in _texts(items, tables, task):
                seen.setdefault(who, set()).add(text)
    return seen


def require_unseen(folder: Path, items: pa.Table, plan: Plan, task: Task) -> None:
    """Raise StoreError for a pilot whose items its annotators know as control items."""
    texts = {text_of(fields, task) for fields in items.column("fields").to_pylist()}
    for batch in _batches(folder):
        control = batch.control
        for who, text in _texts(control.items, [control.assignments], task):
            if who in plan.annotators and text in texts:
                raise StoreError(
                    f"pilot {plan.name}: {who} was given one of its items as a control item of"
                    f" batch {batch.card.name}; a pilot needs items that its annotators have not"
                    " seen"
                )


def _batches(folder: Path) -> Iterator[Batch]:
    for card in list_batches(folder.parents[1], folder.name):
        yield read(folder / card.name)


def _texts(items: pa.Table, tables: list[pa.Table], task: Task) -> Iterator[tuple[str, str]]:
    texts = {item: text_of(fields, task) for item, fields in schemas.rows(items, "item", "fields")}
    for table in tables:
        for who, item in schemas.rows(table, "annotator", "item"):
            if who is not None and item in texts:
                yield who, texts[item]
