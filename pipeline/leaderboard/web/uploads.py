"""Files on their way to the disk, and from there to the queue."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool

from pipeline.leaderboard import audit_log, submissions, versions
from pipeline.leaderboard.database import writing
from pipeline.leaderboard.intake import IncomingFile, new_key
from pipeline.leaderboard.quotas import quota_of
from pipeline.leaderboard.records import ModelInfo, RefusedError, Submission, Submitter, Upload
from pipeline.leaderboard.texts import check_model
from pipeline.leaderboard.web.board import Board
from pipeline.leaderboard.web.views.quota import sentence as quota_words

#: So many bytes are collected before a thread writes them.
_BUFFER: Final = 1024**2
_DIGITS: Final = 16


class Writer:
    """Collects what arrives, and writes it in a thread."""

    def __init__(self, file: IncomingFile) -> None:
        self._file = file
        self._buffer = bytearray()

    async def add(self, data: bytes) -> None:
        """Take the next bytes; raises RefusedError (413) for more than the board takes."""
        self._buffer += data
        if len(self._buffer) >= _BUFFER:
            await self.flush()

    async def flush(self) -> None:
        """Write what was collected."""
        data, self._buffer = bytes(self._buffer), bytearray()
        if data:
            await run_in_threadpool(self._file.write, data)


async def write_stream(file: IncomingFile, stream: AsyncIterator[bytes]) -> None:
    """Write a body as it arrives."""
    writer = Writer(file)
    async for chunk in stream:
        await writer.add(chunk)
    await writer.flush()


@dataclass(frozen=True)
class Ready:
    """What is submitted: a model's predictions on a task, and where those on dev are."""

    submitter: Submitter
    model: ModelInfo
    task: str
    form: str | None = None


def prepare(
    connection: Connection,
    board: Board,
    submitter: Submitter,
    given: Mapping[str, str],
    *,
    now: int,
) -> Ready:
    """Check all that is known before the file: board, quota, task, model.

    A model that was submitted before needs its name alone. Raises RefusedError: 403 for a closed
    board, 404 for an unknown task, 409 for the digest of a file that was submitted, 422 for no task
    and for what is said of the model, 429 when nothing is left.
    """
    if not given.get("task"):
        raise RefusedError(422, f"choose a task: {', '.join(task.id for task in board.tasks)}")
    task = board.task(given.get("task", "")).id
    newest = max(versions.all_versions(connection), key=lambda v: v.number, default=None)
    if newest is None or newest.closed_at is not None:
        raise RefusedError(403, "the board is closed: it takes no more submissions")
    if digest := given.get("digest", ""):
        submissions.require_new(connection, submitter, task, digest)
    quota = quota_of(connection, submitter, task, board.settings.limits, now=now)
    if quota.left <= 0:
        wait = None if quota.next_at is None else max(1, quota.next_at - now)
        raise RefusedError(
            429, f"{task}: {quota_words(quota, now=now)}; nothing was sent", retry_after=wait
        )
    return Ready(submitter, _model(connection, submitter, given), task, given.get("form") or None)


def _model(connection: Connection, submitter: Submitter, given: Mapping[str, str]) -> ModelInfo:
    name = " ".join(given.get("model", "").split())
    known = (one.model for one in submissions.history(connection, submitter))
    before = next((model for model in known if model.name == name), ModelInfo(name))
    size, kind = _number(given.get("parameters", "")), given.get("kind", "")
    return check_model(
        ModelInfo(
            name=name,
            parameters=before.parameters if size is None else size,
            kind=kind or before.kind,
            link=given.get("link", "").strip() or before.link,
            description=given.get("description", "").strip() or before.description,
        )
    )


def _number(text: str) -> int | None:
    plain = text.strip().replace(",", "").replace("_", "")
    if not plain:
        return None
    if not (plain.isascii() and plain.isdigit() and len(plain) <= _DIGITS):
        raise RefusedError(
            422, "`parameters` must be a whole number, such as 110000000; leave it out if unknown"
        )
    return int(plain)


def store(
    board: Board,
    ready: Ready,
    file: IncomingFile,
    dev: IncomingFile | Upload | None,
) -> Submission:
    """Put files that arrived as a whole into the queue; raises RefusedError as `receive` does."""
    now, key = board.now, new_key()
    actor = audit_log.actor_of(ready.submitter)
    with audit_log.refusals(board.engine, at=now, actor=actor, action="submission.refuse"):
        upload = file.keep(key, form=ready.form)
        dev_upload = dev.keep(key, dev=True) if isinstance(dev, IncomingFile) else dev
        with writing(board.engine) as connection:
            return submissions.receive(
                connection,
                ready.submitter,
                ready.model,
                ready.task,
                upload,
                dev_upload,
                key=key,
                limits=board.settings.limits,
                now=now,
            )
