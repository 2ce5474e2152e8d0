"""Tables of items and examples, as the files that the commands read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from klue_rebuild.scratch import Scratch
from klue_rebuild.tables import Data, arrow_table, column_names, held, is_place

if TYPE_CHECKING:
    import pyarrow as pa


def items_file(place: Scratch, items: Data, name: str) -> Path:
    """Return the file of items: their own, or a line an item of a table.

    A table has `item` (a unique text) and the task's fields as columns, or as one of objects,
    `fields`; with `gold` the answers. Tables of the project itself (ITEMS: JSON in columns) are
    taken as they are.
    """
    items = held(items, name)
    if is_place(items):
        return Path(items)
    from pipeline.core import schemas

    if set(column_names(items, name)) == set(schemas.ITEMS.names):
        return place.table(conformed(arrow_table(items, name), schemas.ITEMS), name)
    return place.file(items, name, form="jsonl")


def gold_file(place: Scratch, gold: Data, task: str) -> Path:
    """Return the file of a gold: of a table, examples of `split`, of a release, or items."""
    gold = held(gold, "gold")
    if is_place(gold):
        return Path(gold)
    from pipeline.contracts.registry import task_of
    from pipeline.core import schemas
    from pipeline.release.tables import COLUMNS

    names = column_names(gold, "gold")
    columns = COLUMNS[task_of(task).id]
    released = {frozenset(columns.schema.names), *map(frozenset, columns.former)}
    if set(schemas.EXAMPLES.names) <= set(names):
        return place.table(conformed(arrow_table(gold, "gold"), schemas.EXAMPLES), "gold")
    if frozenset(names) in released:
        table = arrow_table(gold, "gold")
        return place.table(conformed(table, columns.schema_like(table.schema)), "gold")
    return items_file(place, gold, "gold")


def conformed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the columns of a schema with its types; a frame gave them as its own.

    Raises InputError for a column whose values do not have that type.
    """
    import pyarrow as pa

    from pipeline.core.errors import InputError

    arrays = []
    for field in schema:
        try:
            column = table.column(field.name)
            is_empty = column.null_count == len(column)  # a frame has lost what type it was
            nulls = pa.chunked_array([pa.nulls(len(column), field.type)])
            arrays.append(nulls if is_empty else column.cast(field.type))
        except (pa.ArrowException, KeyError):
            raise InputError(
                f"column {field.name!r}: is missing or not {field.type}; give it as it was read"
            ) from None
    return pa.table(arrays, schema=schema)
