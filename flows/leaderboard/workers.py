"""The loops of the checker and the scorer: they take what waits, and rest when nothing does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from flows.leaderboard.board import Board
from flows.leaderboard.checking import check_next
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.ranking import Ranker
from flows.leaderboard.scorer import score_next
from flows.leaderboard.scorer_lock import try_scorer_lock
from flows.view.console import say
from pipeline.core.errors import RetryError
from pipeline.leaderboard import versions
from pipeline.leaderboard.database import reading

#: Seconds between two looks at the queue, and after a fault of the database.
REST: Final = 0.3
FAULT_REST: Final = 5.0
#: After so many faults one after the other a worker gives up, and the server ends.
MOST_FAULTS: Final = 24

#: Does what is next; returns False if nothing was.
Step = Callable[[], bool]


def run(step: Step, rest: Callable[[float], None] = time.sleep) -> None:
    """Repeat a step for ever. Raises RetryError when it fails time and again."""
    faults = 0
    while True:
        try:
            is_busy = step()
            faults = 0
        except RetryError as error:
            faults += 1
            if faults >= MOST_FAULTS:
                raise
            say(str(error))
            rest(FAULT_REST)
            continue
        if not is_busy:
            rest(REST)


def checker(board: Board, jobs: JobClient) -> Step:
    """Return the step of the checker."""
    return lambda: check_next(board, jobs)


def scorer(board: Board, jobs: JobClient) -> Step:
    """Return the step of the scorer: it scores a submission, or ranks a task.

    It rests while a rescore or a close runs, and raises InputError when the board's version is of
    other code.
    """
    ranker, sound = Ranker(board, jobs), set[int]()

    def step() -> bool:
        with try_scorer_lock(board.layout) as is_ours:
            if not is_ours:
                return False
            with reading(board.engine) as connection:
                version = versions.current(connection)
            if version.number not in sound:
                board.require_scorer(version)
                sound.add(version.number)
            return score_next(board, jobs, version) or ranker.refresh(version)

    return step
