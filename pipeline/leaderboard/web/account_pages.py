"""Pages of submitters: log in and out, what they submitted, what they may still submit."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pipeline.leaderboard import ladders, marks, quotas, sessions, submissions
from pipeline.leaderboard.records import RefusedError, Submission, Submitter
from pipeline.leaderboard.web import snapshot
from pipeline.leaderboard.web.after_login import ENDED, NEXT, own_path
from pipeline.leaderboard.web.board import Board, board_of
from pipeline.leaderboard.web.forms import (
    CSRF,
    LOGIN_COOKIE,
    check_login_secret,
    new_login_secret,
    read_form,
)
from pipeline.leaderboard.web.pages import html, links_of
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.views.quota import QuotaLine, quota_line
from pipeline.leaderboard.web.views.submission import (
    SubmissionPage,
    history_row,
    submission_page,
)
from pipeline.leaderboard.web.visitors import (
    COOKIE,
    log_in,
    require_session,
    session_of,
    set_cookie,
)

_SEE_OTHER: Final = 303
#: As `submissions.get` says it: nobody learns which keys of others exist.
_UNKNOWN: Final = "no such submission; the list of your submissions has their keys"


async def login_form(
    request: Request, *, status: int = 200, error: str = "", then: str = ""
) -> Response:
    """The form that takes a token; `then` is the page that follows."""
    links = links_of(request)
    then = then or own_path(request.query_params.get(NEXT, ""))
    if await session_of(request) is not None:
        return RedirectResponse(f"{links.root}{then}" if then else links.submissions(), _SEE_OTHER)
    secret = request.cookies.get(LOGIN_COOKIE) or new_login_secret()
    if ENDED in request.query_params:
        error = error or "your session ended; nothing was sent"
    values = {"error": error, "wrong": status == 401, "secret": secret, "then": then}
    page = await html(request, "login.html.j2", status=status, **values)
    set_cookie(page, request.scope, LOGIN_COOKIE, secret)
    page.headers["cache-control"] = "no-store"
    return page


async def login(request: Request) -> Response:
    """Take a token and start a session."""
    form = await read_form(request)
    check_login_secret(request, form)
    then = own_path(form.get(NEXT, ""))
    try:
        cookie = await log_in(request, form.get("token", ""))
    except RefusedError as error:
        if error.status != 401:
            raise
        return await login_form(request, status=401, error=error.reason, then=then)
    links = links_of(request)
    done = RedirectResponse(f"{links.root}{then}" if then else links.submit(), _SEE_OTHER)
    set_cookie(done, request.scope, COOKIE, cookie)
    set_cookie(done, request.scope, LOGIN_COOKIE, "")
    return done


async def logout(request: Request) -> Response:
    """End the session."""
    session = await session_of(request)
    done = RedirectResponse(links_of(request).login(), _SEE_OTHER)
    if session is not None:
        sessions.check_csrf(session, (await read_form(request)).get(CSRF, ""))
        board = board_of(request)
        await board.write(sessions.end, request.cookies.get(COOKIE, ""), now=board.now)
    set_cookie(done, request.scope, COOKIE, "")
    return done


async def history(request: Request) -> Response:
    """All submissions of the visitor, and the quota of each task."""
    session, board = await require_session(request), board_of(request)
    found = await board.read(submissions.history, session.submitter)
    shown = await board.read(snapshot.take, number=None, part=None)
    rows = [history_row(one, board.tasks, shown) for one in found]
    quota = await quota_lines(board, session.submitter)
    return await html(request, "submissions.html.j2", rows=rows, quota=quota)


async def submission(request: Request) -> Response:
    """One submission of the visitor: its steps, its faults or its score."""
    session, board = await require_session(request), board_of(request)
    view, shown = await own_submission(board, session.submitter, request.path_params["key"])
    best = None
    if not view.results and shown.version is not None:
        best = await board.read(ladders.best_of, view.submission, shown.version.number)
    lines = await quota_lines(board, session.submitter)
    quota = next((line for line in lines if line.task == view.submission.task), None)
    return await html(request, "submission.html.j2", view=view, quota=quota, best=best)


async def withdraw(request: Request) -> Response:
    """Take a submission of the visitor's out of the ranks; it stays on the board, marked."""
    session, board = await require_session(request), board_of(request)
    form = await read_form(request)
    sessions.check_csrf(session, form.get(CSRF, ""))
    key = request.path_params["key"]
    await own_submission(board, session.submitter, key)
    reason = form.get("reason", "")
    await board.write(marks.mark, key, "withdrawn", reason, actor=session.submitter, now=board.now)
    return RedirectResponse(links_of(request).submission(key), _SEE_OTHER)


async def own_submission(
    board: Board, submitter: Submitter, key: str
) -> tuple[SubmissionPage, Snapshot]:
    """Return a submission of a submitter; another's is as unknown as none (RefusedError, 404)."""

    def ask(connection: Connection) -> tuple[Submission, int | None, Snapshot]:
        found = submissions.get(connection, key)
        if found.submitter.id != submitter.id:
            raise RefusedError(404, _UNKNOWN)
        place = submissions.queue_position(connection, found.id)
        return found, place, snapshot.take(connection, number=None, part=None)

    found, place, shown = await board.read(ask)
    task = next((task for task in board.tasks if task.id == found.task), None)
    return submission_page(found, task, shown, position=place), shown


async def quota_lines(board: Board, submitter: Submitter) -> list[QuotaLine]:
    """Return the quota of each task in words."""

    def ask(connection: Connection) -> list[QuotaLine]:
        now, limits = board.now, board.settings.limits
        return [
            quota_line(
                quotas.quota_of(connection, submitter, task.id, limits, now=now),
                task.title,
                now=now,
            )
            for task in board.tasks
        ]

    return await board.read(ask)
