"""A translation service in Papago's form on the loopback, which misbehaves on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

KEY, SECRET = "client-7", "s3cret/+="

#: An answer that is no translation: status, body, headers.
Fault = tuple[int, object, dict[str, str]]


def error(status: int, code: str = "", **headers: str) -> Fault:
    """Return a fault with the service's own code."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, {"error": {"errorCode": code, "message": "told at length"}}, named


@dataclass
class Service:
    """What it was asked and billed for; `faults` are given in place of the next answers."""

    port: int = 0
    asked: list[dict[str, str]] = field(default_factory=list)
    types: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    billed: list[tuple[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/nmt/v1/translation"

    def answer(self, form: dict[str, str], key: str | None, secret: str | None) -> Fault:
        """Answer one request as the service would."""
        self.asked.append(form)
        if (key, secret) != (KEY, SECRET):
            return error(401, "200")
        if self.faults:
            return self.faults.pop(0)
        self.billed.append((form["target"], form["text"]))
        text = f"[{form['target']}] {form['text']}"
        if form["target"] == "ko":
            text = form["text"].replace("[en] ", "다시 ") + (
                "요" if form["honorific"] == "true" else ""
            )
        return 200, {"message": {"result": {"translatedText": text, "srcLangType": "x"}}}, {}


class _Handler(BaseHTTPRequestHandler):
    service: Service

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode("ascii")
        form = {key: values[0] for key, values in parse_qs(body, strict_parsing=True).items()}
        self.service.types.add(self.headers["Content-Type"])
        status, found, headers = self.service.answer(
            form,
            self.headers["X-NCP-APIGW-API-KEY-ID"],
            self.headers["X-NCP-APIGW-API-KEY"],
        )
        if status == 0:  # the line goes dead
            self.close_connection = True
            return
        data = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


class _Quiet(ThreadingHTTPServer):
    """A server that says nothing of clients that were killed in the middle of a request."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing."""


@contextmanager
def running() -> Iterator[Service]:
    """Run a service and stop it in the end."""
    service = Service()
    handler = type("OneService", (_Handler,), {"service": service})
    server = _Quiet(("127.0.0.1", 0), handler)
    service.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
