"""The scorer: the one process that knows the labels. A number that is not shown never leaves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection

from flows.leaderboard.board import Board
from flows.leaderboard.checking import give_back, try_again
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.jobs import SCORE
from flows.leaderboard.limited_process import Outcome
from pipeline.leaderboard import ladders, submissions, versions
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.records import Part, Score, Submission, Version
from pipeline.scoring.ranking.ladder import most_improvements

_NO_GAIN: Final = (
    "accepted and scored; its gain over your best does not exceed its error, so its score is not"
    " shown"
)
_NO_MORE: Final = (
    "accepted and scored; {most} improvements of yours were shown for this task, and no more are,"
    " so its score is not shown"
)


def score_next(board: Board, jobs: JobClient, version: Version) -> bool:
    """Score the oldest submission that waits for it; return False if none does."""
    with writing(board.engine) as connection:
        taken = submissions.take(connection, "accepted", now=board.clock(), lease=board.lease)
    if taken is None:
        return False
    try:
        _score(board, jobs, version, taken)
    except BaseException:
        give_back(board, taken)
        raise
    return True


def _score(board: Board, jobs: JobClient, version: Version, submission: Submission) -> None:
    with reading(board.engine) as connection:
        ladder = ladder_of(connection, submission, version)
    outcome = run_score(board, jobs, version, submission, ladder)
    if outcome.kind != "done":
        try_again(board, submission, outcome)
        return
    with writing(board.engine) as connection:
        if (
            ladder_of(connection, submission, version) != ladder
            or versions.current(connection) != version
        ):
            submissions.release(connection, submission.id, is_attempt=False)  # its best was marked
            return
        submissions.record(
            connection,
            submission.id,
            version.number,
            scores_of(outcome.result),
            scorer_version=version.scorer_version,
            release_hash=version.release_hash,
            message=message_of(outcome.result, ladder),
            now=board.clock(),
        )


def ladder_of(connection: Connection, submission: Submission, version: Version) -> dict[str, Any]:
    """Return what decides whether a submission is shown: the best file, and what was read."""
    best = ladders.best_of(connection, submission, version.number)
    before, improvements = ladders.shown_before(connection, submission, version.number)
    return {
        "best": best.file if best else None,
        "before": before,
        "improvements": improvements,
    }


def run_score(
    board: Board,
    jobs: JobClient,
    version: Version,
    submission: Submission,
    ladder: Mapping[str, Any],
    part: Part = "public",
) -> Outcome:
    """Score a submission in a process with limits; its files must be those that were received."""
    with reading(board.engine) as connection:
        digests = submissions.digests(connection, submission.id)
    arguments = {
        **board.arguments(version, submission.task),
        **ladder,
        "digests": digests,
        "part": part,
        "file": submission.file,
        "dev_file": submission.dev_file if part == "public" else None,
    }
    return jobs.run(SCORE, arguments, board.scoring_limits)


def scores_of(parts: Mapping[str, Mapping[str, Any]]) -> list[Score]:
    """Return what a job says of the parts of a submission; what is shown of test is a best."""
    names: tuple[Part, ...] = ("public", "final", "dev")
    return [
        Score(part, best=parts[part]["shown"] and part != "dev", **parts[part])
        for part in names
        if part in parts
    ]


def message_of(parts: Mapping[str, Mapping[str, Any]], ladder: Mapping[str, Any]) -> str:
    """Return why a score is not shown, '' if it is."""
    if parts["public"]["shown"]:
        return ""
    most = most_improvements(parts["public"]["examples"])
    return _NO_MORE.format(most=most) if ladder["improvements"] >= most else _NO_GAIN
