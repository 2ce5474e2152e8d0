"""DuckDB for counts that take room: bounded in memory, spilling to disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Final

import duckdb

from pipeline.core.errors import RetryError

#: Memory of a connection; beyond it DuckDB writes to the folder.
MEMORY: Final = "600MB"


@contextmanager
def open_database(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database file in `folder` for the length of a ``with`` block, and remove it after.

    It fills MEMORY, whatever it holds, before it writes to the folder.
    Raises RetryError when disk or memory run out, or a table cannot be read.
    """
    path, spill = folder / "join.duckdb", folder / "spill"
    for old in (path, path.with_name(f"{path.name}.wal")):
        old.unlink(missing_ok=True)
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": MEMORY,
        "threads": 2,
        "preserve_insertion_order": False,
        "temp_directory": str(spill),
    }
    failure = ""
    try:
        with duckdb.connect(str(path), config=config) as db:
            yield db
    except duckdb.Error as error:
        failure = str(error).partition("\n")[0]
    finally:
        path.unlink(missing_ok=True)
        rmtree(spill, ignore_errors=True)
    if failure:  # raised here, since an error that holds the database would leave it open
        raise RetryError(
            f"joining tables in {folder} failed: {failure}; see that its disk has room and that no"
            " table is damaged (remove the folder of one that is), and run again"
        )
