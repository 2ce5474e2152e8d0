"""What a submitter may still send: accepted submissions in 24 hours, in 30 days, in all.

The windows roll: a submission counts until exactly 24 hours, or 30 days, after it was accepted.
Nothing is kept beside the submissions, so that no number can differ from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, func, select

from pipeline.leaderboard.records import Quota, RefusedError, Submitter
from pipeline.leaderboard.settings import Limits
from pipeline.leaderboard.tables import SUBMISSIONS

DAY: Final = 24 * 3600
MONTH: Final = 30 * DAY


def quota_of(
    connection: Connection, submitter: Submitter, task: str, limits: Limits, *, now: int
) -> Quota:
    """Return what is used and left for a task.

    Submissions that wait for their check count as if they were accepted now: if some are refused,
    the next submission is possible earlier than `next_at` says.
    """
    charged = _charged(connection, submitter, task)
    of_both = (SUBMISSIONS.c.submitter == submitter.id) & (SUBMISSIONS.c.task == task)
    pending = select(func.count()).where(of_both, SUBMISSIONS.c.state == "received")
    waiting = connection.execute(pending).scalar_one()
    quota = Quota(
        task,
        (sum(at > now - DAY for at in charged), limits.day),
        (sum(at > now - MONTH for at in charged), limits.month),
        (len(charged), limits.total),
        waiting,
    )
    if quota.left:
        return quota
    then = next_at([*charged, *[now] * waiting], limits, now=now)
    return Quota(task, quota.day, quota.month, quota.total, waiting, then)


def next_at(charged: Sequence[int], limits: Limits, *, now: int) -> int | None:
    """Return when another submission is possible, after those of these times; None if never.

    A window with n allowed has room again when the n-th latest leaves it.
    """
    if len(charged) >= limits.total:
        return None
    latest = sorted(charged, reverse=True)
    ends = (
        latest[limit - 1] + window
        for limit, window in ((limits.day, DAY), (limits.month, MONTH))
        if len(latest) >= limit
    )
    return max((now, *ends))


def require_left(quota: Quota, *, now: int) -> None:
    """Raise RefusedError (429) where nothing is left; it says for how long."""
    if not quota.left:
        after = None if quota.next_at is None else max(1, quota.next_at - now)
        raise RefusedError(429, describe_spent(quota, now=now), retry_after=after)


def describe_spent(quota: Quota, *, now: int) -> str:
    """Return what is used up, and when there is more."""
    windows = (
        (quota.day, "in 24 hours"),
        (quota.month, "in 30 days"),
        (quota.total, "in all"),
    )
    used = ", ".join(f"{used} of {limit} {window}" for (used, limit), window in windows)
    wait = f", and {quota.pending} wait for their check" if quota.pending else ""
    after = "" if quota.next_at is None else f"; the next is possible in {quota.next_at - now:,} s"
    return f"no submission to {quota.task} is left: accepted are {used}{wait}{after}"


def _charged(connection: Connection, submitter: Submitter, task: str) -> list[int]:
    """Return when the submissions that are charged were accepted."""
    query = select(SUBMISSIONS.c.accepted_at).where(
        SUBMISSIONS.c.submitter == submitter.id,
        SUBMISSIONS.c.task == task,
        SUBMISSIONS.c.accepted_at.is_not(None),
        SUBMISSIONS.c.state != "failed",
    )
    return list(connection.execute(query).scalars())
