"""Many submitters and workers at once: every quota is exact, and nothing is done twice."""

from __future__ import annotations

from collections import Counter
from functools import partial

import boards
import forks
import pytest
from boards import Board, shown

from pipeline.leaderboard import audit_log, database, quotas, submissions, tokens
from pipeline.leaderboard.records import RefusedError, Submission
from pipeline.leaderboard.settings import Limits

MANY = 50


def _all(board: Board) -> list[Submission]:
    with database.reading(board.engine) as connection:
        names = {token.submitter for token in tokens.list_tokens(connection)}
        return [one for who in names for one in submissions.history(connection, who)]


def _count(board: Board, action: str) -> Counter[str]:
    with database.reading(board.engine) as connection:
        events = audit_log.events(connection, most=10**6)
    return Counter(event.subject for _, event in events if event.action == action)


@pytest.mark.parametrize("allowed", [1, 7])
def test_of_fifty_at_once_exactly_as_many_as_allowed_are_received(
    board: Board, allowed: int
) -> None:
    who, limits = board.submitter(), Limits(day=allowed)
    works = [partial(board.send, who, now=100, limits=limits) for _ in range(MANY)]
    results = boards.at_once(works)
    received = [one for one in results if isinstance(one, Submission)]
    refused = [one for one in results if isinstance(one, RefusedError)]
    assert (len(received), len(refused)) == (allowed, MANY - allowed)
    assert {error.status for error in refused} == {429}
    stored = _all(board)
    assert {one.key for one in stored} == {one.key for one in received}
    kept = {path.name for path in board.layout.submissions.iterdir()}
    assert kept == {one.file for one in stored}
    assert list(board.layout.incoming.iterdir()) == []


def test_of_fifty_submitters_at_once_each_is_received(board: Board) -> None:
    people = [board.submitter(f"사람 {number}") for number in range(MANY)]
    results = boards.at_once([partial(board.send, who, now=100) for who in people])
    assert {one.submitter for one in results} == set(people)  # type: ignore[attr-defined]
    assert len(_all(board)) == MANY


def test_the_same_file_sent_by_many_at_once_is_received_once(board: Board) -> None:
    who, content = board.submitter(), b'{"guid": "a"}'
    results = boards.at_once([partial(board.send, who, now=1, content=content)] * MANY)
    assert Counter(getattr(one, "status", 200) for one in results) == {200: 1, 409: MANY - 1}
    assert len(list(board.layout.submissions.iterdir())) == 1


def test_processes_at_once_share_a_quota(board: Board) -> None:
    """Each process opens the database by itself, as web, checker and scorer do."""
    who, limits = board.submitter(), Limits(day=5)
    board.engine.dispose()

    def send() -> None:
        own = board.reopened()
        for number in range(4):
            try:
                own.send(who, now=1, limits=limits, content=f'"{forks.number()} {number}"'.encode())
            except RefusedError as error:
                assert error.status == 429

    assert forks.at_once(send, processes=8) == [True] * 8
    stored = _all(board)
    assert len(stored) == 5
    assert {path.name for path in board.layout.submissions.iterdir()} == {s.file for s in stored}


def test_workers_at_once_take_each_submission_once(board: Board) -> None:
    people = [board.submitter(f"사람 {number}") for number in range(20)]
    sent = [board.send(who, now=1).id for who in people]
    taken: list[int] = []

    def work() -> None:
        while True:
            with database.writing(board.engine) as connection:
                one = submissions.take(connection, "received", now=2, lease=100)
            if one is None:
                return
            taken.append(one.id)

    assert boards.at_once([work] * 6) == [None] * 6
    assert sorted(taken) == sent


def test_many_that_accept_and_score_the_same_do_it_once(board: Board) -> None:
    who = board.submitter()
    sent = board.send(who, now=1)
    boards.at_once([partial(board.accept, sent.id, now=2)] * 12)
    boards.at_once([partial(board.record, sent.id, shown(0.5), now=3)] * 12)
    assert _count(board, "submission.accept") == {sent.key: 1}
    assert _count(board, "submission.score") == {sent.key: 1}
    with database.reading(board.engine) as connection:
        assert quotas.quota_of(connection, who, "tc", boards.LIMITS, now=4).day == (1, 3)


def test_no_more_are_accepted_than_lowered_limits_allow(board: Board) -> None:
    who = board.submitter()
    sent = [board.send(who, now=1, limits=Limits(day=MANY, month=MANY)) for _ in range(20)]
    lowered = Limits(day=6)
    boards.at_once([partial(board.accept, one.id, now=2, limits=lowered) for one in sent])
    assert Counter(one.state for one in _all(board)) == {"accepted": 6, "refused": 14}


def test_a_ladder_has_one_best_however_many_record_at_once(board: Board) -> None:
    who, limits = board.submitter(), Limits(day=MANY, month=MANY)
    sent = [board.send(who, now=1, limits=limits) for _ in range(12)]
    for one in sent:
        board.accept(one.id, now=2, limits=limits)
    boards.at_once([partial(board.record, one.id, shown(0.5), now=3) for one in sent])
    with database.reading(board.engine) as connection:
        many = connection.exec_driver_sql("SELECT count(*) FROM scores WHERE best").scalar_one()
    assert many == 1


def test_a_token_that_many_issue_at_once_has_one_submitter(board: Board) -> None:
    def issue() -> str:
        with database.writing(board.engine) as connection:
            return tokens.issue(connection, "한도담", now=1)

    issued = boards.at_once([issue] * 12)
    assert len(set(issued)) == 12
    with database.reading(board.engine) as connection:
        assert len({token.submitter for token in tokens.list_tokens(connection)}) == 1
