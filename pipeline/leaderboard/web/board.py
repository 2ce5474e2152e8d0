"""What all requests of the web process share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.settings import Settings
from pipeline.leaderboard.web.dev_files import DevFiles
from pipeline.leaderboard.web.proxies import Place
from pipeline.leaderboard.web.rate_limits import RateLimits
from pipeline.leaderboard.web.tasks import Release, TaskInfo
from pipeline.leaderboard.web.uploading import Uploading

P = ParamSpec("P")
T = TypeVar("T")
_Asked = Callable[Concatenate[Connection, P], T]


@dataclass(frozen=True)
class Board:
    """A board as its web process knows it; it reads no label.

    `protected`: only the scorer can read the test labels. `clock`: seconds since 1970.
    """

    layout: Layout
    settings: Settings
    engine: Engine
    release: Release
    protected: bool
    place: Place
    clock: Callable[[], int]
    limits: RateLimits
    dev_files: DevFiles
    uploading: Uploading

    @property
    def tasks(self) -> tuple[TaskInfo, ...]:
        return self.release.tasks

    @property
    def now(self) -> int:
        return self.clock()

    def task(self, name: str) -> TaskInfo:
        """Return a task of the board by its id or config name; raises RefusedError (404)."""
        found = next((task for task in self.tasks if name in (task.id, task.config)), None)
        if found is None:
            allowed = ", ".join(task.id for task in self.tasks) or "none"
            raise RefusedError(404, f"the board has no task {name[:40]!r}; tasks: {allowed}")
        return found

    async def read(self, ask: _Asked[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a function reads from the database, which runs in a thread."""

        def run() -> T:
            with reading(self.engine) as connection:
                return ask(connection, *args, **kwargs)

        return await run_in_threadpool(run)

    async def write(self, change: _Asked[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a function says that changes the database, in one transaction."""

        def run() -> T:
            with writing(self.engine) as connection:
                return change(connection, *args, **kwargs)

        return await run_in_threadpool(run)


def board_of(request: HTTPConnection[Any]) -> Board:
    """Return the board of a request."""
    board: Board = request.app.state.board
    return board
