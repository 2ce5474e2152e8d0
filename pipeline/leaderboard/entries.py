"""What a board shows: the best of each ladder, and what was marked after it was shown."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from pipeline.leaderboard import standings
from pipeline.leaderboard.records import Entry, Part
from pipeline.leaderboard.rows import COLUMNS, SOURCE, submission_of
from pipeline.leaderboard.tables import SCORES, SUBMISSIONS


def entries(connection: Connection, *, version: int, part: Part) -> list[Entry]:
    """Return the entries of a part under a version, in order of receipt.

    A marked one has no standings. `dev` is empty where no dev predictions were sent.
    """
    ranks = standings.by_submission(connection, version=version, part=part)
    dev = dict(
        connection.execute(select(SCORES.c.submission, SCORES.c.metrics).where(_at(version, "dev")))
        .tuples()
        .all()
    )
    names = ("metrics", "examples", "scorer_version", "release_hash")
    query = (
        select(*COLUMNS, *(SCORES.c[name] for name in names))
        .select_from(SOURCE.join(SCORES, SCORES.c.submission == SUBMISSIONS.c.id))
        .where(_at(version, part), SCORES.c.shown.is_(True))
        .where(SCORES.c.best.is_(True) | SUBMISSIONS.c.mark.is_not(None))
        .order_by(SUBMISSIONS.c.id)
    )
    return [
        Entry(
            submission_of(row),
            row.metrics,
            {} if row.mark else ranks.get(row.id, {}),
            dev.get(row.id, {}),
            row.examples,
            row.scorer_version,
            row.release_hash,
            row.digest,
        )
        for row in connection.execute(query)
    ]


def _at(version: int, part: Part) -> Any:
    return (SCORES.c.version == version) & (SCORES.c.part == part)
