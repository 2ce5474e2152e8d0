"""What every page of the running board has, and the pages that all may see."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.web import snapshot
from pipeline.leaderboard.web.board import Board, board_of
from pipeline.leaderboard.web.links import LiveLinks
from pipeline.leaderboard.web.query import Query, read_query, sorts
from pipeline.leaderboard.web.rendering import ASSETS, MEDIA_TYPES, render
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.views.about import about
from pipeline.leaderboard.web.views.board_json import board_json
from pipeline.leaderboard.web.views.model import model_page
from pipeline.leaderboard.web.views.overview import overview
from pipeline.leaderboard.web.views.task import task_page
from pipeline.leaderboard.web.visitors import session_of

_FOREVER: Final = "public, max-age=31536000, immutable"


def links_of(request: Request) -> LiveLinks:
    """Return addresses inside the board, below the path at which a proxy serves it."""
    return LiveLinks(request.scope.get("root_path", ""))


async def html(request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
    """Return a page of the running board; who is logged in gets pages that nobody keeps."""
    board, session = board_of(request), await session_of(request)
    text = render(
        template,
        links_of(request),
        live=True,
        board=board.settings,
        protected=board.protected,
        simulated=board.release.simulated,
        session=session,
        tasks=board.tasks,
        **values,
    )
    return HTMLResponse(text, status, {"cache-control": "no-store" if session else "no-cache"})


async def visitor_of(request: Request) -> int | None:
    """Return the id of the submitter who is logged in, or None."""
    session = await session_of(request)
    return session.submitter.id if session else None


async def home(request: Request) -> Response:
    """The board: models by metrics."""
    board = board_of(request)
    query = read_query(request.query_params, sorts(board.tasks))
    shown = await _snapshot(board, query)
    view = overview(shown, board.tasks, query, visitor=await visitor_of(request))
    return await html(request, "home.html.j2", snapshot=shown, query=query, view=view)


async def task(request: Request) -> Response:
    """A task: its systems with ranks and intervals."""
    board = board_of(request)
    found = board.task(request.path_params["task"])
    query = read_query(request.query_params, [metric.name for metric in found.metrics])
    shown = await _snapshot(board, query)
    view = task_page(shown, found, query, visitor=await visitor_of(request))
    link = partial(links_of(request).task, found.id)
    return await html(
        request, "task.html.j2", snapshot=shown, query=query, view=view, task_link=link
    )


async def model(request: Request) -> Response:
    """A model: what is said of it, and its results."""
    board = board_of(request)
    query = read_query(request.query_params, ())
    shown = await _snapshot(board, query)
    key, visitor = request.path_params["key"], await visitor_of(request)
    view = model_page(shown, board.tasks, key, visitor=visitor)
    link = partial(links_of(request).model, key)
    return await html(
        request, "model.html.j2", snapshot=shown, query=query, view=view, model_link=link
    )


async def rules(request: Request) -> Response:
    """The rules of the board in words."""
    board = board_of(request)
    query = Query()
    shown = await _snapshot(board, query)
    view = about(board.settings, board.tasks, shown, protected=board.protected)
    return await html(request, "about.html.j2", snapshot=shown, query=query, view=view)


async def data(request: Request) -> Response:
    """board.json."""
    board = board_of(request)
    query = read_query(request.query_params, ())
    shown = await _snapshot(board, query)
    record = board_json(shown, board.release, board.settings, protected=board.protected)
    return JSONResponse(record, headers={"cache-control": "no-cache"})


async def asset(request: Request) -> Response:
    """A style sheet, script or picture of the board's own."""
    name = request.path_params["name"]
    if name not in MEDIA_TYPES:
        raise RefusedError(404, "there is no such file")
    return FileResponse(
        ASSETS / name, media_type=MEDIA_TYPES[name], headers={"cache-control": _FOREVER}
    )


async def health(request: Request) -> Response:
    """Tell that the process answers and its database can be read."""
    await board_of(request).read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())
    return JSONResponse({"status": "ok"})


async def _snapshot(board: Board, query: Query) -> Snapshot:
    return await board.read(snapshot.take, number=query.version, part=query.part)
