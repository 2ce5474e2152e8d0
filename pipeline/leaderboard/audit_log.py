"""The audit log of a board: who did what, when. Rows are only added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, insert, select

from pipeline.leaderboard.database import writing
from pipeline.leaderboard.records import RefusedError, Submitter
from pipeline.leaderboard.tables import AUDIT_LOG
from pipeline.leaderboard.texts import storable

#: Actors that are no submitters.
ORGANISER: Final = "organiser"
CHECKER: Final = "checker"
SCORER: Final = "scorer"
NOBODY: Final = "anonymous"
_LONGEST: Final = 120


@dataclass(frozen=True)
class Event:
    """A row of the log."""

    at: int
    actor: str
    action: str
    subject: str
    detail: Mapping[str, Any]


def actor_of(submitter: Submitter | None) -> str:
    """Return how the log names a submitter; the organiser if there is none."""
    return ORGANISER if submitter is None else f"submitter:{submitter.name}"


def add(
    connection: Connection,
    *,
    at: int,
    actor: str,
    action: str,
    subject: str,
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Add a row, in the transaction of what it tells of.

    `detail` is a flat object of plain values, without tokens, answers and labels.
    """
    plain = {k: storable(v) if isinstance(v, str) else v for k, v in (detail or {}).items()}
    row = {"at": at, "actor": storable(actor)[:_LONGEST], "action": action}
    subject = storable(subject)[:_LONGEST]
    connection.execute(insert(AUDIT_LOG).values(**row, subject=subject, detail=plain))


@contextmanager
def refusals(engine: Engine, *, at: int, actor: str, action: str) -> Iterator[None]:
    """Log a RefusedError that the block raises, and raise it again.

    The block's own transaction is rolled back, so that the row has one of its own: the block
    contains the `with writing(...)`, not the other way round.
    """
    try:
        yield
    except RefusedError as error:
        with writing(engine) as connection:
            detail = {"status": error.status, "reason": error.reason}
            add(connection, at=at, actor=actor, action=action, subject="", detail=detail)
        raise


def events(connection: Connection, *, after: int = 0, most: int = 1_000) -> list[tuple[int, Event]]:
    """Return rows in their order with their ids, those after an id, at most so many."""
    query = select(AUDIT_LOG).where(AUDIT_LOG.c.id > after).order_by(AUDIT_LOG.c.id).limit(most)
    return [
        (row.id, Event(row.at, row.actor, row.action, row.subject, row.detail))
        for row in connection.execute(query)
    ]
