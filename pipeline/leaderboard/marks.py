"""Marks on submissions: withdrawn by who sent them, disqualified by the organiser; nothing goes."""

from __future__ import annotations

from sqlalchemy import Connection, update

from pipeline.leaderboard import audit_log, ladders, submissions
from pipeline.leaderboard.records import Mark, RefusedError, Submission, Submitter
from pipeline.leaderboard.tables import SUBMISSIONS
from pipeline.leaderboard.texts import check_line


def mark(
    connection: Connection,
    key: str,
    mark: Mark,
    reason: str,
    *,
    actor: Submitter | None,
    now: int,
) -> Submission:
    """Mark a scored submission: it stays on the board, out of the ranks, with the reason.

    `actor` is its submitter, who may withdraw it, or None for the organiser, who may do both. The
    same mark again changes nothing. A withdrawn one stays the best of its ladder; in the place of a
    disqualified one comes what was shown before it. Raises RefusedError: 403 for a mark that is the
    organiser's, 404 for a submission of nobody or somebody else, 409 for one that is not scored, or
    disqualified already.
    """
    submission = submissions.get(connection, key)
    if actor is not None and actor.id != submission.submitter.id:
        raise RefusedError(404, "no such submission of yours; your list has their keys")
    if actor is not None and mark == "disqualified":
        raise RefusedError(403, "only the organiser disqualifies; withdraw your own submission")
    reason = check_line("reason", reason)
    if submission.mark == mark:
        return submission
    if submission.state != "scored":
        raise RefusedError(
            409, f"the submission is {submission.state}; only a scored one can be marked"
        )
    if submission.mark == "disqualified":
        raise RefusedError(409, "the submission is disqualified; that stays")
    values = {"mark": mark, "mark_reason": reason, "marked_at": now}
    at = SUBMISSIONS.c.id == submission.id
    connection.execute(update(SUBMISSIONS).where(at).values(**values))
    if mark == "disqualified":
        ladders.restore_best(connection, submission)
    audit_log.add(
        connection,
        at=now,
        actor=audit_log.actor_of(actor),
        action="submission.mark",
        subject=key,
        detail={"mark": mark, "reason": reason},
    )
    return submissions.get(connection, key)
