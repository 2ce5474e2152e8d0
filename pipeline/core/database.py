"""DuckDB for what needs all rows of a table at once: bounded in memory, spilling to disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

import duckdb

from pipeline.core.errors import RetryError

#: Memory of a connection; beyond it DuckDB writes to the folder.
MEMORY = "600MB"


@contextmanager
def database(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database file in `folder` for the length of a ``with`` block, and remove it after.

    Raises RetryError when disk or memory run out.
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
    try:
        with duckdb.connect(str(path), config=config) as db:
            yield db
    except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
        first = str(error).partition("\n")[0]
        raise RetryError(
            f"joining tables in {folder} failed: {first}; see that its disk has room and that the"
            " files are there, and run again"
        ) from None
    finally:
        path.unlink(missing_ok=True)
        rmtree(spill, ignore_errors=True)


def quoted(path: Path) -> str:
    """Return a path as a string literal of SQL."""
    return "'" + str(path).replace("'", "''") + "'"
