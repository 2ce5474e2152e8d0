"""How much a request may send, and for how long: counted while it arrives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.web.errors import respond
from pipeline.leaderboard.web.proxies import route_path

#: Bytes of a form without a file; the longest field has 2,000 characters.
SMALL: Final = 64 * 1024
#: Bytes of an address with its query, and of all headers.
MOST_ADDRESS: Final = 16 * 1024
#: Seconds between two parts of a body, and for a whole small and a whole large one.
PAUSE: Final = 30.0
SMALL_SECONDS: Final = 60.0
LARGE_SECONDS: Final = 1_800.0


class BodyLimits:
    """Refuses bodies of more bytes than their route takes, and those that are sent too slowly.

    `large` says how many bytes a path takes, None for the usual ones.
    """

    def __init__(self, app: ASGIApp, *, large: Callable[[str], int | None]) -> None:
        self._app = app
        self._large = large

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        large = self._large(route_path(scope)) if scope["method"] == "POST" else None
        most = large or SMALL
        if fault := _fault(scope, most):
            await respond(fault, scope, receive, send)
            return
        limited = _limited(receive, most, LARGE_SECONDS if large else SMALL_SECONDS)
        await self._app(scope, limited, send)


def _fault(scope: Scope, most: int) -> RefusedError | None:
    """Return what the head of a request already shows to be too much."""
    length = Headers(scope=scope).get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or int(length) > most:
        return too_large(most)
    raw = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
    if raw + sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_ADDRESS:
        return RefusedError(431, "address and headers are too long")
    return None


def too_large(most: int) -> RefusedError:
    """Return the error of a body of more than `most` bytes."""
    return RefusedError(413, f"the request has more than the {most:,} bytes that are allowed")


def _limited(receive: Receive, most: int, seconds: float) -> Receive:
    taken = 0
    ends: float | None = None

    async def receive_limited() -> Message:
        nonlocal taken, ends
        loop = asyncio.get_running_loop()
        ends = ends if ends is not None else loop.time() + seconds
        try:
            async with asyncio.timeout(max(0.0, min(PAUSE, ends - loop.time()))):
                message = await receive()
        except TimeoutError:
            raise RefusedError(408, "the upload stopped or took too long; send it again") from None
        taken += len(message.get("body") or b"")
        if taken > most:
            raise too_large(most)
        return message

    return receive_limited
