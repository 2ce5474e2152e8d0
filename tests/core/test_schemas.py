"""The check at the store's door lists every failure of a table."""

from __future__ import annotations

import pyarrow as pa
import pytest

from pipeline.core import schemas
from pipeline.core.errors import SchemaError


def test_every_failure_is_listed() -> None:
    table = pa.table(
        {
            "unit": ["a", None],
            "source": ["s", "s"],
            "stage": [1, 2],
            "rule": ["r", "r"],
            "reason": ["", ""],
            "score": pa.array([0.5, None], pa.float64()),
            "file": pa.nulls(2, pa.string()),
            "line": pa.nulls(2, pa.int64()),
            "extra": [1, 2],
        }
    )
    with pytest.raises(SchemaError) as caught:
        schemas.check(table, "ledger")
    message = str(caught.value)
    assert "missing column 'action'" in message
    assert "unexpected column 'extra'" in message
    assert "'stage' is int64, allowed: string" in message
    assert "'unit' has 1 nulls, rows [1]" in message


@pytest.mark.parametrize("name", sorted(schemas.TABLES))
def test_empty_tables_pass_whatever_the_order_of_columns(name: str) -> None:
    table = schemas.empty(name)
    assert schemas.check(table, name).schema == schemas.TABLES[name]
    backwards = table.select(table.column_names[::-1])
    assert schemas.check(backwards, name).column_names == schemas.TABLES[name].names
