"""The column `soft_label` of a release: what the votes on an example say, to learn from them.

One label or several: the share of votes for each, or its probability under a model of annotators,
in the order of the classes of the column of labels, or else of the spec. Scores: mean, population
standard deviation and number of votes. It is null where the votes are not known, and in a public
test file. It stands behind all other columns; releases made before it have none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Kind
from pipeline.release.tables import Columns, Row

#: The column, and the key of the meta of an example in the table EXAMPLES.
SOFT_LABEL: Final = "soft_label"
_SHARES: Final = pa.list_(pa.float64())
#: The type of the column by the kind in which answers are compared.
_TYPES: Final[Mapping[str, pa.DataType]] = {
    "category": _SHARES,
    "labels": _SHARES,
    "number": pa.struct(
        [("mean", pa.float64()), ("standard_deviation", pa.float64()), ("n", pa.int32())]
    ),
}


def with_soft_label(columns: Columns, kind: Kind) -> Columns:
    """Return the columns of a task with that of soft labels, if its kind of answers has them."""
    if kind not in _TYPES:
        return columns

    def to_row(example: Example) -> Row:
        return {**columns.to_row(example), SOFT_LABEL: example.soft_label}

    def from_row(row: Row) -> Example:
        return replace(columns.from_row(row), soft_label=row.get(SOFT_LABEL))

    return replace(
        columns,
        schema=columns.schema.append(pa.field(SOFT_LABEL, _TYPES[kind])),
        former=(tuple(columns.schema.names), *columns.former),
        hidden_in_test=(*columns.hidden_in_test, SOFT_LABEL),
        to_row=to_row,
        from_row=from_row,
    )


def label_order(columns: Columns, spec: TaskSpec) -> Sequence[str]:
    """Return the labels in the order of soft labels; none where these are of scores."""
    field = columns.schema.field(SOFT_LABEL) if SOFT_LABEL in columns.schema.names else None
    if field is None or not pa.types.is_list(field.type):
        return ()
    return tuple(columns.classes(spec).get("label", spec.ids()))


def soft_value(soft_label: Mapping[str, float] | None, order: Sequence[str]) -> Any:
    """Return a soft label of gold as a release has it: the shares in order, or those of scores."""
    if soft_label is None or not order:
        return soft_label
    return [float(soft_label.get(label, 0.0)) for label in order]


def soft_fault(value: Any, *, labels: int, sums_to_one: bool) -> str | None:
    """Return what is wrong with the soft label of a row; None if nothing is, or it has none."""
    if not isinstance(value, list):
        return None
    if len(value) != labels or not all(0 <= share <= 1 for share in value):
        return f"has a soft label that is not {labels} shares from 0 to 1"
    if sums_to_one and not math.isclose(sum(value), 1, abs_tol=1e-6):
        return "has a soft label whose shares do not sum to 1"
    return None
