"""Servers on loopback in threads: a board, and a reverse proxy before it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """Serve an application on a free port; give its address, without a slash at the end."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="warning", proxy_headers=False, server_header=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()


def proxy(upstream: str, *, prefix: str, host: str, client: str) -> Starlette:
    """Return a proxy that serves an upstream below a path, as people reach it by https.

    It takes the path off, and tells the host, the scheme and the address of the client.
    """

    async def forward(request: Request) -> Response:
        path = request.url.path.removeprefix(prefix) or "/"
        names = ("cookie", "content-type", "origin", "authorization")
        headers = {name: request.headers[name] for name in names if name in request.headers}
        headers |= {"x-forwarded-for": client, "x-forwarded-proto": "https"}
        headers |= {"x-forwarded-host": host}
        async with httpx.AsyncClient() as session:
            answer = await session.request(
                request.method,
                f"{upstream}{path}",
                params=request.query_params,
                headers=headers,
                content=await request.body(),
            )
        made = Response(answer.content, answer.status_code)
        made.raw_headers = [
            (name.lower(), value)
            for name, value in answer.headers.raw
            if name.lower() not in (b"transfer-encoding", b"content-encoding")
        ]
        return made

    methods = ["GET", "POST", "HEAD"]
    return Starlette(routes=[Route(f"{prefix}{{path:path}}", forward, methods=methods)])
