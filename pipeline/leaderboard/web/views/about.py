"""The rules of a board in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.leaderboard.settings import Limits, Settings
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import TaskInfo
from pipeline.leaderboard.web.views import words


@dataclass(frozen=True)
class About:
    """What the page of rules shows besides its fixed text."""

    tasks: Sequence[TaskInfo]
    limits: Limits
    bytes: str
    decoded: str
    variant: str
    closed: bool
    protected: bool


def about(
    settings: Settings, tasks: Sequence[TaskInfo], snapshot: Snapshot, *, protected: bool
) -> About:
    """Return the numbers that the rules state, and the tasks whose answers they show."""
    variants = {
        "klue": "as KLUE's own scripts compute them",
        "strict": "as the KLUE paper words them",
    }
    newest = snapshot.newest
    return About(
        tasks=tasks,
        limits=settings.limits,
        bytes=words.size(settings.upload.bytes),
        decoded=words.size(settings.upload.decoded_bytes),
        variant=variants[settings.variant],
        closed=newest is not None and newest.closed_at is not None,
        protected=protected,
    )
