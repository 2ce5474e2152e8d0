"""The database of a board: SQLite in its folder, or PostgreSQL by URL; its transactions.

Every change is made in a transaction of `writing`, and no two of those run at once: what one reads,
such as a quota, holds until it ends. What is committed is on the disk.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.pool import QueuePool

from pipeline.core.errors import InputError, MissingDependencyError, RetryError, StoreError
from pipeline.core.extras import install_command
from pipeline.core.files import refuse
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.settings import Settings
from pipeline.leaderboard.tables import METADATA, SUBMITTERS

#: Seconds that a transaction waits for its turn.
PATIENCE: Final = 60
#: The key of the lock that writers of a PostgreSQL database take in turn.
_LOCK: Final = 0x6B6C7565
_SQLITE: Final = "sqlite"
#: What the two databases say of a table that is not there.
_NO_TABLE: Final = re.compile(r"no such table|relation \S+ does not exist")
_DRIVER: Final = "postgresql+psycopg"


def open_engine(folder: Path, settings: Settings) -> Engine:
    """Return the engine of a board's database, for one process; threads may share it.

    Raises InputError for a URL of another database, and for a SQLite database that is not there;
    MissingDependencyError where PostgreSQL's driver is not installed. A server is called only when
    the first transaction begins.
    """
    if settings.database:
        where = f"{Layout(folder).settings}: database"
        return _postgresql(url_of(settings.database, where))
    path = Layout(folder).database
    hint = "no such file; restore it from a backup, or make a board by `klue leaderboard init`"
    refuse(path, (not path.is_file(), hint))
    return _sqlite(path)


def url_of(given: str, where: str) -> URL:
    """Return the URL of a PostgreSQL database; raises InputError of `where` for another one."""
    try:
        url = make_url(given)
    except ArgumentError:
        raise InputError(f"{where}: not a URL; write postgresql://USER@HOST/NAME") from None
    if url.drivername == "postgresql":
        url = url.set(drivername=_DRIVER)
    hint = f"{url.drivername} is not known; allowed: postgresql, or nothing for SQLite"
    refuse(where, (url.drivername != _DRIVER, hint))
    return url


def create(engine: Engine) -> None:
    """Create the tables, all or none.

    Those of a board that has no submitter yet, such as one whose making was killed, are made anew.
    Raises InputError for a database that holds a board, or tables of something else.
    """
    with writing(engine) as connection:
        ours = set(METADATA.tables)
        taken = ours & set(inspect(connection).get_table_names())
        is_used = taken == ours and connection.execute(select(SUBMITTERS.c.id).limit(1)).first()
        refuse(
            "the database",
            (is_used, "holds a board with submitters already; give another database"),
            (
                taken not in (set(), ours),
                f"holds tables of something else ({', '.join(sorted(taken))}); give a database of"
                " its own to each board",
            ),
        )
        METADATA.drop_all(connection)
        METADATA.create_all(connection)


def create_file(path: Path) -> None:
    """Create an empty SQLite database that its owner alone may open, and that readers share."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(_connect(path.absolute())) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Give the connection of a transaction that changes something; no other one runs beside it.

    It is committed at the end, and rolled back by any exception. Raises RetryError if its turn does
    not come within `PATIENCE` seconds, or the database fails: then nobody knows whether the commit
    was made, and the same calls may be made again.
    """
    with _transaction(engine, writing=True) as connection:
        if connection.dialect.name != _SQLITE:
            connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}s'"))
            connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Give the connection of a transaction that sees one state of the database until it ends.

    Writers neither wait for it nor hold it up. Raises RetryError if the database fails.
    """
    options: dict[str, Any] = {}
    if engine.dialect.name != _SQLITE:
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    with _transaction(engine, **options) as connection:
        yield connection


@contextmanager
def _transaction(engine: Engine, **options: Any) -> Iterator[Connection]:
    with _faults(), engine.connect() as connection:
        connection.execution_options(**options)
        with connection.begin():
            yield connection


def _postgresql(url: URL) -> Engine:
    try:
        return create_engine(
            url,
            connect_args={"connect_timeout": 10, "client_encoding": "utf8"},
            pool_pre_ping=True,
            max_overflow=-1,
            hide_parameters=True,
        )
    except (ModuleNotFoundError, NoSuchModuleError):
        raise MissingDependencyError(
            "psycopg, the driver of PostgreSQL,", install_command("postgresql")
        ) from None


def _sqlite(path: Path) -> Engine:
    engine = create_engine(
        "sqlite://",
        creator=partial(_connect, path.absolute()),
        poolclass=QueuePool,
        max_overflow=-1,
        hide_parameters=True,
    )
    event.listen(engine, "begin", _begin)
    return engine


def _connect(path: Path) -> sqlite3.Connection:
    """Open a database that exists; transactions begin when `_begin` says so, not by themselves."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _begin(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


@contextmanager
def _faults() -> Iterator[None]:
    """Turn a failure of the database into an error without what was asked of it.

    That is a StoreError for what is damaged or no board, and a RetryError for the rest.
    """
    try:
        yield
    except DatabaseError as error:
        reason = " ".join(str(error.orig).split())
        if _NO_TABLE.search(reason):
            hint = "name the database of the board, or make a board by `klue leaderboard init`"
            raise StoreError(f"the database holds no board; {hint}") from None
        if isinstance(error, OperationalError):
            if "readonly" in reason:
                hint = "may not be written by this user; run as the user who made the board"
                raise InputError(f"the database of the board: {hint}") from None
            hint = "try again"
            raise RetryError(f"the database of the board fails: {reason}; {hint}") from None
        if type(error) is DatabaseError:
            hint = "restore it from a backup"
            raise StoreError(f"the database of the board is damaged: {reason}; {hint}") from None
        raise
