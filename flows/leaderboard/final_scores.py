"""The hidden half of test: scored for what ranks when a board is closed, never before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from flows.leaderboard.board import Board
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.ranking import ByMetric, rank_submissions
from flows.leaderboard.scorer import run_score, scores_of
from pipeline.core.errors import RetryError
from pipeline.leaderboard import standings, submissions
from pipeline.leaderboard.records import Score, Submission, Version


@dataclass(frozen=True)
class Final:
    """The final scores of submissions, and the standings of each task."""

    scores: Sequence[tuple[Submission, Score]]
    ranks: Mapping[str, ByMetric]


def final_scores(
    board: Board,
    jobs: JobClient,
    version: Version,
    ranked: Mapping[str, Sequence[Submission]],
) -> Final:
    """Score and rank submissions, by task, on the hidden half; raises RetryError for a fault."""
    scores: list[tuple[Submission, Score]] = []
    ranks = {}
    for task, of_task in ranked.items():
        for submission in of_task:
            outcome = run_score(board, jobs, version, submission, {"best": None}, "final")
            if outcome.kind != "done":
                raise RetryError(
                    f"submission {submission.key} could not be scored ({outcome.kind}:"
                    f" {outcome.message}); run the command again"
                )
            scores += [(submission, score) for score in scores_of(outcome.result)]
        ranks[task] = rank_submissions(board, jobs, version, task, of_task, "final")
    return Final(scores, ranks)


def store_final(connection: Connection, version: Version, final: Final, *, now: int) -> None:
    """Store final scores and standings under a version; what is stored stays."""
    for submission, score in final.scores:
        submissions.record(
            connection,
            submission.id,
            version.number,
            [score],
            scorer_version=version.scorer_version,
            release_hash=version.release_hash,
            message="",
            now=now,
        )
    for task, of_task in final.ranks.items():
        standings.replace(connection, of_task, version=version.number, part="final", task=task)
