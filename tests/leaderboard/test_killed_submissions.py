"""kill -9 at every line of the code: no submission that was acknowledged is lost, none is twice."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import partial

import forks
import pytest
from boards import Board, shown
from sqlalchemy import select

from pipeline.leaderboard import audit_log, database, intake, quotas, submissions
from pipeline.leaderboard.marks import mark
from pipeline.leaderboard.records import RefusedError, Submitter
from pipeline.leaderboard.settings import Limits
from pipeline.leaderboard.tables import SCORES, SUBMISSIONS

LIMITS = Limits(day=1)
#: Every so many lines the process is killed; `make test-full` leaves none out.
STEPS = [37, pytest.param(1, marks=pytest.mark.full)]


def _way(board: Board, who: Submitter, content: bytes) -> None:
    """Send a file as the web process does, then check and score all, as the workers do."""
    sent = board.send(who, now=1, content=content, limits=LIMITS)
    (board.folder / "acknowledged").write_text(sent.key, "utf-8")
    _work(board)


def _work(board: Board) -> None:
    while True:
        with database.writing(board.engine) as connection:
            one = submissions.take(connection, "received", now=2, lease=100)
        if one is None:
            break
        board.accept(one.id, now=2, limits=LIMITS)
    while True:
        with database.writing(board.engine) as connection:
            one = submissions.take(connection, "accepted", now=3, lease=100)
        if one is None:
            break
        board.record(one.id, shown(0.5), now=3)


def _recover(board: Board, who: Submitter, content: bytes) -> None:
    """Start again as a board does; a submitter who got no answer sends the file again."""
    with database.writing(board.engine) as connection:
        submissions.release_all(connection)
        intake.remove_leftovers(board.layout, submissions.files(connection))
    try:
        board.send(who, now=4, content=content, limits=LIMITS)
    except RefusedError as error:
        assert error.status == 409
    _work(board)


@pytest.mark.parametrize("step", STEPS)
def test_a_process_that_is_killed_anywhere_loses_and_doubles_nothing(
    board: Board, step: int
) -> None:
    acknowledged = board.folder / "acknowledged"
    is_done, contents = False, list[bytes]()
    while not is_done:
        who = board.submitter(f"사람 {len(contents)}")  # the lines that run do not grow in number
        contents.append(f'{{"guid": "{len(contents)}"}}'.encode())
        acknowledged.unlink(missing_ok=True)
        board.engine.dispose()
        way = partial(_way, board.reopened(), who, contents[-1])
        is_done = forks.run(way, die_at=1 + step * (len(contents) - 1))
        _recover(board, who, contents[-1])
        with database.reading(board.engine) as connection:
            quota = quotas.quota_of(connection, who, "tc", LIMITS, now=5)
        assert (quota.total[0], quota.pending) == (1, 0)
        if acknowledged.exists():
            with database.reading(board.engine) as connection:
                sent = submissions.get(connection, acknowledged.read_text("utf-8"))
            assert sent.state == "scored"
    assert len(contents) > 10
    _check(board, contents)


def _check(board: Board, contents: list[bytes]) -> None:
    """Compare the database and the files with what was sent."""
    digests = Counter(hashlib.sha256(content).hexdigest() for content in contents)
    with database.reading(board.engine) as connection:
        rows = connection.execute(select(SUBMISSIONS)).all()
        assert Counter(row.digest for row in rows) == digests
        assert {row.state for row in rows} == {"scored"}
        for action in ("receive", "accept", "score"):
            events = audit_log.events(connection, most=10**6)
            logged = [e.subject for _, e in events if e.action == f"submission.{action}"]
            assert sorted(logged) == sorted(row.key for row in rows)
        scored = connection.execute(select(SCORES.c.submission, SCORES.c.best)).all()
    assert sorted(row.submission for row in scored) == sorted(row.id for row in rows)
    assert all(row.best for row in scored)  # each is alone on its ladder
    files = {path.name: path.read_bytes() for path in board.layout.submissions.iterdir()}
    assert files.keys() == {row.file for row in rows}
    for row in rows:
        assert hashlib.sha256(files[row.file]).hexdigest() == row.digest
    assert list(board.layout.incoming.iterdir()) == []


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.full)])
def test_a_mark_is_made_as_a_whole_or_not_at_all(board: Board, step: int) -> None:
    """The best of a ladder is never lost between a disqualified one and the one before it."""
    who = board.submitter()
    first, second = (board.scored(who, now=now) for now in (1, 2))

    def disqualify(own: Board) -> None:
        with database.writing(own.engine) as connection:
            mark(connection, second, "disqualified", "why", actor=None, now=3)

    is_done, line = False, 1
    while not is_done:
        board.engine.dispose()
        is_done = forks.run(partial(disqualify, board.reopened()), die_at=line)
        line += step
        with database.reading(board.engine) as connection:
            state = submissions.get(connection, second).mark
            best = connection.execute(
                select(SUBMISSIONS.c.key).join(SCORES).where(SCORES.c.best.is_(True))
            ).scalars()
            assert (state, list(best)) in ((None, [second]), ("disqualified", [first]))
        if state == "disqualified":
            break
    disqualify(board)
    assert line > 5 * step
