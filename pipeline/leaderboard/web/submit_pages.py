"""The page that takes predictions, with the quota beforehand."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pipeline.leaderboard import sessions, submissions, versions
from pipeline.leaderboard.intake import IncomingFile
from pipeline.leaderboard.records import RefusedError, Submission
from pipeline.leaderboard.sessions import Session
from pipeline.leaderboard.settings import KINDS
from pipeline.leaderboard.web.account_pages import quota_lines
from pipeline.leaderboard.web.board import Board, board_of
from pipeline.leaderboard.web.forms import CSRF
from pipeline.leaderboard.web.multipart import Field, Piece, read_parts
from pipeline.leaderboard.web.pages import html, links_of
from pipeline.leaderboard.web.uploads import Ready, Writer, prepare, store
from pipeline.leaderboard.web.views import words
from pipeline.leaderboard.web.visitors import require_session

_SEE_OTHER: Final = 303
_FILE, _DEV = "file", "dev"
#: The fields that are filled in again after a refusal.
_SHOWN: Final = ("task", "model", "parameters", "kind", "link", "description")


async def form(
    request: Request, *, refused: RefusedError | None = None, given: dict[str, str] | None = None
) -> Response:
    """The form, what the visitor may still send, and what refused files cost: nothing."""
    session, board = await require_session(request), board_of(request)
    newest = (await board.read(versions.all_versions))[-1:]
    models = {one.model.name for one in await board.read(submissions.history, session.submitter)}
    return await html(
        request,
        "submit.html.j2",
        status=refused.status if refused else 200,
        error=refused.reason if refused else "",
        same=refused.submission if refused else "",
        given=dict.fromkeys(_SHOWN, "") | (dict(request.query_params) if given is None else given),
        quota=await quota_lines(board, session.submitter),
        kinds=KINDS,
        models=sorted(models),
        size=words.size(board.settings.upload.bytes),
        closed=not newest or newest[0].closed_at is not None,
    )


async def submit(request: Request) -> Response:
    """Take a file while it arrives; fields come before it, so that faults need no upload."""
    session, board = await require_session(request), board_of(request)
    upload = _Upload(board, session)
    try:
        with board.uploading.one(session.submitter), upload:
            async for part in read_parts(request):
                await upload.add(part)
            done = await upload.finish()
    except RefusedError as error:
        if error.status in (403, 408, 415):
            raise
        return await form(request, refused=error, given=upload.fields)
    return RedirectResponse(links_of(request).submission(done.key), _SEE_OTHER)


class _Upload(ExitStack):
    """A form that is being received: its fields, then its files."""

    def __init__(self, board: Board, session: Session) -> None:
        super().__init__()
        self._board, self._session = board, session
        self.fields: dict[str, str] = {}
        self._files: dict[str, tuple[IncomingFile, Writer]] = {}
        self._ready: Ready | None = None

    async def add(self, part: Field | Piece) -> None:
        if isinstance(part, Field):
            self.fields[part.name] = part.value
            return
        if self._ready is None:
            sessions.check_csrf(self._session, self.fields.get(CSRF, ""))
            self._ready = await self._board.read(
                prepare, self._board, self._session.submitter, self.fields, now=self._board.now
            )
        if part.data:
            await self._writer(part.name).add(part.data)

    async def finish(self) -> Submission:
        """Put what arrived into the queue; raises RefusedError (422) without a file."""
        for _, writer in self._files.values():
            await writer.flush()
        if self._ready is None or _FILE not in self._files:
            sessions.check_csrf(self._session, self.fields.get(CSRF, ""))
            raise RefusedError(422, "choose a file of predictions: JSONL or Parquet")
        dev = self._files[_DEV][0] if _DEV in self._files else None
        file = self._files[_FILE][0]
        return await run_in_threadpool(store, self._board, self._ready, file, dev)

    def _writer(self, name: str) -> Writer:
        if name not in (_FILE, _DEV):
            raise RefusedError(422, "the form has a file that the board did not ask for")
        if name not in self._files:
            most = self._board.settings.upload.bytes
            file = self.enter_context(IncomingFile(self._board.layout, most=most))
            self._files[name] = file, Writer(file)
        return self._files[name][1]
