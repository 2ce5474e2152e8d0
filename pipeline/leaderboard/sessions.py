"""Sessions of browsers: a token is given once, and a cookie stands for it after that."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from pipeline.leaderboard import audit_log, tokens
from pipeline.leaderboard.records import RefusedError, Submitter
from pipeline.leaderboard.tables import SESSIONS

#: A session ends after so many seconds, whatever its browser does.
LASTS: Final = 12 * 3600


@dataclass(frozen=True)
class Session:
    """Who is logged in, and the text that every form of the session carries."""

    submitter: Submitter
    csrf: str


def start(connection: Connection, token: str, *, now: int) -> tuple[str, str]:
    """Start a session by a token; return its cookie, which is not stored, and its CSRF text.

    Sessions that are over are removed. Raises RefusedError (401) as `tokens.find_token` does.
    """
    found = tokens.find_token(connection, token, now=now)
    cookie, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    connection.execute(delete(SESSIONS).where(SESSIONS.c.expires_at <= now))
    values = {"digest": tokens.digest(cookie), "token": found.id, "csrf": csrf}
    connection.execute(insert(SESSIONS).values(**values, expires_at=now + LASTS))
    _log(connection, "session.start", found.submitter, now=now)
    return cookie, csrf


def find(connection: Connection, cookie: str, *, now: int) -> Session | None:
    """Return the session of a cookie; None if it is unknown or over, or its token is not valid."""
    row = connection.execute(
        select(SESSIONS).where(SESSIONS.c.digest == tokens.digest(cookie))
    ).one_or_none()
    if row is None or row.expires_at <= now:
        return None
    token = tokens.token_by_id(connection, row.token)
    try:
        tokens.require_valid(token, now=now)
    except RefusedError:
        return None
    return Session(token.submitter, row.csrf)


def check_csrf(session: Session, given: str) -> None:
    """Raise RefusedError (403) for a form that is not of this session."""
    if not hmac.compare_digest(session.csrf.encode(), given.encode("utf-8", "replace")):
        raise RefusedError(
            403, "the form is not of this session; open the page again and resend it"
        )


def end(connection: Connection, cookie: str, *, now: int) -> None:
    """End the session of a cookie, if there is one."""
    session = find(connection, cookie, now=now)
    connection.execute(delete(SESSIONS).where(SESSIONS.c.digest == tokens.digest(cookie)))
    if session is not None:
        _log(connection, "session.end", session.submitter, now=now)


def _log(connection: Connection, action: str, submitter: Submitter, *, now: int) -> None:
    actor = audit_log.actor_of(submitter)
    audit_log.add(connection, at=now, actor=actor, action=action, subject=submitter.name)
