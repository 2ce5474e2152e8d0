"""Scores of submissions, one row for each version of the board and each part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select

from pipeline.leaderboard import ladders
from pipeline.leaderboard.records import Score, Submission
from pipeline.leaderboard.tables import SCORES


def scores_of(connection: Connection, number: int, version: int) -> list[Score]:
    """Return the scores of a submission under a version, by part."""
    at = (SCORES.c.submission == number) & (SCORES.c.version == version)
    rows = connection.execute(select(SCORES).where(at).order_by(SCORES.c.part))
    return [_score(row) for row in rows]


def store(
    connection: Connection,
    submission: Submission,
    version: int,
    scores: Sequence[Score],
    *,
    scorer_version: str,
    release_hash: str,
    now: int,
) -> bool:
    """Store the scores of the parts that have none yet; tell whether there were such.

    A best score takes the place of the best of its ladder; that of a disqualified submission does
    not become the best. Raises ValueError for a score that is not shown and holds numbers, a best
    that is not shown, and numbers that are infinite or NaN.
    """
    for score in scores:
        _check(score)
    stored = {score.part for score in scores_of(connection, submission.id, version)}
    missing = [score for score in scores if score.part not in stored]
    for score in missing:
        best = score.best and submission.mark != "disqualified"
        if best:
            ladders.clear_best(connection, submission, version, score.part)
        values = {
            "submission": submission.id,
            "version": version,
            "part": score.part,
            "scorer_version": scorer_version,
            "release_hash": release_hash,
            "examples": score.examples,
            "shown": score.shown,
            "best": best,
            "metrics": dict(score.metrics),
            "reasons": dict(score.reasons),
            "scored_at": now,
        }
        connection.execute(insert(SCORES).values(**values))
    return bool(missing)


def _check(score: Score) -> None:
    """Raise ValueError for a score that must not reach the database: a fault of the caller."""
    if not score.shown and (score.metrics or score.reasons or score.best):
        raise ValueError(f"{score.part}: a score that is not shown holds no number and is no best")
    if not all(value is None or math.isfinite(value) for value in score.metrics.values()):
        raise ValueError(f"{score.part}: a number is infinite or NaN; give None with a reason")


def _score(row: Any) -> Score:
    return Score(row.part, row.examples, row.shown, row.best, row.metrics, row.reasons)
