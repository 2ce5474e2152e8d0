"""The checker: is a file that was received a whole file of predictions? It has no labels."""

from __future__ import annotations

from flows.leaderboard.board import Board
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.jobs import CHECK
from flows.leaderboard.limited_process import Outcome
from flows.view.console import say
from pipeline.leaderboard import submissions, versions
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.records import Submission
from pipeline.leaderboard.submissions import MOST_ATTEMPTS


def check_next(board: Board, jobs: JobClient) -> bool:
    """Check the oldest submission that waits for it; return False if none does."""
    with writing(board.engine) as connection:
        taken = submissions.take(connection, "received", now=board.clock(), lease=board.lease)
    if taken is None:
        return False
    try:
        outcome = check(board, jobs, taken)
    except BaseException:
        give_back(board, taken)
        raise
    settle_check(board, taken, outcome)
    return True


def check(board: Board, jobs: JobClient, submission: Submission) -> Outcome:
    """Read the files of a submission in a process with limits."""
    with reading(board.engine) as connection:
        version = versions.current(connection)
    files = {"file": submission.file, "dev_file": submission.dev_file}
    arguments = {**board.arguments(version, submission.task), **files}
    return jobs.run(CHECK, arguments, board.limits)


def settle_check(board: Board, submission: Submission, outcome: Outcome) -> None:
    """Accept or refuse a submission; a fault of ours is tried again."""
    upload, now = board.settings.upload, board.clock()
    limits = {
        "memory": f"reading it took more than {upload.memory // 1024**2:,} MiB of memory",
        "cpu": f"reading it took more than {upload.seconds:,} s",
    }
    if outcome.kind in ("done", "refused") or outcome.kind in limits:
        with writing(board.engine) as connection:
            if outcome.kind == "done":
                rules = board.settings.limits
                submissions.accept(connection, submission.id, limits=rules, now=now)
            else:
                reason = outcome.message or (
                    f"{submission.file}: {limits[outcome.kind]}; send the predictions alone, one"
                    " row for each example"
                )
                submissions.refuse(connection, submission.id, reason, now=now)
        return
    try_again(board, submission, outcome)


def try_again(board: Board, submission: Submission, outcome: Outcome) -> None:
    """Let a submission be taken again after a fault of ours; fail it after the last attempt."""
    now = board.clock()
    say(
        f"submission {submission.key}, attempt {submission.attempts}: {outcome.kind}"
        f" {outcome.message}"
    )
    with writing(board.engine) as connection:
        if submission.attempts < MOST_ATTEMPTS:
            submissions.release(connection, submission.id, is_attempt=True)
            return
        what = "took too long" if outcome.kind == "time" else "crashed"
        reason = (
            f"the board {what} {submission.attempts} times over this file, which is no fault of"
            " yours; nothing is charged; tell the organiser, or send it in another form"
        )
        submissions.fail(connection, submission.id, reason, now=now)


def give_back(board: Board, submission: Submission) -> None:
    """Let a submission be taken again, since this process ends."""
    with writing(board.engine) as connection:
        submissions.release(connection, submission.id, is_attempt=False)
