"""A board on loopback that answers as docs/leaderboard.md says, or as a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

TOKEN = "klb_test-token-of-a-fictional-submitter"
QUOTA = {
    "task": "nli",
    "left": 3,
    "pending": 0,
    "next_at": None,
    "day": {"used": 0, "limit": 3},
    "month": {"used": 1, "limit": 20},
    "total": {"used": 1, "limit": 100},
}
#: What a handler of faults returns instead of an answer: the connection is closed.
CUT = "cut"


@dataclass
class Fake:
    """What the board has received, and what it says of submissions.

    `states`: the states that a submission goes through, one a question. `fault` may answer any
    request: an answer (status, value, headers), CUT, or None for the usual one; it is asked after
    the body was read, `late` ones after it was stored, too. `queries` are those of stored files,
    `asked` those of all.
    """

    states: list[dict[str, Any]] = field(default_factory=lambda: [{"state": "scored"}])
    quota: dict[str, Any] = field(default_factory=lambda: dict(QUOTA))
    fault: Callable[[str, str], Any] = lambda _method, _path: None
    late: Callable[[str, str], Any] = lambda _method, _path: None
    files: dict[str, bytes] = field(default_factory=dict)
    queries: list[dict[str, str]] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    url: str = ""

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Any:
        """Return status and value of an answer."""
        if path == "/board.json":
            return 200, {"format": "klue-board-1", "tasks": [{"id": "nli"}, {"id": "tc"}]}
        if path == "/api/quota":
            return 200, {"submitter": "name", "quotas": [self.quota]}
        if (method, path) == ("POST", "/api/dev-files"):
            self.files["dev-1"] = body
            return 201, {"dev_file": "dev-1"}
        if (method, path) == ("POST", "/api/submissions"):
            return self._receive(query, body)
        if path.startswith("/api/submissions/"):
            state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
            return 200, {"key": path.rpartition("/")[2], "reason": "", "charged": True, **state}
        return 404, {"error": "there is no such page"}

    def _receive(self, query: dict[str, str], body: bytes) -> Any:
        key = sha256(body).hexdigest()[:16]
        self.asked.append(query)
        if key in self.files:
            reason = (
                f"the same file was submitted before, as {key} of model 'm'; its result is there"
            )
            return 409, {"error": reason, "submission": key}
        self.files[key] = body
        self.queries.append(query)
        return 202, {"key": key, "state": "received", "url": f"{self.url}/submissions/{key}"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: Fake

    def do_GET(self) -> None:
        self._handle("GET")

    def do_POST(self) -> None:
        self._handle("POST")

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _handle(self, method: str) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.fake.requests.append(f"{method} {parts.path}")
        self.fake.tokens.add(self.headers.get("Authorization", ""))
        reply = self.fake.fault(method, parts.path)
        if reply is None:
            reply = self.fake.answer(method, parts.path, dict(parse_qsl(parts.query)), body)
            reply = self.fake.late(method, parts.path) or reply
        if reply == CUT:
            self.close_connection = True
            return
        status, value, *headers = reply
        content = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in (headers[0] if headers else {}).items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving(fake: Fake) -> Iterator[Fake]:
    """Serve a board on a free port until the end of the block."""
    handler = type("Handler", (_Handler,), {"fake": fake})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        fake.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield fake
        finally:
            server.shutdown()
            thread.join()


def once(reply: Any, method: str, path: str) -> Callable[[str, str], Any]:
    """Return a handler of faults that gives this reply to the first such request alone."""
    left = [reply]

    def handle(of: str, at: str) -> Any:
        return left.pop() if left and (of, at) == (method, path) else None

    return handle
