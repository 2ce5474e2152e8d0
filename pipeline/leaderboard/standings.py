"""Ranks and intervals of what a board shows, as the statistics computed them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from pipeline.leaderboard.records import Part, Standing
from pipeline.leaderboard.tables import SCORES, STANDINGS, SUBMISSIONS

#: The standings of a task: by metric, then by the id of a submission.
ByMetric = Mapping[str, Mapping[int, Standing]]


def replace(
    connection: Connection, standings: ByMetric, *, version: int, part: Part, task: str
) -> None:
    """Put the standings of a task under a version in the place of those that were there."""
    at = {"version": version, "part": part, "task": task}
    conditions = (STANDINGS.c[name] == value for name, value in at.items())
    connection.execute(delete(STANDINGS).where(*conditions))
    rows = [
        {**at, "metric": metric, "submission": number, **vars(standing)}
        for metric, of_metric in standings.items()
        for number, standing in of_metric.items()
    ]
    if rows:
        connection.execute(insert(STANDINGS), rows)


def stale_tasks(connection: Connection, *, version: int, part: Part) -> list[str]:
    """Return the tasks whose standings are not of what ranks now, so that they are computed again.

    They are after a new best, a mark, or a new version; what ranks is the best of each ladder,
    unless it is marked.
    """
    ranked = (
        select(SUBMISSIONS.c.task, SUBMISSIONS.c.id)
        .join(SCORES, SCORES.c.submission == SUBMISSIONS.c.id)
        .where(SCORES.c.version == version, SCORES.c.part == part)
        .where(SCORES.c.best.is_(True), SUBMISSIONS.c.mark.is_(None))
    )
    at = (STANDINGS.c.version == version) & (STANDINGS.c.part == part)
    standing = select(STANDINGS.c.task, STANDINGS.c.submission).where(at)
    differing = set(connection.execute(ranked).tuples()) ^ set(
        connection.execute(standing).tuples()
    )
    return sorted({task for task, _ in differing})


def by_submission(
    connection: Connection, *, version: int, part: Part
) -> dict[int, dict[str, Standing]]:
    """Return all standings of a part under a version, by submission and metric."""
    at = (STANDINGS.c.version == version) & (STANDINGS.c.part == part)
    of: dict[int, dict[str, Standing]] = {}
    for row in connection.execute(select(STANDINGS).where(at).order_by(STANDINGS.c.metric)):
        standing = Standing(row.rank_low, row.rank_high, row.low, row.high)
        of.setdefault(row.submission, {})[row.metric] = standing
    return of
