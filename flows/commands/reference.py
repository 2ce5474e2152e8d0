"""`klue audit --check`: values beside those of the packages of the extra `reference`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

import pyarrow as pa

from pipeline.agreement.reference import compare_alphas
from pipeline.agreement.votes.selection import Selection
from pipeline.contracts.reference import REFERENCES, Comparison
from pipeline.contracts.task import Task
from pipeline.core.errors import MissingDependencyError
from pipeline.core.extras import install_command
from pipeline.core.jsontext import parsed

Row = dict[str, Any]
_PACKAGES: Final = ("krippendorff", "rouge-score")


def require_packages() -> None:
    """Raise MissingDependencyError without a package of the extra; loads none."""
    for name in _PACKAGES:
        if find_spec(name.replace("-", "_")) is None:
            raise MissingDependencyError(name, install_command("reference"))


def compare(
    selection: Selection, coefficients: dict[str, Any], task: Task | None, items: pa.Table | None
) -> list[Row]:
    """Compare coefficients of votes on a scale, and what the evidence of items says.

    Returns a row for each coefficient and for each value of evidence: of the latter the item that
    differs most, with how many items have it.
    """
    rows = []
    if selection.kind in ("category", "number"):
        alphas = compare_alphas(selection.ratings, coefficients)
        rows += [_row(comparison) for comparison in alphas]
    if task is not None and items is not None and task.id in REFERENCES:
        of_items: dict[str, list[Comparison]] = {}
        for comparison in _of_items(task, items):
            of_items.setdefault(comparison.name, []).append(comparison)
        for compared in of_items.values():
            worst = max(compared, key=lambda c: abs(c.ours - (c.theirs or 0)))
            differing = sum(not comparison.agrees for comparison in compared)
            rows.append(_row(worst) | {"items": len(compared), "differing": differing})
    return rows


def _of_items(task: Task, items: pa.Table) -> Iterator[Comparison]:
    reference = REFERENCES[task.id]
    for row in items.to_pylist():
        meta = parsed(row["meta"]) if row["meta"] is not None else None
        comparison = reference(parsed(row["fields"]), meta) if isinstance(meta, dict) else None
        if comparison is not None:
            yield comparison


def _row(comparison: Comparison) -> Row:
    theirs = comparison.theirs
    return {
        "value": comparison.name,
        "package": f"{comparison.package} {version(comparison.package)}",
        "ours": comparison.ours,
        "theirs": theirs,
        "difference": None if theirs is None else abs(comparison.ours - theirs),
        "agrees": comparison.agrees,
        "reason": comparison.reason,
    }
