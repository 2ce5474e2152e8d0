"""Ladders: the submissions of a submitter to a task in a class of sizes, in order of receipt.

The first that is scored is shown; a later one only if its gain over the best exceeds its error.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select, update

from pipeline.leaderboard.records import Submission
from pipeline.leaderboard.rows import selected
from pipeline.leaderboard.rows import submissions as found
from pipeline.leaderboard.tables import MODELS, SCORES, SUBMISSIONS


def best_of(connection: Connection, submission: Submission, version: int) -> Submission | None:
    """Return the submission whose score the ladder of this one shows now, under a version.

    It may be a withdrawn one: otherwise whoever withdraws would have each next one shown.
    """
    of_best = select(SCORES.c.submission).where(_best(version, "public"))
    rows = found(connection, selected(SUBMISSIONS.c.id.in_(of_best), of_ladder(submission)))
    return rows[-1] if rows else None


def of_ladder(submission: Submission) -> Any:
    """Return the condition on SUBMISSIONS of being on the same ladder as this one."""
    models = select(MODELS.c.id).where(MODELS.c.size_class == submission.size_class)
    return (
        (SUBMISSIONS.c.submitter == submission.submitter.id)
        & (SUBMISSIONS.c.task == submission.task)
        & SUBMISSIONS.c.model.in_(models)
    )


def clear_best(connection: Connection, submission: Submission, version: int, part: str) -> None:
    """Make no score of a ladder its best."""
    on_ladder = select(SUBMISSIONS.c.id).where(of_ladder(submission))
    condition = _best(version, part) & SCORES.c.submission.in_(on_ladder)
    connection.execute(update(SCORES).where(condition).values(best=False))


def restore_best(connection: Connection, submission: Submission) -> None:
    """Give the place of a disqualified submission back to the one that was shown before it.

    Does so under each version and part where it was the best.
    """
    was = (SCORES.c.submission == submission.id) & SCORES.c.best.is_(True)
    for version, part in list(
        connection.execute(select(SCORES.c.version, SCORES.c.part).where(was)).tuples()
    ):
        clear_best(connection, submission, version, part)
        before = connection.execute(
            select(SCORES.c.submission)
            .join(SUBMISSIONS)
            .where(
                of_ladder(submission),
                SCORES.c.version == version,
                SCORES.c.part == part,
                SCORES.c.shown.is_(True),
                SUBMISSIONS.c.id < submission.id,
                SUBMISSIONS.c.mark.is_distinct_from("disqualified"),
            )
            .order_by(SUBMISSIONS.c.id.desc())
            .limit(1)
        ).scalar()
        at = (SCORES.c.version == version) & (SCORES.c.part == part)
        if before is not None:
            one = at & (SCORES.c.submission == before)
            connection.execute(update(SCORES).where(one).values(best=True))


def _best(version: int, part: str) -> Any:
    return (SCORES.c.version == version) & (SCORES.c.part == part) & SCORES.c.best.is_(True)


def shown_before(connection: Connection, submission: Submission, version: int) -> tuple[int, int]:
    """Return how much the submitter of this one has read of its task, over all classes of sizes.

    These are the scored submissions before it, shown or not, and those of them that were shown as
    an improvement: all that were shown but the first of each ladder.
    """
    query = (
        select(MODELS.c.size_class, SCORES.c.shown)
        .select_from(SUBMISSIONS.join(MODELS).join(SCORES))
        .where(
            SUBMISSIONS.c.submitter == submission.submitter.id,
            SUBMISSIONS.c.task == submission.task,
            SUBMISSIONS.c.id < submission.id,
            SCORES.c.version == version,
            SCORES.c.part == "public",
        )
    )
    rows = connection.execute(query).all()
    shown = [row.size_class for row in rows if row.shown]
    return len(rows), len(shown) - len(set(shown))
