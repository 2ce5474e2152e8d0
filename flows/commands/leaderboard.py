"""A board's making, tokens and marks: `klue leaderboard init`, `token` and `mark`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flows.leaderboard.creation import create_board, require_board
from flows.view.console import Result, print_line, say
from flows.view.next_command import command_line
from pipeline.leaderboard import database, tokens
from pipeline.leaderboard.marks import mark as mark_submission
from pipeline.leaderboard.records import Mark
from pipeline.leaderboard.settings import load_settings

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pipeline.leaderboard.tokens import Token

_DAY: Final = 24 * 3600


def init(
    folder: Path,
    *,
    release: Path,
    title: str | None = None,
    database: str = "",
    baselines: bool = False,
) -> Result:
    """Make a board from a release; return where it is, its tasks and its release."""
    created = create_board(
        folder, release, title=title, database_url=database, baselines=baselines, now=_now()
    )
    version = created.version
    record = {
        "board": str(folder),
        "tasks": created.tasks,
        "baselines": created.baselines,
        "release": f"{version.release_name} {version.release_version}",
        "release_hash": version.release_hash,
        "version": version.number,
    }
    return record, _show_board


def add_token(folder: Path, *, name: str, days: int) -> Result:
    """Issue a token to a submitter; return it, this once."""
    now = _now()
    with _changing(folder) as connection:
        token = tokens.issue(connection, name, now=now, expires_at=now + days * _DAY)
        issued = tokens.find_token(connection, token, now=now)
    return {"token": token, **_record(issued, now=now)}, _show_new


def list_tokens(folder: Path) -> Result:
    """Return the tokens of a board, without what is secret of them."""
    now = _now()
    with _reading(folder) as connection:
        rows = [_record(token, now=now) for token in tokens.list_tokens(connection)]
    return {"tokens": rows}, _show_tokens


def revoke_token(folder: Path, *, which: str) -> Result:
    """Revoke a token by its id or hint; return it."""
    now = _now()
    with _changing(folder) as connection:
        token = tokens.revoke(connection, which, now=now)
    return _record(token, now=now), _show_revoked


def mark(folder: Path, *, key: str, mark_as: Mark, reason: str) -> Result:
    """Mark a submission as its organiser; return what it is marked as."""
    with _changing(folder) as connection:
        marked = mark_submission(connection, key, mark_as, reason, actor=None, now=_now())
    record = {"submission": key, "mark": marked.mark, "reason": marked.mark_reason}
    return {**record, "submitter": marked.submitter.name, "task": marked.task}, _show_mark


@contextmanager
def _changing(folder: Path) -> Iterator[Connection]:
    """Give a connection to the database of a board in a transaction that changes something."""
    require_board(folder)
    engine = database.open_engine(folder, load_settings(folder))
    try:
        with database.writing(engine) as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def _reading(folder: Path) -> Iterator[Connection]:
    """Give a connection to the database of a board in a transaction that changes nothing."""
    require_board(folder)
    engine = database.open_engine(folder, load_settings(folder))
    try:
        with database.reading(engine) as connection:
            yield connection
    finally:
        engine.dispose()


def _now() -> int:
    return int(time.time())


def _record(token: Token, *, now: int) -> dict[str, Any]:
    return {
        "id": token.id,
        "hint": token.hint,
        "name": token.submitter.name,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
        "state": tokens.state_of(token, now=now),
    }


def _show_board(record: dict[str, Any]) -> None:
    print_line(f"board    {record['board']}")
    print_line(f"tasks    {', '.join(record['tasks'])}")
    print_line(f"release  {record['release']} ({record['release_hash'][:12]})")
    if record["baselines"]:
        print_line(f"baselines  {record['baselines']}, scored when the board is served")
    serve = command_line("leaderboard", "serve", record["board"])
    say(f"board.yaml holds its settings; next: {serve}")


def _show_new(record: dict[str, Any]) -> None:
    print_line(record["token"])
    say(
        f"the token of {record['name']}, valid until {_date(record['expires_at'])}; keep it now:"
        " the board stores its digest alone and cannot show it again"
    )


def _show_tokens(record: dict[str, Any]) -> None:
    for row in record["tokens"]:
        end = "no end" if row["expires_at"] is None else f"until {_date(row['expires_at'])}"
        print_line(f"{row['id']:4} {row['hint']}...  {row['state']:8} {end}  {row['name']}")
    if not record["tokens"]:
        say("no token was issued yet; klue leaderboard token add issues one")


def _show_revoked(record: dict[str, Any]) -> None:
    print_line(f"revoked  {record['hint']}... of {record['name']}")


def _show_mark(record: dict[str, Any]) -> None:
    print_line(f"{record['mark']}  {record['submission']} of {record['submitter']}")


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
