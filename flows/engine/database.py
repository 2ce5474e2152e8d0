"""The database of a run's own Prefect server: a copy of an empty one, made once per version.

Making one runs all of Prefect's migrations, which takes longer than the server's start. It is kept
as `klue-rebuild/prefect-VERSION.db` in the user's cache folder, `$XDG_CACHE_HOME` or `~/.cache`.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from pipeline.core.files import replacing


def prepare_database(path: Path) -> bool:
    """Put an empty database at `path` unless one is there that can be read.

    Returns whether it is of this Prefect's version; an older one is left for the server to migrate.
    """
    name = f"prefect-{version('prefect')}.db"
    try:
        made = _cache() / name
        if not _revision(made):
            made.parent.mkdir(parents=True, exist_ok=True)
            _make(made)
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        made = path.with_name(name)
        if not _revision(made):
            _make(made)
    if not _revision(path):
        for left in ("-wal", "-shm"):
            path.with_name(path.name + left).unlink(missing_ok=True)
        with replacing(path) as temporary:
            copyfile(made, temporary)
    return _revision(path) == _revision(made)


def _cache() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "klue-rebuild"


def _revision(path: Path) -> str | None:
    """Return the last migration of a database; None if it is absent, damaged or half made."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as database:
            state, revision = database.execute(
                "SELECT quick_check, version_num FROM pragma_quick_check, alembic_version"
            ).fetchone() or ("", None)
    except sqlite3.Error:
        return None
    return revision if state == "ok" else None


def _make(path: Path) -> None:
    """Make an empty database of this Prefect's version; one that another run made is replaced."""
    from prefect.server.database.configurations import AioSqliteConfiguration
    from prefect.server.database.dependencies import (
        provide_database_interface,
        temporary_database_config,
    )

    with TemporaryDirectory(dir=path.parent, prefix="prefect-") as folder:
        file = Path(folder, "new.db")
        config = AioSqliteConfiguration(connection_url=f"sqlite+aiosqlite:///{file}")
        with temporary_database_config(config):
            asyncio.run(provide_database_interface().create_db())
        with replacing(path) as temporary, closing(sqlite3.connect(file)) as database:
            database.execute("VACUUM INTO ?", [str(temporary)])
