from __future__ import annotations

from collections.abc import Iterator

import pytest
from boards import Board
from sqlalchemy import Connection, select

from pipeline.leaderboard import audit_log, database, sessions, tokens
from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.tables import SESSIONS


@pytest.fixture
def connection(board: Board) -> Iterator[Connection]:
    with database.writing(board.engine) as opened:
        yield opened


def test_a_cookie_finds_the_session_until_it_is_over(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=1)
    cookie, csrf = sessions.start(connection, token, now=10)
    last = 10 + sessions.LASTS - 1
    session = sessions.find(connection, cookie, now=last)
    assert session is not None
    assert (session.submitter.name, session.csrf) == ("한도담", csrf)
    assert sessions.find(connection, cookie, now=last + 1) is None


def test_two_sessions_of_a_token_are_two(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=1)
    first, second = (sessions.start(connection, token, now=10) for _ in range(2))
    assert len({*first, *second}) == 4
    sessions.end(connection, first[0], now=11)
    assert sessions.find(connection, first[0], now=11) is None
    assert sessions.find(connection, second[0], now=11) is not None


@pytest.mark.parametrize("cookie", ["", "x", "a" * 43, "\ud800", "\0"], ids=ascii)
def test_an_unknown_cookie_is_nobody(connection: Connection, cookie: str) -> None:
    assert sessions.find(connection, cookie, now=1) is None
    sessions.end(connection, cookie, now=1)


def test_a_session_ends_with_its_token(connection: Connection) -> None:
    revoked = tokens.issue(connection, "한도담", now=1)
    expired = tokens.issue(connection, "가람", now=1, expires_at=20)
    cookies = [sessions.start(connection, token, now=10)[0] for token in (revoked, expired)]
    tokens.revoke(connection, "1", now=15)
    assert sessions.find(connection, cookies[0], now=15) is None
    assert sessions.find(connection, cookies[1], now=19) is not None
    assert sessions.find(connection, cookies[1], now=20) is None


def test_no_session_starts_with_a_token_that_is_not_valid(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=1, expires_at=5)
    for wrong, now in ((token, 5), ("klb_" + "a" * 43, 2), ("", 2)):
        with pytest.raises(RefusedError) as caught:
            sessions.start(connection, wrong, now=now)
        assert caught.value.status == 401
    assert connection.execute(select(SESSIONS)).all() == []


def test_cookies_are_stored_as_digests_and_old_ones_go(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=1)
    old, _ = sessions.start(connection, token, now=10)
    new, _ = sessions.start(connection, token, now=10 + sessions.LASTS)
    rows = connection.execute(select(SESSIONS.c.digest)).scalars().all()
    assert rows == [tokens.digest(new)]
    assert not {old, new} & set(rows)


def test_a_form_of_another_session_is_refused(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=1)
    (cookie, csrf), (_, other) = (sessions.start(connection, token, now=2) for _ in range(2))
    session = sessions.find(connection, cookie, now=3)
    assert session is not None
    sessions.check_csrf(session, csrf)
    for wrong in (other, "", csrf[:-1], csrf + "a", "가", "\ud800"):
        with pytest.raises(RefusedError) as caught:
            sessions.check_csrf(session, wrong)
        assert caught.value.status == 403


def test_starts_and_ends_are_logged_without_cookies(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=1)
    cookie, csrf = sessions.start(connection, token, now=2)
    sessions.end(connection, cookie, now=3)
    sessions.end(connection, cookie, now=4)
    logged = [event for _, event in audit_log.events(connection)][2:]
    assert [(event.at, event.action) for event in logged] == [
        (2, "session.start"),
        (3, "session.end"),
    ]
    assert {event.actor for event in logged} == {"submitter:한도담"}
    assert not any(secret in str(logged) for secret in (cookie, csrf, token))
