"""Models of submitters: what is said of one at first stays, so that none changes its class."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import Connection, insert, select, update

from pipeline.leaderboard.intake import new_key
from pipeline.leaderboard.records import ModelInfo, RefusedError, Submitter
from pipeline.leaderboard.settings import UNKNOWN_KIND, size_class
from pipeline.leaderboard.tables import MODELS, SUBMISSIONS


def ensure(connection: Connection, submitter: Submitter, model: ModelInfo) -> int:
    """Return the id of a model of this submitter, which may be new.

    What was told first of a file that was not refused stays; later it may be left out. Raises
    RefusedError (422) for another size or kind than before.
    """
    query = select(MODELS).where(MODELS.c.submitter == submitter.id, MODELS.c.name == model.name)
    row = connection.execute(query).one_or_none()
    values = {**asdict(model), "size_class": size_class(model.parameters)}
    if row is None:
        new = insert(MODELS).values(key=new_key(), submitter=submitter.id, **values)
        return int(connection.execute(new.returning(MODELS.c.id)).scalar_one())
    if not _is_fixed(connection, row.id):
        connection.execute(update(MODELS).where(MODELS.c.id == row.id).values(**values))
        return int(row.id)
    for what, before, told in (
        ("parameters", row.parameters, model.parameters),
        ("kind", row.kind, model.kind),
    ):
        if told not in (before, None, UNKNOWN_KIND):
            raise RefusedError(
                422,
                f"{what}: model {model.name!r} was submitted with {_shown(before)} before, now with"
                f" {_shown(told)}; give the same again, or another name to another model",
            )
    return int(row.id)


def _is_fixed(connection: Connection, number: int) -> bool:
    """Return whether a model has a submission that was neither refused nor failed."""
    is_valid = SUBMISSIONS.c.state.not_in(("refused", "failed"))
    query = select(SUBMISSIONS.c.id).where(SUBMISSIONS.c.model == number, is_valid).limit(1)
    return connection.execute(query).scalar() is not None


def _shown(value: str | int | None) -> str:
    return f"{value:,}" if isinstance(value, int) else value or "none"
