from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterator

import pytest
from boards import Board
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, select

from pipeline.leaderboard import audit_log, database, tokens
from pipeline.leaderboard.records import RefusedError
from pipeline.leaderboard.tables import METADATA, TOKENS


@pytest.fixture
def connection(board: Board) -> Iterator[Connection]:
    with database.writing(board.engine) as opened:
        yield opened


def _refused(connection: Connection, token: str, *, now: int) -> str:
    with pytest.raises(RefusedError) as caught:
        tokens.find(connection, token, now=now)
    assert caught.value.status == 401
    return caught.value.reason


def test_a_token_finds_its_submitter(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=10, expires_at=20)
    assert re.fullmatch(r"klb_[A-Za-z0-9_-]{43}", token)
    assert tokens.find(connection, token, now=19).name == "한도담"


def test_a_submitter_may_have_several_tokens(connection: Connection) -> None:
    first, second = (tokens.issue(connection, "한도담", now=1) for _ in range(2))
    other = tokens.issue(connection, "가람", now=1)
    found = [tokens.find(connection, token, now=2) for token in (first, second, other)]
    assert found[0] == found[1] != found[2]
    tokens.revoke(connection, "1", now=3)
    assert "revoked" in _refused(connection, first, now=4)
    assert tokens.find(connection, second, now=4) == found[1]


def test_a_token_ends_to_the_second(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=10, expires_at=20)
    assert tokens.find(connection, token, now=19).name == "한도담"
    assert "is expired; ask the organiser" in _refused(connection, token, now=20)


def test_a_revoked_token_says_so_even_when_it_has_expired(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=10, expires_at=20)
    tokens.revoke(connection, token[:10], now=12)
    assert "is revoked; ask the organiser" in _refused(connection, token, now=12)
    assert "is revoked" in _refused(connection, token, now=25)


def test_an_unknown_token_is_not_known(connection: Connection) -> None:
    tokens.issue(connection, "한도담", now=1)
    assert "not known to this board" in _refused(connection, "klb_" + "A" * 43, now=2)


@pytest.mark.parametrize(
    "token",
    [
        "",
        "klb_",
        "klb_" + "a" * 42,
        "klb_" + "a" * 44,
        "KLB_" + "a" * 43,
        "klb_" + "가" * 43,
        "klb_" + "a" * 43 + "\n",
        "klb_" + "\0" * 43,
        "' OR 1=1 --",
        "\ud800" * 47,
        "a" * 10**6,
    ],
    ids=lambda token: ascii(token[:12]) + str(len(token)),
)
def test_a_malformed_token_is_refused_without_a_look_at_the_database(
    connection: Connection, token: str
) -> None:
    reason = _refused(connection, token, now=1)
    assert "not a token of a leaderboard" in reason
    assert len(reason) < 200


def test_one_wrong_character_anywhere_is_another_token(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=1)
    for place in range(4, len(token)):
        other = "a" if token[place] != "a" else "b"
        wrong = token[:place] + other + token[place + 1 :]
        assert "not known" in _refused(connection, wrong, now=2)


def test_only_the_digest_of_a_token_is_stored(connection: Connection) -> None:
    token = tokens.issue(connection, "한도담", now=1)
    tokens.find(connection, token, now=2)
    tokens.revoke(connection, "1", now=3)
    rows = [
        str(tuple(row))
        for table in METADATA.sorted_tables
        for row in connection.execute(select(table))
    ]
    assert not any(token[11:] in row for row in rows)
    stored = connection.execute(select(TOKENS.c.digest)).scalar_one()
    assert stored == hashlib.sha256(token.encode()).hexdigest()


def test_no_token_reaches_a_log(connection: Connection, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    token = tokens.issue(connection, "한도담", now=1, expires_at=5)
    said = [_refused(connection, token, now=9)]
    tokens.revoke(connection, "1", now=3)
    said += [_refused(connection, token, now=9), repr(tokens.list_tokens(connection))]
    said += [str(event) for event in audit_log.events(connection)]
    assert token[11:] not in caplog.text + "".join(said)


def test_tokens_are_listed_in_the_order_of_their_issue(connection: Connection) -> None:
    for name, end in (("한도담", None), ("가람", 9), ("누리", 9)):
        tokens.issue(connection, name, now=1, expires_at=end)
    tokens.revoke(connection, "3", now=4)
    listed = tokens.list_tokens(connection)
    assert [token.submitter.name for token in listed] == ["한도담", "가람", "누리"]
    assert [tokens.state_of(token, now=8) for token in listed] == ["valid", "valid", "revoked"]
    assert [tokens.state_of(token, now=9) for token in listed] == ["valid", "expired", "revoked"]


def test_to_revoke_twice_keeps_the_first_time_and_logs_once(connection: Connection) -> None:
    tokens.issue(connection, "한도담", now=1)
    assert tokens.revoke(connection, "1", now=3).revoked_at == 3
    assert tokens.revoke(connection, "1", now=9).revoked_at == 3
    actions = [event.action for _, event in audit_log.events(connection)]
    assert actions == ["version.add", "token.issue", "token.revoke"]


@pytest.mark.parametrize("which", ["9", "klb_zzzzzz", "", "1 OR 1", "９", "9" * 40, "\udcff"])
def test_to_revoke_what_is_not_there_is_refused(connection: Connection, which: str) -> None:
    tokens.issue(connection, "한도담", now=1)
    with pytest.raises(RefusedError, match="no such token") as caught:
        tokens.revoke(connection, which, now=2)
    assert caught.value.status == 404


def test_a_whole_token_given_to_revoke_is_not_repeated(connection: Connection) -> None:
    token = "klb_" + "s" * 43
    with pytest.raises(RefusedError) as caught:
        tokens.revoke(connection, token, now=2)
    assert token not in caught.value.reason


def test_a_token_that_is_over_already_is_not_issued(connection: Connection) -> None:
    with pytest.raises(RefusedError, match="expired already"):
        tokens.issue(connection, "한도담", now=5, expires_at=5)


@given(st.text(max_size=60).filter(lambda text: not re.fullmatch(r"klb_[\w-]{43}", text)))
def test_the_digest_of_any_text_is_a_digest(text: str) -> None:
    assert re.fullmatch("[0-9a-f]{64}", tokens.digest(text))
