"""Reading a release that is there: its examples by split, its rows, and its private labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import FILES, SPLITS, Split
from pipeline.core.errors import StoreError
from pipeline.release.manifest import private_folder, read_manifest
from pipeline.release.tables import COLUMNS

_TEST: Split = "test"


def released(folder: Path) -> dict[str, dict[str, Split]]:
    """Return the split of every example of a release: by task id, then by guid, in order.

    What a later version keeps to. Raises StoreError for a folder that is no sound release.
    """
    return {
        task: {guid: split for split, guids in found.items() for guid in guids}
        for task, found in guids_of(folder).items()
    }


def guids_of(folder: Path) -> dict[str, dict[Split, list[str]]]:
    """Return the guids of every task id and split, in their order; raises StoreError."""
    found: dict[str, dict[Split, list[str]]] = {}
    for entry in read_manifest(folder).tasks.values():
        task = entry.task
        found[task] = {
            split: read_split(folder, task, split, columns=["guid"])["guid"].to_pylist()
            for split in SPLITS
        }
    return found


def read_split(
    folder: Path,
    task: str,
    split: Split,
    *,
    columns: Sequence[str] | None = None,
    labels: bool = False,
) -> pa.Table:
    """Return the rows of a split of a task (by its id or config), or some of their columns.

    With `labels` the test split comes from the private folder. Raises StoreError when the file is
    not there, is damaged, or has other columns than this version writes.
    """
    one = task_of(task)
    private = labels and split == _TEST
    place = private_folder(folder) if private else folder
    path = f"labels/{one.config}.parquet" if private else f"{one.config}/{FILES[split]}.parquet"
    return read_parquet(place / path, COLUMNS[one.id].schema, columns)


def read_parquet(path: Path, schema: pa.Schema, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a Parquet file of a release that must have this schema; raises StoreError."""
    if not path.is_file():
        raise StoreError(f"{path}: is not there; give the folder of a whole release")
    try:
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(schema):
                raise StoreError(f"{path}: has other columns than a release; klue verify says more")
            return file.read(columns=None if columns is None else list(columns))
    except (OSError, pa.ArrowException) as error:
        raise StoreError(
            f"{path}: damaged ({type(error).__name__}); fetch or build the release again"
        ) from None
