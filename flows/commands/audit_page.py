"""The page of an audit, and the files beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.votes import Loaded
from pipeline.agreement.items import items_table
from pipeline.contracts.task import Task
from pipeline.core import store

#: A page shows the texts of so many items, the most disputed first.
TEXTS: Final = 2_000
#: So many characters of each.
LONGEST: Final = 600


def write_page(record: dict[str, Any], loaded: Loaded, folder: Path, task: Task | None) -> None:
    """Write index.html, audit.json without `per_item`, and items.parquet to a folder."""
    from pipeline.report.audit_page import page

    folder.mkdir(parents=True, exist_ok=True)
    rows = record["per_item"]
    store.write_json(folder / "audit.json", {k: v for k, v in record.items() if v is not rows})
    store.write_parquet(folder / "items.parquet", items_table(record))
    html = page({**record, "per_item": list(_with_texts(rows, loaded.items, task))})
    store.write_text(folder / "index.html", html)


def _with_texts(
    rows: list[dict[str, Any]], items: pa.Table | None, task: Task | None
) -> Iterator[dict[str, Any]]:
    """Add to the most disputed items what annotators saw, personal data redacted.

    `text_exact` says that offsets of spans point into the text as it is shown.
    """
    if items is None or task is None:
        yield from rows
        return
    texts = _texts([row["item"] for row in rows[:TEXTS]], items, task)
    for row in rows:
        yield {**row, **texts[row["item"]]} if row["item"] in texts else row


def _texts(wanted: list[str], items: pa.Table, task: Task) -> dict[str, dict[str, Any]]:
    from pipeline.pii.actions import redact
    from pipeline.pii.detect import detect

    fields = dict(zip(items["item"].to_pylist(), items["fields"].to_pylist(), strict=True))
    originals = {}
    for item in (item for item in wanted if item in fields):
        values = json.loads(fields[item])
        parts = (values.get(key) for key in task.fields)
        originals[item] = "\n".join(part for part in parts if isinstance(part, str))
    texts = pa.array((text[:LONGEST] for text in originals.values()), pa.string())
    safe = redact(texts, detect(texts)).to_pylist()
    alone = len(task.fields) == 1  # offsets point into one field
    return {
        item: {"text": safe_text, "text_exact": alone and safe_text == text}
        for (item, text), safe_text in zip(originals.items(), safe, strict=True)
    }
