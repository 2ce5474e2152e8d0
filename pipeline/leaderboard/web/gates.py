"""What a request passes before its route: the limit of its address, and where it was sent from."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.web.errors import respond
from pipeline.leaderboard.web.forms import check_origin
from pipeline.leaderboard.web.rate_limits import ADDRESS, RateLimits

_SAFE: Final = ("GET", "HEAD", "OPTIONS")


class Gates:
    """Refuses too many requests of one address, and changes that another site asks for."""

    def __init__(self, app: ASGIApp, *, limits: RateLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                self._check(scope)
            except RefusedError as error:
                await respond(error, scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        self._limits.take(ADDRESS, (scope.get("client") or ("", 0))[0])
        if scope["method"] not in _SAFE:
            headers = Headers(scope=scope)
            check_origin(headers, headers.get("host", ""))
