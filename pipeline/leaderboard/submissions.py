"""The way of a submission: received -> refused | accepted -> scored | failed.

Each step is one transaction, which the caller opens. A step that was made already changes nothing
when it is made again, so that a process that was killed, or whose commit may have been lost, is
simply run again. Steps return the submission as it is then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, and_, exists, func, insert, or_, select, update

from pipeline.leaderboard import audit_log, models, quotas, versions
from pipeline.leaderboard import scores as score_rows
from pipeline.leaderboard.records import (
    ModelInfo,
    RefusedError,
    Score,
    State,
    Submission,
    Submitter,
    Upload,
)
from pipeline.leaderboard.rows import selected
from pipeline.leaderboard.rows import submissions as found
from pipeline.leaderboard.settings import Limits
from pipeline.leaderboard.tables import SUBMISSIONS
from pipeline.leaderboard.texts import check_model, storable

#: A submission that was taken so often without a result fails.
MOST_ATTEMPTS: Final = 3


def receive(
    connection: Connection,
    submitter: Submitter,
    model: ModelInfo,
    task: str,
    upload: Upload,
    dev_upload: Upload | None = None,
    *,
    key: str,
    limits: Limits,
    now: int,
) -> Submission:
    """Store a submission whose file was received as a whole; nothing is charged yet.

    Raises RefusedError: 409 after the board was closed, and for a file that this submitter sent for
    this task before (unless that was refused, or failed); 422 for a model that is not described as
    it should be or was before; 429 when nothing is left.
    """
    earlier = _by_key(connection, key)
    if earlier is not None:
        return earlier
    _require_open(connection, now=now)
    model = check_model(model)
    require_new(connection, submitter, task, upload.digest)
    number = models.ensure(connection, submitter, model)
    quotas.require_left(quotas.quota_of(connection, submitter, task, limits, now=now), now=now)
    values = {
        "key": key,
        "submitter": submitter.id,
        "model": number,
        "task": task,
        "state": "received",
        "file": upload.file,
        "bytes": upload.bytes,
        "digest": upload.digest,
        "dev_file": dev_upload.file if dev_upload else None,
        "dev_digest": dev_upload.digest if dev_upload else None,
        "received_at": now,
        "attempts": 0,
    }
    connection.execute(insert(SUBMISSIONS).values(**values))
    detail = {"task": task, "model": model.name, "bytes": upload.bytes, "digest": upload.digest}
    actor = audit_log.actor_of(submitter)
    audit_log.add(
        connection, at=now, actor=actor, action="submission.receive", subject=key, detail=detail
    )
    return get(connection, key)


def take(connection: Connection, state: State, *, now: int, lease: int) -> Submission | None:
    """Take the oldest submission of a state that nobody works on, for `lease` seconds.

    Its attempts then count this one. Accepted ones of a submitter and task come one after the
    other, in order of receipt: none comes while an earlier one is not scored, so that scoring all
    of them again in order of receipt shows the same. (What is shown depends on all ladders of a
    task, see `ladders.shown_before`.)
    """
    waiting = SUBMISSIONS.alias("waiting")
    is_behind = exists().where(
        waiting.c.submitter == SUBMISSIONS.c.submitter,
        waiting.c.task == SUBMISSIONS.c.task,
        waiting.c.state.in_(("received", "accepted")),
        waiting.c.id < SUBMISSIONS.c.id,
    )
    is_free = or_(SUBMISSIONS.c.lease_until.is_(None), SUBMISSIONS.c.lease_until <= now)
    conditions = [SUBMISSIONS.c.state == state, is_free]
    if state == "accepted":
        conditions.append(~is_behind)
    query = select(SUBMISSIONS.c.id).where(and_(*conditions)).order_by(SUBMISSIONS.c.id).limit(1)
    number = connection.execute(query).scalar()
    if number is None:
        return None
    attempts = SUBMISSIONS.c.attempts + 1
    _change(connection, number, lease_until=now + lease, attempts=attempts)
    return _by_id(connection, number)


def require_new(connection: Connection, submitter: Submitter, task: str, digest: str) -> None:
    """Raise RefusedError (409), which names it, if the file was submitted and is not refused."""
    same = found(
        connection,
        selected(
            SUBMISSIONS.c.submitter == submitter.id,
            SUBMISSIONS.c.task == task,
            SUBMISSIONS.c.digest == digest,
            SUBMISSIONS.c.state.not_in(("refused", "failed")),
        ),
    )
    if same:
        raise RefusedError(
            409,
            f"the same file was submitted before, as {same[0].key} of model"
            f" {same[0].model.name!r}; its result is there, and nothing is charged",
            submission=same[0].key,
        )


def release(connection: Connection, number: int, *, is_attempt: bool) -> Submission:
    """Let others take a submission at once; an orderly stop was no attempt."""
    before = _by_id(connection, number)
    if before.state not in ("received", "accepted"):
        return before
    attempts = max(0, before.attempts - (not is_attempt))
    _change(connection, number, lease_until=None, attempts=attempts)
    return _by_id(connection, number)


def release_all(connection: Connection) -> None:
    """End the leases of workers that are gone; called before the workers of a board start."""
    is_leased = SUBMISSIONS.c.lease_until.is_not(None)
    connection.execute(update(SUBMISSIONS).where(is_leased).values(lease_until=None))


def refuse(connection: Connection, number: int, reason: str, *, now: int) -> Submission:
    """Refuse a submission that is received, for a fault of its file; nothing is charged."""
    return _finish(connection, number, "refused", reason, now=now)


def accept(connection: Connection, number: int, *, limits: Limits, now: int) -> Submission:
    """Accept a submission that is received, and charge it.

    It is refused if nothing is left for it, which only lowered limits can bring about.
    """
    before = _by_id(connection, number)
    if before.state != "received":
        return before
    quota = quotas.quota_of(connection, before.submitter, before.task, limits, now=now)
    if any(used >= limit for used, limit in (quota.day, quota.month, quota.total)):
        return refuse(connection, number, quotas.describe_spent(quota, now=now), now=now)
    _change(connection, number, state="accepted", accepted_at=now, attempts=0, lease_until=None)
    _log(connection, before.key, "accept", audit_log.CHECKER, now=now)
    return _by_id(connection, number)


def record(
    connection: Connection,
    number: int,
    version: int,
    scores: Sequence[Score],
    *,
    scorer_version: str,
    release_hash: str,
    message: str,
    now: int,
) -> Submission:
    """Store the scores of an accepted or scored submission under a version of the board.

    The best of the ladder loses its place to a better score in the same transaction. `message`
    tells the submitter why no score is shown, '' if one is. Parts that have scores under this
    version keep them.
    """
    before = _by_id(connection, number)
    if before.state not in ("accepted", "scored"):
        return before
    is_new = score_rows.store(
        connection,
        before,
        version,
        scores,
        scorer_version=scorer_version,
        release_hash=release_hash,
        now=now,
    )
    if before.state == "accepted":
        _change(connection, number, state="scored", finished_at=now, lease_until=None)
    if is_new:
        _change(connection, number, reason=storable(message))
        parts = ", ".join(score.part for score in scores)
        shown = ", ".join(score.part for score in scores if score.shown)
        detail = {"version": version, "parts": parts, "shown": shown}
        _log(connection, before.key, "score", audit_log.SCORER, now=now, **detail)
    return _by_id(connection, number)


def fail(connection: Connection, number: int, reason: str, *, now: int) -> Submission:
    """End a submission for a fault of the board's; it is not charged, or no longer."""
    return _finish(connection, number, "failed", reason, now=now)


def get(connection: Connection, key: str) -> Submission:
    """Return a submission by its key; raises RefusedError (404)."""
    submission = _by_key(connection, key)
    if submission is None:
        raise RefusedError(404, "no such submission; the list of your submissions has their keys")
    return submission


def history(connection: Connection, submitter: Submitter) -> list[Submission]:
    """Return all submissions of a submitter, the latest first."""
    return found(connection, selected(SUBMISSIONS.c.submitter == submitter.id))[::-1]


def queue_position(connection: Connection, number: int) -> int | None:
    """Return 1 for the submission that is next of its state, 2 for the one after it; or None.

    None is of one that is finished. One that is worked on counts.
    """
    state = _by_id(connection, number).state
    if state not in ("received", "accepted"):
        return None
    before = (SUBMISSIONS.c.state == state) & (SUBMISSIONS.c.id <= number)
    return int(connection.execute(select(func.count()).where(before)).scalar_one())


def waiting(connection: Connection) -> dict[State, int]:
    """Return how many submissions wait for their check (received), and for a score (accepted)."""
    states: tuple[State, ...] = ("received", "accepted")
    query = select(SUBMISSIONS.c.state, func.count()).group_by(SUBMISSIONS.c.state)
    counts: dict[str, int] = dict(connection.execute(query).tuples().all())
    return {state: counts.get(state, 0) for state in states}


def replayed(connection: Connection) -> list[Submission]:
    """Return what a new version scores again: all scored ones, in the order of their ladders."""
    return found(connection, selected(SUBMISSIONS.c.state == "scored"))


def digests(connection: Connection, number: int) -> dict[str, str]:
    """Return the SHA-256 of the files of a submission as they were received, by name."""
    names = ("file", "digest", "dev_file", "dev_digest")
    query = select(*(SUBMISSIONS.c[name] for name in names)).where(SUBMISSIONS.c.id == number)
    file, digest, dev_file, dev_digest = connection.execute(query).one()
    return {file: digest, **({dev_file: dev_digest} if dev_file else {})}


def files(connection: Connection) -> set[str]:
    """Return the names of all files of submissions, for `intake.remove_leftovers`."""
    rows = connection.execute(select(SUBMISSIONS.c.file, SUBMISSIONS.c.dev_file))
    return {name for row in rows for name in row if name}


def _finish(
    connection: Connection, number: int, state: State, reason: str, *, now: int
) -> Submission:
    """Refuse or fail a submission; only what is accepted cannot be refused any more."""
    before = _by_id(connection, number)
    allowed = ("received",) if state == "refused" else ("received", "accepted")
    if before.state not in allowed:
        return before
    reason = storable(reason)
    _change(connection, number, state=state, reason=reason, finished_at=now, lease_until=None)
    action, actor = ("refuse", audit_log.CHECKER) if state == "refused" else ("fail", "board")
    _log(connection, before.key, action, actor, now=now, reason=reason)
    return _by_id(connection, number)


def _require_open(connection: Connection, *, now: int) -> None:
    closed_at = versions.current(connection).closed_at
    if closed_at is not None and closed_at <= now:
        raise RefusedError(409, "the board is closed: it takes no more submissions")


def _by_key(connection: Connection, key: str) -> Submission | None:
    rows = found(connection, selected(SUBMISSIONS.c.key == storable(key)))
    return rows[0] if rows else None


def _by_id(connection: Connection, number: int) -> Submission:
    return found(connection, selected(SUBMISSIONS.c.id == number))[0]


def _change(connection: Connection, number: int, **values: object) -> None:
    connection.execute(update(SUBMISSIONS).where(SUBMISSIONS.c.id == number).values(**values))


def _log(
    connection: Connection, key: str, action: str, actor: str, *, now: int, **detail: Any
) -> None:
    audit_log.add(
        connection,
        at=now,
        actor=actor,
        action=f"submission.{action}",
        subject=key,
        detail=detail,
    )
