"""Versions of a board: a release and a scorer; scores of different versions are never compared."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select, update

from pipeline.core.errors import InputError
from pipeline.leaderboard import audit_log
from pipeline.leaderboard.records import Version
from pipeline.leaderboard.tables import VERSIONS


def current(connection: Connection) -> Version:
    """Return the latest version. Raises InputError for a board without one."""
    versions = all_versions(connection)
    if not versions:
        raise InputError("the board has no version; make it again by `klue leaderboard init`")
    return versions[-1]


def all_versions(connection: Connection) -> list[Version]:
    """Return all versions, the first one first."""
    rows = connection.execute(select(VERSIONS).order_by(VERSIONS.c.number))
    return [Version(**row._mapping) for row in rows]


def add(
    connection: Connection,
    *,
    release_name: str,
    release_version: str,
    release_hash: str,
    scorer_version: str,
    reason: str,
    now: int,
) -> Version:
    """Add the next version, 1 if there is none, and return it."""
    earlier = all_versions(connection)
    number = earlier[-1].number + 1 if earlier else 1
    version = Version(
        number,
        release_name,
        release_version,
        release_hash,
        scorer_version,
        reason,
        opened_at=now,
        closed_at=None,
    )
    values = {column.name: getattr(version, column.name) for column in VERSIONS.columns}
    connection.execute(insert(VERSIONS).values(**values))
    detail = {"release_hash": release_hash, "scorer_version": scorer_version, "reason": reason}
    _log(connection, "version.add", number, now=now, **detail)
    return version


def close(connection: Connection, number: int, *, now: int) -> Version:
    """Close a version, after which no submission is received; one that is closed stays as it is."""
    is_open = (VERSIONS.c.number == number) & VERSIONS.c.closed_at.is_(None)
    done = connection.execute(update(VERSIONS).where(is_open).values(closed_at=now))
    if done.rowcount:
        _log(connection, "version.close", number, now=now)
    row = connection.execute(select(VERSIONS).where(VERSIONS.c.number == number)).one()
    return Version(**row._mapping)


def _log(connection: Connection, action: str, number: int, *, now: int, **detail: Any) -> None:
    who, subject = audit_log.ORGANISER, f"version {number}"
    audit_log.add(connection, at=now, actor=who, action=action, subject=subject, detail=detail)
