"""Which names of hosts the board answers to: no page of another site can pose as it."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.web.errors import respond

_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?")
_LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


class Hosts:
    """Refuses requests whose Host is neither that of `public_url` nor loopback.

    Without a public address every IP address is allowed too: names that an attacker points to the
    board are what is refused.
    """

    def __init__(self, app: ASGIApp, *, public: str) -> None:
        self._app = app
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._allows(Headers(scope=scope).getlist("host")):
            hint = "set `public_url` in board.yaml to the address that people use"
            error = RefusedError(400, f"this board does not answer to that host name; {hint}")
            await respond(error, scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _allows(self, given: list[str]) -> bool:
        if len(given) != 1:
            return False
        host = given[0].lower()
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = match["name"]
        return (
            name in _LOOPBACK
            or (bool(self._public) and host == self._public)
            or (not self._public and _is_address(name.strip("[]")))
        )


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
