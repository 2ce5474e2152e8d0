"""What a split rule promised, and how the splits fare."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from pipeline.report.record import Column, Section, Table

_TEXT: Final = "text"
#: Numbers below this are told with all their decimals: shares, and means.
_EXACT: Final = 10


def constraints_section(task: str, constraints: pa.Table) -> Section:
    """Return the constraints (CONSTRAINTS) of a task: those that do not hold first, then binding.

    Wanted and found count examples unless `detail` names another unit. Numbers of 10 and more are
    told to a tenth.
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
                *(_named(row), row["split"] or "all", *map(_round, (row["wanted"], row["found"]))),
                *("yes" if row["met"] else "no", "yes" if row["binds"] else None),
                row["detail"] or None,
            ]
            for row in order
        ],
        note="Wanted and found are numbers of examples where the remark names nothing else. What"
        " limits the size kept a split from becoming as large as the spec wants it.",
        long=True,
    )
    return Section(
        id=f"constraints-{task}",
        title="Constraints",
        lead=_lead(rows),
        tables=[table] if rows else (),
    )


def _named(row: dict[str, Any]) -> str:
    return str(row["name"]).replace("_", " ")


def _round(number: float) -> float:
    """Return a number as it is told: of 118.983 examples wanted, 119.0."""
    return round(number, 1) if abs(number) >= _EXACT else number


def _lead(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "These splits were not made by a rule of this project: nothing was promised."
    failed = sorted({_named(row) for row in rows if not row["met"]})
    binding = sorted({_named(row) for row in rows if row["binds"]})
    told = f"{sum(row['met'] for row in rows)} of {len(rows)} constraints hold"
    told += f"; these do not: {', '.join(failed)}" if failed else ""
    return told + (f". Sizes are limited by {', '.join(binding)}." if binding else ".")
