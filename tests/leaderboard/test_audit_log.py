from __future__ import annotations

import pytest
from boards import Board

from pipeline.leaderboard import audit_log, database, tokens
from pipeline.leaderboard.records import RefusedError, Submitter


def test_rows_come_back_in_their_order_and_in_pages(board: Board) -> None:
    with database.writing(board.engine) as connection:
        for number in range(5):
            detail = {"reason": "줄 3", "line": number, "share": 0.1, "end": None}
            audit_log.add(
                connection, at=9, actor="scorer", action="x.y", subject=f"s{number}", detail=detail
            )
    with database.reading(board.engine) as connection:
        first = audit_log.events(connection, most=4)
        rest = audit_log.events(connection, after=first[-1][0])
    assert [event.subject for _, event in first + rest] == [
        "version 1",
        *(f"s{n}" for n in range(5)),
    ]
    assert rest[-1][1].detail == {"reason": "줄 3", "line": 4, "share": 0.1, "end": None}


def test_texts_of_any_kind_and_length_are_logged(board: Board) -> None:
    with database.writing(board.engine) as connection:
        wild = "가\0\ud800" * 100
        audit_log.add(
            connection, at=1, actor=wild, action="x", subject=wild, detail={"reason": wild}
        )
        _, event = audit_log.events(connection)[-1]
    assert (len(event.actor), len(event.subject), len(event.detail["reason"])) == (120, 120, 300)
    assert event.subject.startswith("가\ufffd?")


def test_a_login_that_is_refused_is_logged_without_its_token(board: Board) -> None:
    wrong = "klb_" + "s" * 43
    refused = {"at": 5, "actor": audit_log.NOBODY, "action": "login"}

    def log_in() -> None:
        with database.writing(board.engine) as connection:
            tokens.find(connection, wrong, now=5)

    with pytest.raises(RefusedError), audit_log.refusals(board.engine, **refused):  # type: ignore[arg-type]
        log_in()
    with database.reading(board.engine) as connection:
        _, event = audit_log.events(connection)[-1]
    assert (event.at, event.actor, event.action) == (5, "anonymous", "login")
    assert event.detail["status"] == 401
    assert wrong not in str(event)


def test_other_exceptions_and_successes_are_not_logged_as_refusals(board: Board) -> None:
    refused = {"at": 5, "actor": audit_log.NOBODY, "action": "login"}
    with pytest.raises(OSError, match="full"), audit_log.refusals(board.engine, **refused):  # type: ignore[arg-type]
        raise OSError("full")
    with audit_log.refusals(board.engine, **refused):  # type: ignore[arg-type]
        pass
    with database.reading(board.engine) as connection:
        assert [event.action for _, event in audit_log.events(connection)] == ["version.add"]


def test_actors_are_told_apart() -> None:
    assert audit_log.actor_of(None) == "organiser"
    assert audit_log.actor_of(Submitter(1, "organiser")) == "submitter:organiser"
