"""Errors as pages for people and JSON for programs, without anything of the inside."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pipeline.core.errors import RetryError
from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.web.after_login import login_address
from pipeline.leaderboard.web.links import LiveLinks
from pipeline.leaderboard.web.proxies import route_path
from pipeline.leaderboard.web.rendering import render
from pipeline.leaderboard.web.visitors import COOKIE

_LOG: Final = logging.getLogger(__name__)
_JSON: Final = ("/api/", "/board.json", "/healthz")
_REASONS: Final = {
    404: "there is no such page",
    405: "this address takes no such request",
}
_UNEXPECTED: Final = RefusedError(500, "something went wrong on our side; nothing was charged")
_BUSY: Final = RefusedError(503, "the board is busy; try again in a moment", retry_after=5)


def error_response(scope: Scope, error: RefusedError, *, allow: str = "") -> Response:
    """Return an error as a page, or as JSON for the API."""
    headers = {"allow": allow} if allow else {}
    if error.retry_after is not None:
        headers["retry-after"] = str(error.retry_after)
    if error.status == 401:
        headers["www-authenticate"] = "Bearer"
    if route_path(scope).startswith(_JSON):
        record = {"error": error.reason}
        if error.submission:
            record["submission"] = error.submission
        return JSONResponse(record, error.status, headers)
    html = render(
        "error.html.j2",
        LiveLinks(scope.get("root_path", "")),
        live=True,
        board=scope["app"].state.board.settings,
        simulated=scope["app"].state.board.release.simulated,
        session=scope.get("state", {}).get("session"),
        status=error.status,
        phrase=HTTPStatus(error.status).phrase,
        reason=error.reason,
    )
    return HTMLResponse(html, error.status, headers)


async def respond(error: RefusedError, scope: Scope, receive: Receive, send: Send) -> None:
    """Send an error as the answer to a request."""
    await error_response(scope, error)(scope, receive, send)


async def on_refused(request: Request, error: Exception) -> Response:
    """Answer a RefusedError of a route; who must log in for a page is led there."""
    assert isinstance(error, RefusedError)
    is_page = not route_path(request.scope).startswith(_JSON)
    if error.status == 401 and is_page:
        ended = request.method == "POST" or bool(request.cookies.get(COOKIE))
        return RedirectResponse(login_address(request, ended=ended), 303)
    return error_response(request.scope, error)


async def on_http(request: Request, error: Exception) -> Response:
    """Answer an error of the router: no such page, no such method."""
    assert isinstance(error, HTTPException)
    reason = _REASONS.get(error.status_code, str(error.detail).lower())
    allow = (error.headers or {}).get("Allow", "")
    return error_response(request.scope, RefusedError(error.status_code, reason), allow=allow)


class Faults:
    """Answers what no route foresaw; the log has it, the visitor does not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_noticed(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, send_noticed)
        except ClientDisconnect:
            return
        except RetryError as error:
            _LOG.warning("%s", error)
            if not started:
                await respond(_BUSY, scope, receive, send)
        except Exception:
            _LOG.exception("a request to the board failed")
            if started or scope["type"] != "http":
                raise
            await respond(_UNEXPECTED, scope, receive, send)
