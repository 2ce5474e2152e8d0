"""What a split rule promised, and how the splits fare."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from pipeline.report.record import Column, Section, Table

_TEXT: Final = "text"


def constraints_section(task: str, constraints: pa.Table) -> Section:
    """Return the constraints (CONSTRAINTS) of a task: those that do not hold first, then binding.

    Wanted and found count examples unless `detail` names another unit; shares stay fractions.
    """
    rows = [row for row in constraints.to_pylist() if row["task"] == task]
    order = sorted(rows, key=lambda row: (row["met"], not row["binds"]))
    table = Table(
        id=f"constraints-{task}-all",
        title="Constraints of the split",
        columns=[
            *(Column("constraint", _TEXT), Column("split", _TEXT)),
            *(Column("wanted"), Column("found"), Column("holds", _TEXT)),
            *(Column("limits the size", _TEXT), Column("remark", _TEXT)),
        ],
        rows=[
            [
                *(row["name"], row["split"] or "all", row["wanted"], row["found"]),
                *("yes" if row["met"] else "no", "yes" if row["binds"] else None),
                row["detail"] or None,
            ]
            for row in order
        ],
        note="What limits the size kept a split from becoming as large as the spec wants it.",
        long=True,
    )
    return Section(
        id=f"constraints-{task}",
        title=f"Constraints, {task.upper()}",
        lead=_lead(rows),
        tables=[table] if rows else (),
    )


def _lead(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "These splits were not made by a rule of this project: nothing was promised."
    failed = sorted({row["name"] for row in rows if not row["met"]})
    binding = sorted({row["name"] for row in rows if row["binds"]})
    told = f"{sum(row['met'] for row in rows)} of {len(rows)} constraints hold"
    told += f"; these do not: {', '.join(failed)}" if failed else ""
    return told + (f". Sizes are limited by {', '.join(binding)}." if binding else ".")
