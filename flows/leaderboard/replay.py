"""Submissions scored again under a version that is not in the database yet: ladders in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from flows.leaderboard.board import Board
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.scorer import message_of, run_score, scores_of
from pipeline.core.errors import RetryError
from pipeline.leaderboard import submissions
from pipeline.leaderboard.records import Score, Submission, Version

_UNREADABLE = "this version of the board cannot read the file that was accepted before: "


@dataclass(frozen=True)
class Replayed:
    """What a submission gets: its scores, and why none is shown."""

    submission: Submission
    scores: Sequence[Score]
    message: str

    @property
    def is_best(self) -> bool:
        return any(score.best for score in self.scores)


@dataclass
class _Ladders:
    """What was shown so far, as `ladders.best_of` and `shown_before` tell of a version.

    A disqualified submission is compared with the best and becomes none.
    """

    best: dict[tuple[int, str, str], Submission] = field(default_factory=dict)
    before: defaultdict[tuple[int, str], int] = field(default_factory=lambda: defaultdict(int))
    shown: defaultdict[tuple[int, str], list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def of(self, submission: Submission) -> dict[str, Any]:
        """Return what decides whether a submission is shown."""
        who = submission.submitter.id, submission.task
        best = self.best.get((*who, submission.size_class))
        shown = self.shown[who]
        return {
            "best": best.file if best else None,
            "before": self.before[who],
            "improvements": len(shown) - len(set(shown)),
        }

    def add(self, submission: Submission, *, is_shown: bool) -> None:
        """Count a submission that was scored."""
        who = submission.submitter.id, submission.task
        self.before[who] += 1
        if is_shown:
            self.shown[who].append(submission.size_class)
            if submission.mark != "disqualified":
                self.best[*who, submission.size_class] = submission


def replay(
    board: Board, jobs: JobClient, version: Version, scored: Sequence[Submission]
) -> list[Replayed]:
    """Score submissions again in their order; raises RetryError for a fault of the board's."""
    ladders, found = _Ladders(), []
    for submission in scored:
        ladder = ladders.of(submission)
        outcome = run_score(board, jobs, version, submission, ladder)
        if outcome.kind == "done":
            scores, message = scores_of(outcome.result), message_of(outcome.result, ladder)
        elif outcome.kind == "refused":
            scores = [Score("public", 0, shown=False, best=False, metrics={})]
            message = _UNREADABLE + outcome.message
        else:
            raise RetryError(
                f"submission {submission.key} could not be scored ({outcome.kind}:"
                f" {outcome.message}); the board is as it was; run the command again"
            )
        ladders.add(submission, is_shown=scores[0].shown)
        found.append(Replayed(submission, scores, message))
    return found


def best_submissions(replayed: Sequence[Replayed]) -> Mapping[str, list[Submission]]:
    """Return, by task, what ranks: the last that was shown of each ladder, unless it is marked."""
    best: dict[tuple[int, str, str], Submission] = {}
    for one in replayed:
        submission = one.submission
        if one.is_best and submission.mark != "disqualified":
            best[submission.submitter.id, submission.task, submission.size_class] = submission
    tasks: dict[str, list[Submission]] = {}
    for submission in sorted(best.values(), key=lambda submission: submission.id):
        if submission.mark is None:
            tasks.setdefault(submission.task, []).append(submission)
    return tasks


def store_replay(
    connection: Connection, version: Version, replayed: Sequence[Replayed], *, now: int
) -> None:
    """Store scores under a version that is in the database now."""
    for one in replayed:
        submissions.record(
            connection,
            one.submission.id,
            version.number,
            one.scores,
            scorer_version=version.scorer_version,
            release_hash=version.release_hash,
            message=one.message,
            now=now,
        )
