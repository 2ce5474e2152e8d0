"""Vote tables in a line, for the tests of the audit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from pipeline.core import schemas
from pipeline.core.jsontext import canonical

#: (item, annotator, label), and optionally more columns.
Row = tuple[str, str | None, Any] | tuple[str, str | None, Any, dict[str, Any]]


def table(rows: Iterable[Row], *, task: str = "tc", **common: Any) -> pa.Table:
    """Return votes of role annotator in round main, unless the row says otherwise."""
    made = []
    for item, annotator, label, *more in rows:
        row = {
            "item": item,
            "annotator": annotator,
            "label": None if label is None else canonical(label),
            "task": task,
            "role": "annotator",
            "round": "main",
            "attempt": 1,
            "simulated": False,
        }
        made.append({**row, **common, **(more[0] if more else {})})
    return schemas.build("votes", made)


def grid(columns: dict[str, list[Any]], **options: Any) -> pa.Table:
    """Return votes of a matrix: a list of answers a person, None where there is none."""
    return table(
        [
            (f"i{place:03d}", name, label)
            for name, labels in columns.items()
            for place, label in enumerate(labels)
            if label is not None
        ],
        **options,
    )
