"""Tables of examples from a few invented ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from pipeline.core import schemas
from pipeline.core.jsontext import canonical
from pipeline.report.record import Table


def examples(task: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return EXAMPLES; a row needs `split`, `fields` and `label`, and may have other columns."""
    return schemas.build("examples", [_row(task, at, dict(row)) for at, row in enumerate(rows)])


def _row(task: str, at: int, row: dict[str, Any]) -> dict[str, Any]:
    name = f"{task}-{at:04}"
    texts = {key: canonical(row[key]) for key in ("fields", "label", "meta") if key in row}
    known = {"id": name, "task": task, "source": "airbnb", "group": name, "documents": []}
    return {**known, "simulated": False, "kept": False, **row, **texts}


def votes(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return VOTES on NLI pairs; a row needs `item`, `role` and `label`."""
    base = {"task": "nli", "round": "validate", "attempt": 1, "simulated": False}
    return schemas.build(
        "votes", [{**base, **row, "label": canonical(row["label"])} for row in rows]
    )


def cells(table: Table, printed: bool = False) -> dict[str, dict[str, Any]]:
    """Return the rows of a table by their first cell, each by the titles of the columns."""
    rows = (table.published or []) if printed else table.rows
    names = [column.name for column in table.columns]
    return {str(row[0]): dict(zip(names, row, strict=True)) for row in rows if row is not None}
