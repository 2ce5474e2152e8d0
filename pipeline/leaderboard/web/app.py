"""The web application of a board: routes, and what every request passes before it reaches one."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pipeline.leaderboard.database import open_engine
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.settings import load_settings
from pipeline.leaderboard.web import account_pages, api, pages, submit_pages
from pipeline.leaderboard.web.board import Board
from pipeline.leaderboard.web.body_limits import SMALL, BodyLimits
from pipeline.leaderboard.web.dev_files import DevFiles
from pipeline.leaderboard.web.errors import Faults, on_http, on_refused
from pipeline.leaderboard.web.gates import Gates
from pipeline.leaderboard.web.hosts import Hosts
from pipeline.leaderboard.web.proxies import Proxies, networks, public_place
from pipeline.leaderboard.web.rate_limits import RateLimits
from pipeline.leaderboard.web.security_headers import SecurityHeaders
from pipeline.leaderboard.web.tasks import read_release
from pipeline.leaderboard.web.uploading import Uploading

#: Paths that take files.
_UPLOADS: Final = {"/submit": 2, "/api/submissions": 1, "/api/dev-files": 1}
_Endpoint = Callable[[Request], Awaitable[Response]]


def create_app(
    folder: Path, *, protected: bool, clock: Callable[[], int] = lambda: int(time.time())
) -> Starlette:
    """Return the web application of a board's folder.

    `protected`: the scorer runs as another user, so that this process cannot read the test labels.
    Raises SpecError and InputError for settings that cannot be used.
    """
    board = make_board(folder, protected=protected, clock=clock)
    app = Starlette(
        routes=routes(),
        middleware=_middleware(board),
        exception_handlers={RefusedError: on_refused, HTTPException: on_http},
    )
    app.state.board = board
    return app


def make_board(folder: Path, *, protected: bool, clock: Callable[[], int]) -> Board:
    """Return what all requests share, read from the board's folder."""
    settings, layout = load_settings(folder), Layout(folder)
    return Board(
        layout=layout,
        settings=settings,
        engine=open_engine(folder, settings),
        release=read_release(layout.public_release(1), chosen=settings.tasks),
        protected=protected,
        place=public_place(settings.public_url),
        clock=clock,
        limits=RateLimits(clock),
        dev_files=DevFiles(layout.submissions, clock),
        uploading=Uploading(),
    )


def routes() -> list[Route]:
    """Return the routes of the board."""
    return [
        _route("/", get=pages.home),
        _route("/tasks/{task}", get=pages.task),
        _route("/models/{key}", get=pages.model),
        _route("/about", get=pages.rules),
        _route("/board.json", get=pages.data),
        _route("/assets/{name}", get=pages.asset),
        _route("/healthz", get=pages.health),
        _route("/login", get=account_pages.login_form, post=account_pages.login),
        _route("/logout", post=account_pages.logout),
        _route("/submit", get=submit_pages.form, post=submit_pages.submit),
        _route("/submissions", get=account_pages.history),
        _route("/submissions/{key}", get=account_pages.submission),
        _route("/submissions/{key}/withdraw", post=account_pages.withdraw),
        _route("/api/quota", get=api.quota),
        _route("/api/dev-files", post=api.dev_file),
        _route("/api/submissions", post=api.submit),
        _route("/api/submissions/{key}", get=api.submission),
    ]


def _route(path: str, *, get: _Endpoint | None = None, post: _Endpoint | None = None) -> Route:
    endpoints = {"GET": get, "HEAD": get, "POST": post}
    methods = [method for method, endpoint in endpoints.items() if endpoint is not None]

    async def answer(request: Request) -> Response:
        endpoint = endpoints[request.method]
        assert endpoint is not None, "the route takes no other methods"
        return await endpoint(request)

    return Route(path, answer, methods=methods)


def _middleware(board: Board) -> list[Middleware]:
    """Return what surrounds the routes, the outermost first."""
    trusted = networks(board.settings.trusted_proxies)
    return [
        Middleware(Proxies, place=board.place, trusted=trusted),
        Middleware(SecurityHeaders),
        Middleware(Faults),
        Middleware(Hosts, public=board.place.host),
        Middleware(Gates, limits=board.limits),
        Middleware(BodyLimits, large=partial(_large, board)),
    ]


def _large(board: Board, path: str) -> int | None:
    """Return how many bytes a path takes, if it takes files: each has some room for its fields."""
    files = _UPLOADS.get(path)
    return None if files is None else files * board.settings.upload.bytes + SMALL
