"""Where a request came from: what trusted proxies say of it, and nobody else."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from pipeline.core.errors import InputError

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_SCHEMES: Final = ("http", "https")


@dataclass(frozen=True)
class Place:
    """Where people reach the board: scheme, host with its port, and path; all '' if not told."""

    scheme: str = ""
    host: str = ""
    path: str = ""


def public_place(url: str) -> Place:
    """Read `public_url` of the settings; raises InputError for what is no address of a site."""
    if not url:
        return Place()
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    plain = not (parts.query or parts.fragment or parts.username)
    if parts.scheme not in _SCHEMES or not parts.hostname or not plain:
        raise InputError(
            f"board.yaml: public_url: {url!r} is no address of a site; give one such as"
            " https://example.org/klue"
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    standard = {"http": 80, "https": 443}[parts.scheme]
    ending = "" if port in (None, standard) else f":{port}"
    return Place(parts.scheme, f"{host}{ending}", parts.path.rstrip("/"))


def networks(given: Sequence[str]) -> list[_Network]:
    """Read `trusted_proxies`; raises InputError for what is no address or network."""
    try:
        return [ipaddress.ip_network(text, strict=False) for text in given]
    except ValueError as error:
        raise InputError(
            f"board.yaml: trusted_proxies: {error}; give addresses or networks, such as 10.0.0.0/8"
        ) from None


class Proxies:
    """Sets client, scheme, host and root path of each request.

    X-Forwarded-For, -Proto and -Host count only if the request comes from a trusted proxy; of a
    chain of proxies the last address that is not trusted is the client's.
    """

    def __init__(self, app: ASGIApp, *, place: Place, trusted: Sequence[_Network]) -> None:
        self._app = app
        self._place = place
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            scope = self._corrected(scope)
        await self._app(scope, receive, send)

    def _corrected(self, scope: Scope) -> Scope:
        client = scope.get("client") or ("", 0)
        changes: dict[str, object] = {"root_path": self._place.path}
        if self._place.scheme:
            changes["scheme"] = self._place.scheme
        if self._is_trusted(client[0]):
            headers = Headers(scope=scope)
            changes["client"] = (self._client(headers, client[0]), 0)
            scheme = headers.get("x-forwarded-proto", "").strip().lower()
            if scheme in _SCHEMES and not self._place.scheme:
                changes["scheme"] = scheme
            if host := headers.get("x-forwarded-host", "").strip():
                others = [pair for pair in scope["headers"] if pair[0] != b"host"]
                changes["headers"] = [(b"host", host.encode("latin-1", "replace")), *others]
        return {**scope, **changes}

    def _client(self, headers: Headers, nearest: str) -> str:
        chain = [part.strip() for part in ",".join(headers.getlist("x-forwarded-for")).split(",")]
        for address in reversed([part for part in chain if part]):
            if not _is_address(address):
                return nearest
            if not self._is_trusted(address):
                return address
            nearest = address
        return nearest

    def _is_trusted(self, address: str) -> bool:
        return _is_address(address) and any(
            ipaddress.ip_address(address) in network for network in self._trusted
        )


def route_path(scope: Scope) -> str:
    """Return the path of a request below the path at which the board is served."""
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path.removeprefix(root) if root and path.startswith(f"{root}/") else path


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
