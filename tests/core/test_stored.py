"""A table that stays in its files gives what the same table in memory gives."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
import toy_stage
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import schemas, store
from pipeline.core.errors import StoreError
from pipeline.core.stored import StoredTable


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[StoredTable, pa.Table]:
    """A table of three files, one of them empty, and the same in memory."""
    folder = tmp_path_factory.mktemp("stage")
    parts = [toy_stage.units(0, 40), toy_stage.units(40, 40), toy_stage.units(40, 97)]
    for place, part in enumerate(parts):
        store.write_table(folder, "units", f"{place:05}", part)
    return StoredTable.of(folder, "units"), pa.concat_tables(parts)


@given(st.data())
def test_rows_and_columns_are_those_of_the_table(
    stored: tuple[StoredTable, pa.Table], data: st.DataObject
) -> None:
    found, table = stored
    for _ in range(data.draw(st.integers(0, 3))):
        size = table.num_rows
        mask = pa.chunked_array([data.draw(st.lists(st.booleans(), min_size=size, max_size=size))])
        found, table = found.filter(mask.cast(pa.bool_())), table.filter(mask.cast(pa.bool_()))
    columns = data.draw(st.lists(st.sampled_from(table.column_names), min_size=1, unique=True))
    found, table = found.select(columns), table.select(columns)
    assert found.num_rows == table.num_rows
    assert found.read().equals(table)
    assert found[columns[0]].equals(table[columns[0]])
    rows = data.draw(st.integers(1, 100))
    batches = list(found.to_batches(rows))
    assert all(len(batch) <= rows for batch in batches)
    assert pa.Table.from_batches(batches, table.schema).equals(table)


def test_its_size_is_that_of_the_columns_and_rows(
    stored: tuple[StoredTable, pa.Table],
) -> None:
    found, table = stored
    texts = found.select(["text"])
    assert 0 < texts.nbytes < found.nbytes
    written = pc.sum(pc.binary_length(table["text"])).as_py()
    assert written <= texts.nbytes <= 3 * written  # each of these short texts has its length
    half = texts.filter(pa.chunked_array([[place % 2 == 0 for place in range(table.num_rows)]]))
    assert half.nbytes == pytest.approx(texts.nbytes / 2, rel=0.02)


def test_a_stage_without_the_table_has_no_rows(tmp_path: Path) -> None:
    found = StoredTable.of(tmp_path, "units")
    assert (found.num_rows, found.nbytes) == (0, 0)
    assert found.read().equals(schemas.empty("units"))


def test_a_file_that_is_cut_is_told_when_it_is_opened_or_read(tmp_path: Path) -> None:
    store.write_table(tmp_path, "units", "a", toy_stage.units(0, 500))
    (path,) = store.tables(tmp_path, "units")
    found, whole = StoredTable.of(tmp_path, "units"), path.read_bytes()
    path.write_bytes(bytes(len(whole) - 2000) + whole[-2000:])
    with pytest.raises(StoreError, match=r"units-a\.parquet: damaged.*remove its folder"):
        found.read()
    path.write_bytes(whole[:100])
    with pytest.raises(StoreError, match=r"units-a\.parquet: damaged"):
        StoredTable.of(tmp_path, "units")


def test_a_table_of_another_schema_is_told(tmp_path: Path) -> None:
    store.write_table(tmp_path, "units", "a", toy_stage.units(0, 5))
    (path,) = store.tables(tmp_path, "units")
    store.write_parquet(path, toy_stage.units(0, 5).drop_columns(["text"]))
    with pytest.raises(StoreError, match="damaged"):
        StoredTable.of(tmp_path, "units").read()
