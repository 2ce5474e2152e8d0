"""The database of a run's own Prefect server: a copy of an empty one, made once per version.

Making one runs all of Prefect's migrations, which takes longer than the server's start. It is kept
as `prefect-VERSION.db` in the user's cache.
"""

from __future__ import annotations

import sqlite3
import warnings
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from pipeline.core.files import replacing
from pipeline.core.user_cache import cache_folder


def prepare_database(path: Path) -> bool:
    """Put an empty database at `path` unless one is there that can be read.

    Returns whether it is of this Prefect's version; an older one is left for the server to migrate.
    """
    name = f"prefect-{version('prefect')}.db"
    try:
        made = cache_folder() / name
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
    with TemporaryDirectory(dir=path.parent, prefix="prefect-") as folder:
        file = Path(folder, "new.db")
        try:
            migrate(file)
        except Exception:  # of another Prefect or Alembic than the one that this was written for
            file.unlink(missing_ok=True)
            migrate_by_prefect(file)
        with replacing(path) as temporary, closing(sqlite3.connect(file)) as database:
            database.execute("VACUUM INTO ?", [str(temporary)])


def migrate(file: Path) -> None:
    """Run Prefect's migrations in memory and write the database to a new file.

    They take two thirds of the CPU time of Prefect's own way, which passes every statement to a
    thread, and do not wait for the disk, to which that commits every migration. The schema is the
    same but for the order of the foreign keys of a table, which is that of a set. Raises any error
    of what has changed in the libraries.
    """
    import sqlalchemy
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory
    from prefect.server.database import orm_models

    folder = Path(orm_models.__file__).with_name("_migrations")
    scripts = ScriptDirectory(str(folder), version_locations=[str(folder / "versions" / "sqlite")])
    environment = EnvironmentContext(
        Config(), scripts, fn=lambda revision, _: scripts._upgrade_revs("head", revision)
    )
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as connection, environment, warnings.catch_warnings():
        warnings.simplefilter("ignore", sqlalchemy.exc.SAWarning)  # as Prefect does
        environment.configure(
            connection=connection,
            target_metadata=orm_models.Base.metadata,
            include_schemas=True,
            render_as_batch=True,
            transaction_per_migration=True,
        )
        with environment.begin_transaction():
            environment.run_migrations()
        connection.commit()
        database = connection.connection.driver_connection
        assert isinstance(database, sqlite3.Connection)
        database.execute("VACUUM INTO ?", [str(file)])
    if _revision(file) != scripts.get_current_head():
        raise RuntimeError("the last migration did not run")


def migrate_by_prefect(file: Path) -> None:
    """Make a database in a new file as a Prefect server does."""
    import asyncio

    from prefect.server.database.configurations import AioSqliteConfiguration
    from prefect.server.database.dependencies import (
        provide_database_interface,
        temporary_database_config,
    )

    config = AioSqliteConfiguration(connection_url=f"sqlite+aiosqlite:///{file}")
    with temporary_database_config(config):
        asyncio.run(provide_database_interface().create_db())
