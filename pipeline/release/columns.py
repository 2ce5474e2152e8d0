"""What the columns of a config are: their types, which of them betray the answer, both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example

Row = dict[str, Any]
TEXT: Final = pa.string()
TEXTS: Final = pa.list_(pa.string())
NUMBERS: Final = pa.list_(pa.int32())


@dataclass(frozen=True)
class Columns:
    """The columns of a config.

    `answer` are those that every labelled row has a value in; `betraying` are these and all others
    that tell the answer: null in a public test file. A dot leads into a list of structs. `row`
    makes the row of an example, with its label, and `back` the example of a row.
    """

    task: str
    schema: pa.Schema
    answer: tuple[str, ...]
    betraying: tuple[str, ...]
    row: Callable[[Example], Row]
    back: Callable[[Row], Example]


def schema(**columns: pa.DataType) -> pa.Schema:
    """Return a schema; `guid` and `source` are never null."""
    return pa.schema(
        [pa.field(name, kind, nullable=name not in _ALWAYS) for name, kind in columns.items()]
    )


def blanked(row: Row, paths: tuple[str, ...]) -> Row:
    """Return a row in which the columns at these paths are null."""
    made = dict(row)
    for path in paths:
        name, _, rest = path.partition(".")
        if rest and made[name] is not None:
            made[name] = [blanked(one, (rest,)) for one in made[name]]
        else:
            made[name] = None
    return made


def leaf(table: pa.Table, path: str) -> pa.ChunkedArray:
    """Return the values at a path, of all rows; a dot leads into a list of structs."""
    name, _, rest = path.partition(".")
    column = table.column(name)
    if not rest:
        return column
    inside = column.combine_chunks().flatten()
    return pa.chunked_array([inside.field(rest)])


_ALWAYS: Final = frozenset({"guid", "source"})
