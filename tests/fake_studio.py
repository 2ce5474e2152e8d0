"""A small Label Studio on loopback: what klue asks of one, with faults on request.

Its answers have the form of Label Studio 1.23.2, as recorded from a real server; the check with the
real one is tests/label_studio/check_live.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

TOKEN: Final = "0123456789abcdef0123456789abcdef01234567"
#: A personal access token: it is exchanged, and serves for nothing else.
PERSONAL: Final = "eyJhbGciOiJub25lIn0.eyJ0b2tlbl90eXBlIjoicmVmcmVzaCJ9.c2VjcmV0"
USERS: Final = {
    1: "owner@example.com",
    2: "hana@example.com",
    3: "duri@example.com",
    4: "sena@example.com",
}
Record = dict[str, Any]
Query = dict[str, str]


class _RefusalError(Exception):
    """An answer that is an error: its status."""


@dataclass
class Fault:
    """What goes wrong with the next `times` requests whose `METHOD PATH QUERY` match."""

    pattern: str
    act: Callable[[_Handler], None]
    times: int = 10**6
    #: The server does first what it is asked for.
    afterwards: bool = False


@dataclass
class FakeStudio:
    """The state of the server; tests look at it and change it."""

    release: object = "1.23.2"
    prefix: str = ""
    url: str = ""
    projects: dict[int, Record] = field(default_factory=dict)
    tasks: dict[int, Record] = field(default_factory=dict)
    tabs: list[Record] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    #: Method, path and Authorization of every request.
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    #: What a personal access token is exchanged for; a new value makes the old one expire.
    access: str = "access-1"
    stopped: Event = field(default_factory=Event)

    def annotate(self, item: str, user: int, results: list[Record], **more: object) -> Record:
        """Submit an annotation of an item's first task."""
        task = next(t for t in self.tasks.values() if t["data"]["item"] == item)
        number = 1 + sum(len(t["annotations"]) for t in self.tasks.values())
        annotation = {
            "id": number,
            "completed_by": user,
            "created_username": f" {USERS.get(user)}, {user}",
            "result": results,
            "was_cancelled": False,
            "created_at": f"2026-11-24T09:00:{number % 60:02}.000000Z",
            "updated_at": f"2026-11-24T09:30:{number % 60:02}.000000Z",
            "lead_time": 4.5,
            **more,
        }
        task["annotations"].insert(0, annotation)
        return annotation

    def items_of_tab(self, title: str) -> list[str]:
        """Return the items that the tab of this title shows."""
        tab = next(t for t in self.tabs if t["data"]["title"] == title)
        (condition,) = tab["data"]["filters"]["items"]
        key = condition["filter"].removeprefix("filter:tasks:data.")
        assert condition["operator"] == "contains"
        data = [task["data"] for task in self.tasks.values() if task["project"] == tab["project"]]
        return [one["item"] for one in data if condition["value"] in one[key]]

    def answer(self, method: str, path: str, query: Query, body: Any) -> Any:
        """Return the value of an answer; raises _RefusalError for an error."""
        for pattern, reply in _ROUTES:
            match = re.fullmatch(pattern, f"{method} {path}")
            if match:
                return reply(self, query, body, *(int(number) for number in match.groups()))
        raise _RefusalError(404)

    def is_allowed(self, path: str, authorization: str | None) -> bool:
        """Return whether a request may be answered."""
        if path in {"/api/version", "/api/token/refresh"}:
            return True
        return authorization in {f"Token {TOKEN}", f"Bearer {self.access}"}


def _version(studio: FakeStudio, *_: Any) -> Record:
    return {"release": studio.release, "edition": "Community"}


def _refresh(studio: FakeStudio, _: Query, body: Record) -> Record:
    if body != {"refresh": PERSONAL}:
        raise _RefusalError(401)
    return {"access": studio.access}


def _list_projects(studio: FakeStudio, query: Query, _: Any) -> Record:
    every = list(studio.projects.values())
    return {"count": len(every), "results": _page(every, query)}


def _make_project(studio: FakeStudio, _: Query, body: Record) -> Record:
    if len(body["title"]) > 50:
        raise _RefusalError(400)
    number = len(studio.projects) + 1
    studio.projects[number] = {**body, "id": number, "label_config": body["label_config"].strip()}
    return studio.projects[number]


def _import_tasks(studio: FakeStudio, _: Query, body: list[Record], project: int) -> Record:
    if project not in studio.projects:
        raise _RefusalError(404)
    for task in body:
        number = max(studio.tasks, default=0) + 1
        more = {"id": number, "project": project, "annotations": [], "drafts": []}
        studio.tasks[number] = {"predictions": [], **task, **more}
    return {"task_count": len(body)}


def _list_tasks(studio: FakeStudio, query: Query, _: Any) -> Record:
    project = int(query["project"])
    if project not in studio.projects:
        raise _RefusalError(404)
    every = [task for task in studio.tasks.values() if task["project"] == project]
    page = _page(every, query)
    if query["fields"] != "all":
        page = [{k: v for k, v in one.items() if k != "annotations"} for one in page]
    return {"total": len(every), "tasks": page}


def _get_task(studio: FakeStudio, _: Query, __: Any, task: int) -> Record:
    return studio.tasks[task]


def _get_drafts(studio: FakeStudio, _: Query, __: Any, task: int) -> list[Record]:
    drafts: list[Record] = studio.tasks[task]["drafts"]
    return drafts


def _delete_task(studio: FakeStudio, _: Query, __: Any, task: int) -> None:
    del studio.tasks[task]


def _list_tabs(studio: FakeStudio, query: Query, _: Any) -> list[Record]:
    return [tab for tab in studio.tabs if tab["project"] == int(query["project"])]


def _make_tab(studio: FakeStudio, _: Query, body: Record) -> Record:
    studio.tabs.append({**body, "id": len(studio.tabs) + 1})
    return studio.tabs[-1]


def _list_users(*_: Any) -> list[Record]:
    return [{"id": number, "email": email, "phone": ""} for number, email in USERS.items()]


def _page(values: list[Record], query: Query) -> list[Record]:
    size, number = int(query["page_size"]), int(query["page"])
    page = values[size * (number - 1) : size * number]
    if number > 1 and not page:
        raise _RefusalError(404)
    return page


_ROUTES: Final[tuple[tuple[str, Callable[..., Any]], ...]] = (
    (r"GET /api/version", _version),
    (r"POST /api/token/refresh", _refresh),
    (r"GET /api/projects", _list_projects),
    (r"POST /api/projects", _make_project),
    (r"POST /api/projects/(\d+)/import", _import_tasks),
    (r"GET /api/tasks", _list_tasks),
    (r"GET /api/tasks/(\d+)", _get_task),
    (r"GET /api/tasks/(\d+)/drafts", _get_drafts),
    (r"DELETE /api/tasks/(\d+)/", _delete_task),
    (r"GET /api/dm/views", _list_tabs),
    (r"POST /api/dm/views/", _make_tab),
    (r"GET /api/users/", _list_users),
)


class _Handler(BaseHTTPRequestHandler):
    """Answers a request, or does what a fault says."""

    protocol_version = "HTTP/1.1"
    studio: FakeStudio

    def log_message(self, *_: Any) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        """Answer."""
        self._answer()

    def do_POST(self) -> None:
        """Answer."""
        self._answer()

    def do_DELETE(self) -> None:
        """Answer."""
        self._answer()

    def send(self, status: int, text: str, kind: str = "application/json", **heads: str) -> None:
        """Send a whole answer."""
        content = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        for name, value in heads.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        studio, path = self.studio, parts.path.removeprefix(self.studio.prefix)
        authorization = self.headers["Authorization"]
        studio.requests.append((self.command, path, authorization))
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fault = self._fault(f"{self.command} {path} {parts.query}")
        if fault and not fault.afterwards:
            return fault.act(self)
        if not parts.path.startswith(studio.prefix) or not studio.is_allowed(path, authorization):
            return self.send(401, json.dumps({"detail": f"Invalid token: {authorization}"}))
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        try:
            value = studio.answer(self.command, path, query, json.loads(text) if text else None)
        except _RefusalError as refusal:
            errors = {"label_config": [f"refused: {text.decode()} {authorization}"]}
            return self.send(refusal.args[0], json.dumps({"validation_errors": errors}))
        if fault:
            return fault.act(self)
        return self.send(200, "" if value is None else json.dumps(value, ensure_ascii=False))

    def _fault(self, request: str) -> Fault | None:
        for fault in self.studio.faults:
            if fault.times and re.search(fault.pattern, request):
                fault.times -= 1
                return fault
        return None


def status(code: int) -> Callable[[_Handler], None]:
    """Answer with a status, and with the request repeated in the text, as servers do."""
    return lambda handler: handler.send(code, json.dumps({"detail": str(handler.headers)}))


def page(code: int = 200) -> Callable[[_Handler], None]:
    """Answer with a web page."""
    return lambda handler: handler.send(code, "\n<!doctype html><title>Log in</title>", "text/html")


def redirect(goal: str) -> Callable[[_Handler], None]:
    """Lead elsewhere."""
    return lambda handler: handler.send(302, "", Location=goal)


def text(value: str) -> Callable[[_Handler], None]:
    """Answer with this text."""
    return lambda handler: handler.send(200, value)


def hang_up(handler: _Handler) -> None:
    """End the connection without an answer."""
    handler.close_connection = True
    handler.connection.close()


def be_silent(handler: _Handler) -> None:
    """Say nothing until the server stops."""
    handler.studio.stopped.wait(30)
    hang_up(handler)


def dribble(handler: _Handler) -> None:
    """Send a byte now and then, and never finish."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    while not handler.studio.stopped.wait(0.02):
        handler.wfile.write(b" ")


@contextmanager
def running(studio: FakeStudio) -> Iterator[FakeStudio]:
    """Run a server with this state on a free port of loopback."""
    handler = type("Handler", (_Handler,), {"studio": studio})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    studio.url = f"http://127.0.0.1:{server.server_address[1]}{studio.prefix}"
    try:
        yield studio
    finally:
        studio.stopped.set()
        server.shutdown()
        server.server_close()
