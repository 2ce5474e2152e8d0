"""The API for programs; docs/leaderboard.md describes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pipeline.leaderboard.intake import IncomingFile, new_key
from pipeline.leaderboard.quotas import quota_of
from pipeline.leaderboard.records import RefusedError, Submission, Submitter, Upload
from pipeline.leaderboard.web.account_pages import own_submission
from pipeline.leaderboard.web.board import Board, board_of
from pipeline.leaderboard.web.uploads import Ready, prepare, store, write_stream
from pipeline.leaderboard.web.views.quota import quota_json
from pipeline.leaderboard.web.views.submission import entry_of, submission_json
from pipeline.leaderboard.web.visitors import require_token

_FORMS: Final = ("jsonl", "parquet")
_PACKED: Final = ("", "gz", "zst")
_PARAMETERS: Final = (
    *("task", "model", "parameters", "kind", "link", "description"),
    *("form", "packed", "digest", "dev_file"),
)


async def submit(request: Request) -> Response:
    """Take predictions as the body of a request, and put them into the queue."""
    submitter, board = await require_token(request), board_of(request)
    given = _parameters(request)
    now = board.now
    ready = await board.read(prepare, board, submitter, given, now=now)
    with board.uploading.one(submitter), IncomingFile(board.layout, most=_most(board)) as file:
        await write_stream(file, request.stream())
        done = await _store(board, ready, file, given.get("dev_file", ""))
    quota = await board.read(_quota, board, submitter, done.task)
    record = {"key": done.key, "state": done.state, "url": url_of(request, done.key)}
    return JSONResponse({**record, "quota": quota}, 202)


async def dev_file(request: Request) -> Response:
    """Take predictions on dev, which the next submission of the submitter may name."""
    submitter, board = await require_token(request), board_of(request)
    given = _parameters(request)
    with board.uploading.one(submitter), IncomingFile(board.layout, most=_most(board)) as file:
        await write_stream(file, request.stream())
        key = new_key()
        upload = await run_in_threadpool(file.keep, key, form=given["form"], dev=True)
        board.dev_files.add(submitter, key, upload)
    return JSONResponse({"dev_file": key}, 201)


async def submission(request: Request) -> Response:
    """The state of a submission of the submitter."""
    submitter, board = await require_token(request), board_of(request)
    view, shown = await own_submission(board, submitter, request.path_params["key"])
    one = view.submission
    record = submission_json(view, entry_of(one, shown), shown)
    quota = await board.read(_quota, board, submitter, one.task)
    return JSONResponse({**record, "url": url_of(request, one.key), "quota": quota})


async def quota(request: Request) -> Response:
    """What the submitter may still send, by task."""
    submitter, board = await require_token(request), board_of(request)
    quotas = [await board.read(_quota, board, submitter, task.id) for task in board.tasks]
    return JSONResponse({"submitter": submitter.name, "quotas": quotas})


def url_of(request: Request, key: str) -> str:
    """Return the whole address of a submission's page."""
    place = board_of(request).place
    scheme = place.scheme or request.scope["scheme"]
    host = place.host or request.headers["host"]
    return f"{scheme}://{host}{place.path}/submissions/{key}"


async def _store(board: Board, ready: Ready, file: IncomingFile, dev_key: str) -> Submission:
    if not dev_key:
        return await run_in_threadpool(store, board, ready, file, None)
    dev: Upload = board.dev_files.take(ready.submitter, dev_key)
    try:
        return await run_in_threadpool(store, board, ready, file, dev)
    except RefusedError:
        board.dev_files.give_back(ready.submitter, dev_key, dev)
        raise


def _parameters(request: Request) -> Mapping[str, str]:
    """Return the parameters of an upload; raises RefusedError (422) that names a wrong one."""
    given = dict(request.query_params)
    unknown = sorted(set(given) - set(_PARAMETERS))
    if unknown:
        allowed = ", ".join(_PARAMETERS)
        raise RefusedError(422, f"unknown parameter {unknown[0][:40]!r}; allowed: {allowed}")
    for name, allowed_values in (("form", _FORMS), ("packed", _PACKED)):
        if given.get(name, "") not in allowed_values:
            allowed = ", ".join(value for value in allowed_values if value)
            raise RefusedError(422, f"`{name}` must be one of: {allowed}")
    return given


def _quota(connection: Connection, board: Board, submitter: Submitter, task: str) -> dict[str, Any]:
    limits = board.settings.limits
    return quota_json(quota_of(connection, submitter, task, limits, now=board.now))


def _most(board: Board) -> int:
    return board.settings.upload.bytes
