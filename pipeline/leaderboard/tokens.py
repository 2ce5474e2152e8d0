"""Tokens of submitters: the organiser issues them, the database holds their digests alone."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal

from sqlalchemy import Connection, insert, select, update

from pipeline.leaderboard import audit_log
from pipeline.leaderboard.records import RefusedError, Submitter
from pipeline.leaderboard.tables import SUBMITTERS, TOKENS
from pipeline.leaderboard.texts import check_name, storable

PREFIX: Final = "klb_"
#: 32 random bytes in base64 for addresses.
_FORM: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")
#: So many characters of a token are stored, to tell tokens apart: 6 of 43 random ones.
_HINT: Final = len(PREFIX) + 6
_ASK: Final = "ask the organiser of the board for another"


@dataclass(frozen=True)
class Token:
    """A token as its organiser sees it; `hint` is its beginning."""

    id: int
    submitter: Submitter
    hint: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None


def issue(connection: Connection, name: str, *, now: int, expires_at: int | None = None) -> str:
    """Return a new token of a submitter, who may be new; it cannot be shown again.

    It is valid until `expires_at`, without end if None. Raises RefusedError (422) for a name that
    `check_name` does not take, or an end that is over.
    """
    name = check_name("name", name)
    if expires_at is not None and expires_at <= now:
        raise RefusedError(422, "the token would have expired already; give a later time")
    token = PREFIX + secrets.token_urlsafe(32)
    values = {
        "submitter": ensure_submitter(connection, name, now=now).id,
        "digest": digest(token),
        "hint": token[:_HINT],
        "created_at": now,
        "expires_at": expires_at,
    }
    connection.execute(insert(TOKENS).values(**values))
    detail = {"hint": token[:_HINT], "expires_at": expires_at}
    _log(connection, "token.issue", name, now=now, **detail)
    return token


def find(connection: Connection, token: str, *, now: int) -> Submitter:
    """Return whose token this is. Raises RefusedError (401) as `find_token` does."""
    return find_token(connection, token, now=now).submitter


def find_token(connection: Connection, token: str, *, now: int) -> Token:
    """Return a token that is valid now.

    It is looked up by its digest, so that the time it takes tells nothing about tokens. Raises
    RefusedError (401) for one that is malformed, unknown, expired or revoked, and says which.
    """
    if not _FORM.fullmatch(token):
        raise RefusedError(
            401, f"not a token of a leaderboard: one is {PREFIX} and 43 characters; copy it again"
        )
    found = _tokens(connection, TOKENS.c.digest == digest(token))
    if not found:
        raise RefusedError(401, f"the token is not known to this board; {_ASK}")
    require_valid(found[0], now=now)
    return found[0]


def state_of(token: Token, *, now: int) -> Literal["valid", "revoked", "expired"]:
    """Return whether a token is valid at a time."""
    if token.revoked_at is not None:
        return "revoked"
    is_over = token.expires_at is not None and token.expires_at <= now
    return "expired" if is_over else "valid"


def require_valid(token: Token, *, now: int) -> None:
    """Raise RefusedError (401) for a token that is revoked or expired."""
    state = state_of(token, now=now)
    if state != "valid":
        raise RefusedError(401, f"the token {token.hint}... is {state}; {_ASK}")


def revoke(connection: Connection, which: str, *, now: int) -> Token:
    """Revoke a token by its id or hint; one that is revoked already stays as it is.

    Raises RefusedError (404) for no or several tokens of this hint.
    """
    is_id = which.isascii() and which.isdecimal() and len(which) < 10
    condition = TOKENS.c.id == int(which) if is_id else TOKENS.c.hint == storable(which)
    found = _tokens(connection, condition)
    if len(found) != 1:
        problem = "no such token" if not found else f"{len(found)} tokens begin so; give the id"
        raise RefusedError(
            404, f"token {which[:_HINT]!r}: {problem}; `klue leaderboard token list` shows them"
        )
    if found[0].revoked_at is None:
        at = TOKENS.c.id == found[0].id
        connection.execute(update(TOKENS).where(at).values(revoked_at=now))
        _log(connection, "token.revoke", found[0].submitter.name, now=now, hint=found[0].hint)
    return _tokens(connection, TOKENS.c.id == found[0].id)[0]


def list_tokens(connection: Connection) -> list[Token]:
    """Return all tokens in the order in which they were issued."""
    return _tokens(connection, TOKENS.c.id > 0)


def token_by_id(connection: Connection, number: int) -> Token:
    """Return a token that is there by its id."""
    return _tokens(connection, TOKENS.c.id == number)[0]


def digest(secret: str) -> str:
    """Return the SHA-256 of a token or cookie: it has 256 random bits, which need no salt."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def ensure_submitter(connection: Connection, name: str, *, now: int) -> Submitter:
    """Return the submitter of a name, who is new if there was none."""
    query = select(SUBMITTERS.c.id).where(SUBMITTERS.c.name == name)
    number = connection.execute(query).scalar()
    if number is None:
        values = {"name": name, "created_at": now}
        done = connection.execute(insert(SUBMITTERS).values(**values).returning(SUBMITTERS.c.id))
        number = done.scalar_one()
    return Submitter(number, name)


def _tokens(connection: Connection, condition: Any) -> list[Token]:
    query = (
        select(TOKENS, SUBMITTERS.c.name).join(SUBMITTERS).where(condition).order_by(TOKENS.c.id)
    )
    return [
        Token(
            row.id,
            Submitter(row.submitter, row.name),
            row.hint,
            row.created_at,
            row.expires_at,
            row.revoked_at,
        )
        for row in connection.execute(query)
    ]


def _log(
    connection: Connection, action: str, name: str, *, now: int, **detail: str | int | None
) -> None:
    who = audit_log.ORGANISER
    audit_log.add(connection, at=now, actor=who, action=action, subject=name, detail=detail)
