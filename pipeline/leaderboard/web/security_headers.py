"""Headers that every answer has: nothing foreign is loaded, framed, guessed or told."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_ALWAYS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_HTTPS: Final = {"strict-transport-security": "max-age=31536000"}
#: Unless a page says otherwise nobody keeps it.
_CACHE: Final = "no-store"


class SecurityHeaders:
    """Adds the headers to each answer; those of https only where people use https."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {**_ALWAYS, **(_HTTPS if is_https else {})}.items():
                    headers[name] = value
                headers.setdefault("cache-control", _CACHE)
            await send(message)

        is_https = scope["scheme"] == "https"
        await self._app(scope, receive, send_with_headers)
