"""Rows of submissions as records, with their submitter and model."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Select, select

from pipeline.leaderboard.records import ModelInfo, Submission, Submitter
from pipeline.leaderboard.tables import MODELS, SUBMISSIONS, SUBMITTERS

#: The columns of SUBMISSIONS that a record takes as they are.
_PLAIN: Final = (
    *("id", "key", "task", "state", "file", "dev_file", "received_at", "accepted_at"),
    *("attempts", "mark"),
)
#: All that `submission_of` reads of a row, and where it is from.
COLUMNS: Final = (
    *SUBMISSIONS.columns,
    SUBMITTERS.c.name.label("submitter_name"),
    MODELS.c.key.label("model_key"),
    MODELS.c.name.label("model_name"),
    *(MODELS.c[name] for name in ("parameters", "size_class", "kind", "link", "description")),
)
SOURCE: Final = SUBMISSIONS.join(SUBMITTERS, SUBMISSIONS.c.submitter == SUBMITTERS.c.id).join(
    MODELS, SUBMISSIONS.c.model == MODELS.c.id
)


def submissions(connection: Connection, query: Select[Any]) -> list[Submission]:
    """Return what a query of `selected` finds."""
    return [submission_of(row) for row in connection.execute(query)]


def selected(*conditions: Any) -> Select[Any]:
    """Return the query of the submissions that meet these conditions, in their order."""
    return select(*COLUMNS).select_from(SOURCE).where(*conditions).order_by(SUBMISSIONS.c.id)


def submission_of(row: Any) -> Submission:
    """Return the record of a row that has `COLUMNS`."""
    return Submission(
        **{name: getattr(row, name) for name in _PLAIN},
        submitter=Submitter(row.submitter, row.submitter_name),
        model_key=row.model_key,
        model=ModelInfo(
            row.model_name, row.parameters, row.kind, row.link or "", row.description or ""
        ),
        size_class=row.size_class,
        reason=row.reason or "",
        mark_reason=row.mark_reason or "",
    )
