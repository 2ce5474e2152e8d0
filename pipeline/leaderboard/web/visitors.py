"""Who looks at a page or calls the API: by a cookie, or by a token in the header."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from pipeline.leaderboard import audit_log, sessions, tokens
from pipeline.leaderboard.records import RefusedError, Submitter
from pipeline.leaderboard.sessions import Session
from pipeline.leaderboard.web.board import Board, board_of
from pipeline.leaderboard.web.rate_limits import FAILURES, SUBMITTER

COOKIE: Final = "board_session"
_BEARER: Final = "bearer "
#: More characters than any token or cookie has.
_LONGEST: Final = 200


async def session_of(request: Request) -> Session | None:
    """Return the session of a browser, or None; it is asked for once a request."""
    if not hasattr(request.state, "session"):
        cookie = request.cookies.get(COOKIE, "")[:_LONGEST]
        board = board_of(request)
        request.state.session = (
            await board.read(sessions.find, cookie, now=board.now) if cookie else None
        )
    found: Session | None = request.state.session
    return found


async def require_session(request: Request) -> Session:
    """Return the session of a browser; raises RefusedError (401) without one."""
    session = await session_of(request)
    if session is None:
        raise RefusedError(401, "log in first: this page is for submitters")
    board_of(request).limits.take(SUBMITTER, str(session.submitter.id))
    return session


async def require_token(request: Request) -> Submitter:
    """Return whose token a program sent; raises RefusedError (401, or 429 after many wrong)."""
    board = board_of(request)
    header = request.headers.get("authorization", "")
    if not header.lower().startswith(_BEARER):
        raise RefusedError(401, "no token; send the header `Authorization: Bearer TOKEN`")
    token = header[len(_BEARER) :].strip()[:_LONGEST]
    try:
        submitter = await board.read(tokens.find, token, now=board.now)
    except RefusedError as error:
        await _count_failure(board, request, error)
        raise
    board.limits.take(SUBMITTER, str(submitter.id))
    return submitter


async def log_in(request: Request, token: str) -> str:
    """Start a session by a token and return its cookie; errors are those of `require_token`."""
    board = board_of(request)
    try:
        cookie, _ = await board.write(sessions.start, token.strip()[:_LONGEST], now=board.now)
    except RefusedError as error:
        await _count_failure(board, request, error)
        raise
    return cookie


async def _count_failure(board: Board, request: Request, error: RefusedError) -> None:
    """Slow down whoever tries tokens, and log the first ones: a log must not fill by itself."""
    board.limits.take(FAILURES, request.client.host if request.client else "")
    await board.write(
        audit_log.add,
        at=board.now,
        actor=audit_log.NOBODY,
        action="token.refuse",
        subject="",
        detail={"status": error.status, "reason": error.reason},
    )


def set_cookie(response: Response, scope: Scope, name: str, value: str) -> None:
    """Set a cookie that scripts cannot read and other sites cannot use; '' removes it."""
    response.set_cookie(
        name,
        value,
        max_age=sessions.LASTS if value else 0,
        path=scope.get("root_path", "") or "/",
        secure=scope["scheme"] == "https",
        httponly=True,
        samesite="lax",
    )
