"""Standings of a board: computed in a child process when what ranks has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from flows.leaderboard.board import Board
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.jobs import RANK
from flows.view.console import say
from pipeline.core.errors import RetryError
from pipeline.leaderboard import standings
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.entries import entries
from pipeline.leaderboard.records import Part, Standing, Submission, Version

#: Standings by metric, then by the id of a submission.
ByMetric = Mapping[str, Mapping[int, Standing]]


def rank_submissions(
    board: Board,
    jobs: JobClient,
    version: Version,
    task: str,
    ranked: Sequence[Submission],
    part: Part = "public",
) -> ByMetric:
    """Return the standings of these submissions; raises RetryError if the child fails."""
    if not ranked:
        return {}
    arguments: dict[str, Any] = {
        **board.arguments(version, task),
        "part": part,
        "files": [submission.file for submission in ranked],
    }
    outcome = jobs.run(RANK, arguments, board.scoring_limits)
    if outcome.kind != "done":
        raise RetryError(
            f"the ranks of {task} could not be computed ({outcome.kind}: {outcome.message}); they"
            " stay as they were until an entry comes or goes, or the server is started again"
        )
    return {
        metric: {ranked[place].id: Standing(*numbers) for place, *numbers in rows}
        for metric, rows in outcome.result.items()
    }


def ranked_now(
    connection: Connection, version: Version, task: str, part: Part = "public"
) -> list[Submission]:
    """Return what ranks for a task: the best of each ladder, unless it is marked."""
    return [
        entry.submission
        for entry in entries(connection, version=version.number, part=part)
        if entry.submission.task == task and entry.submission.mark is None
    ]


class Ranker:
    """Keeps the standings of a board up to date, a task at a time."""

    def __init__(self, board: Board, jobs: JobClient) -> None:
        self._board, self._jobs = board, jobs
        #: What was ranked last: entries without any score never stand among the standings, and
        #: what failed is not tried again and again.
        self._done: dict[tuple[int, Part, str], list[int]] = {}

    def refresh(self, version: Version) -> bool:
        """Rank one task whose standings are stale; return False if there is none."""
        parts: tuple[Part, ...] = ("public",) if version.closed_at is None else ("public", "final")
        return any(self._refresh(version, part) for part in parts)

    def _refresh(self, version: Version, part: Part) -> bool:
        with reading(self._board.engine) as connection:
            stale = standings.stale_tasks(connection, version=version.number, part=part)
            waiting = {task: ranked_now(connection, version, task, part) for task in stale}
        for task, ranked in waiting.items():
            ids = [submission.id for submission in ranked]
            if self._done.get((version.number, part, task)) != ids:
                self._done[version.number, part, task] = ids
                self._rank(version, task, ranked, part)
                return True
        return False

    def _rank(self, version: Version, task: str, ranked: Sequence[Submission], part: Part) -> None:
        try:
            new = rank_submissions(self._board, self._jobs, version, task, ranked, part)
        except RetryError as error:
            say(str(error))
            return
        with writing(self._board.engine) as connection:
            now = ranked_now(connection, version, task, part)
            if [submission.id for submission in now] == [submission.id for submission in ranked]:
                standings.replace(connection, new, version=version.number, part=part, task=task)
