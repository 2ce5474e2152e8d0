"""`klue leaderboard close`: no more submissions; what ranks is scored on the hidden half.

A close that was killed is run again: the first step ends the intake for good, the last one stores
all final scores at once.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from flows.leaderboard.board import Board, open_board
from flows.leaderboard.checking import check_next
from flows.leaderboard.final_scores import final_scores, store_final
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.ownership import become_scorer
from flows.leaderboard.ranking import Ranker, ranked_now
from flows.leaderboard.rescoring import PATIENCE
from flows.leaderboard.scorer import score_next
from flows.leaderboard.scorer_lock import scorer_lock
from flows.leaderboard.soundness import require_release, require_tables
from flows.view.console import say
from pipeline.core.errors import RetryError
from pipeline.core.wording import count, verb
from pipeline.leaderboard import submissions, versions
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.records import Submission, Version

#: Seconds between two looks at what a server's checker still has in its hands.
_REST: Final = 0.2


def close(folder: Path) -> tuple[Version, int]:
    """Close a board; return its version, and how many entries have final scores.

    Raises RetryError where another process scores, and for a fault of the board's; run again, it
    goes on. A board that is closed stays as it is.
    """
    with open_board(folder) as board, scorer_lock(board.layout, patience=PATIENCE):
        require_tables(board.engine)
        with reading(board.engine) as connection:
            version = versions.current(connection)
        require_release(board.layout, version)
        board.require_scorer(version)
        become_scorer(board.layout)
        with writing(board.engine) as connection:
            version = versions.close(connection, version.number, now=board.clock())
        _settle(board, version)
        with JobClient() as jobs:
            return version, _score_final(board, jobs, version)


def _settle(board: Board, version: Version) -> None:
    """Check, score and rank what was received before the close."""
    deadline = time.monotonic() + PATIENCE
    with JobClient() as checks, JobClient() as jobs:
        ranker = Ranker(board, jobs)
        while True:
            if (
                check_next(board, checks)
                or score_next(board, jobs, version)
                or ranker.refresh(version)
            ):
                continue
            with reading(board.engine) as connection:
                waiting = submissions.waiting(connection)
            left = sum(waiting.get(state, 0) for state in ("received", "accepted"))
            if not left:
                return
            if time.monotonic() > deadline:
                raise RetryError(
                    f"{count(left, 'submission')} {verb(left, 'is', 'are')} in the hands of another"
                    " process; run it again"
                )
            say(f"waiting for {count(left, 'submission')}")
            time.sleep(_REST)


def _score_final(board: Board, jobs: JobClient, version: Version) -> int:
    ranked = _ranked(board, version)
    final = final_scores(board, jobs, version, ranked)
    with writing(board.engine) as connection:
        store_final(connection, version, final, now=board.clock())
    return len(final.scores)


def _ranked(board: Board, version: Version) -> Mapping[str, list[Submission]]:
    with reading(board.engine) as connection:
        tasks = {one.task for one in submissions.replayed(connection)}
        found = {task: ranked_now(connection, version, task) for task in sorted(tasks)}
    return {task: ranked for task, ranked in found.items() if ranked}
