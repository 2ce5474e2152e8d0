"""What a submitter may still send, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline.leaderboard.records import Quota
from pipeline.leaderboard.web.views import words


@dataclass(frozen=True)
class QuotaLine:
    """The quota of a task: used and limit of each window, and what is left in a sentence."""

    task: str
    title: str
    day: str
    month: str
    total: str
    left: int
    text: str


def quota_line(quota: Quota, title: str, *, now: int) -> QuotaLine:
    """Return a quota in words."""
    return QuotaLine(
        task=quota.task,
        title=title,
        day=_of(quota.day),
        month=_of(quota.month),
        total=_of(quota.total),
        left=quota.left,
        text=sentence(quota, now=now),
    )


def sentence(quota: Quota, *, now: int) -> str:
    """Return what is left now, or when something will be."""
    waiting = f"; {quota.pending:,} not yet checked" if quota.pending else ""
    if quota.left:
        return f"{quota.left:,} left now{waiting}"
    if quota.next_at is None:
        return f"none left{waiting}" if quota.pending else "none left: all are used"
    wait = words.duration(max(0, quota.next_at - now))
    return f"none left now; the next in {wait} ({words.time(quota.next_at)}){waiting}"


def quota_json(quota: Quota) -> dict[str, Any]:
    """Return a quota as the API gives it."""
    windows = {"day": quota.day, "month": quota.month, "total": quota.total}
    return {
        "task": quota.task,
        "left": quota.left,
        "pending": quota.pending,
        "next_at": quota.next_at,
        **{name: {"used": used, "limit": limit} for name, (used, limit) in windows.items()},
    }


def _of(window: tuple[int, int]) -> str:
    used, limit = window
    return f"{used:,} of {limit:,}"
