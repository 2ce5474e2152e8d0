"""Fifty submitters at once at a served board: nothing is lost, nothing is counted twice.

``pytest -m full --log-cli-level=WARNING`` prints what docs/results/leaderboard.md says.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

import board_stories as boards
import crowd
import pytest
import servers
from board_stories import lines
from crowd import Person, Watch

from flows.leaderboard.board import Board
from flows.leaderboard.rescoring import rescore
from pipeline.leaderboard import audit_log, quotas, submissions, tokens
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.entries import entries

pytestmark = pytest.mark.full

NLI = ["entailment", "contradiction", "neutral"]
PEOPLE, PLACES = 50, 3
#: After so many received files the web process is killed; there are four of each person.
KILLS = (60, 140)
LOG = logging.getLogger(__name__)


def _people(board: Board, release: Path) -> list[Person]:
    """Return people with tokens; each has four good files, one of them too many, and a bad one."""
    right, people = boards.answers(release, "nli"), []
    with writing(board.engine) as connection:
        for number in range(PEOPLE):
            name = f"사람 {number}"
            files = [
                lines(boards.worse(right, 0.6 - 0.1 * turn, NLI, seed=number))
                for turn in range(PLACES + 1)
            ]
            faulty = [
                {**row, "label": "perhaps"} if at == 2 else row for at, row in enumerate(right)
            ]
            token = tokens.issue(connection, name, now=0)
            people.append(Person(number, name, token, files, lines(faulty)))
    return people


def _start(
    pool: ThreadPoolExecutor, people: list[Person], address: str, watch: Watch
) -> list[Future[None]]:
    return [pool.submit(crowd.work, person, address, watch) for person in people]


def _finish(works: list[Future[None]]) -> None:
    for one in works:
        one.result()


def test_fifty_submitters_at_once_are_all_served(board: Board, release: Path) -> None:
    people, watch, stop = _people(board, release), Watch(), Event()
    with servers.running(board.folder) as server, ThreadPoolExecutor(PEOPLE + 1) as pool:
        servers.wait_for(lambda: len(server.children()) == 3, "three processes run")
        begun = time.monotonic()
        reader = pool.submit(crowd.read_pages, server.address, ["/", "/tasks/nli"], stop)
        try:
            works = _start(pool, people, server.address, watch)
            _finish(works)
        finally:
            stop.set()
        _tell(watch, time.monotonic() - begun, reader.result(), len(people[0].files[0]))
        assert watch.lost == 0
        assert set(watch.answers) <= {200, 202, 409, 429, 503}
        assert server.stop() == 128 + signal.SIGTERM
    _check(board, people)


def test_kills_of_the_web_process_under_load_lose_and_double_nothing(
    board: Board, release: Path
) -> None:
    people, watch = _people(board, release), Watch()
    options: tuple[object, ...] = ()
    with ThreadPoolExecutor(PEOPLE) as pool:
        works: list[Future[None]] = []
        for kill_at in KILLS:
            with servers.running(board.folder, *options) as server:
                options = ("--port", server.address.rpartition(":")[2])
                works = works or _start(pool, people, server.address, watch)
                servers.wait_for(_is_reached(watch, works, kill_at), f"{kill_at} are received")
                os.kill(server.children()["web"], signal.SIGKILL)
                assert server.process.wait(servers.PATIENCE) != 0
                assert "the web process ended by itself" in server.log.read_text("utf-8")
        with servers.running(board.folder, *options) as server:
            _finish(works)
            assert server.stop() == 128 + signal.SIGTERM
    assert watch.lost > 0, "requests were lost with the process that answered them"
    _check(board, people)


def _is_reached(watch: Watch, works: list[Future[None]], count: int) -> Callable[[], bool]:
    return lambda: watch.received >= count or any(one.done() for one in works)


def _check(board: Board, people: list[Person]) -> None:
    """Hold what the board has against what its submitters were told."""
    now = int(time.time())
    with reading(board.engine) as connection:
        events = [event for _, event in audit_log.events(connection, most=10**6)]
        for person in people:
            who = tokens.find(connection, person.token, now=now)
            had = {one.key: one for one in submissions.history(connection, who)}
            states = Counter(one.state for one in had.values())
            assert states["scored"] == PLACES
            assert set(states) == {"scored", "refused"}
            assert set(person.known) <= set(had)
            assert {key: had[key].state for key in person.known} == {
                key: record["state"] for key, record in person.known.items()
            }
            assert {one.key for one in had.values() if one.state == "scored"} <= set(person.known)
            quota = quotas.quota_of(connection, who, "nli", board.settings.limits, now=now)
            assert (quota.total[0], quota.pending) == (PLACES, 0)
            for one in had.values():
                assert (one.state == "refused") == ("line 3" in one.reason), one
        scored = {one.key for one in submissions.replayed(connection)}
        kept = submissions.files(connection)
        shown = {
            entry.submission.id: entry.scores
            for entry in entries(connection, version=1, part="public")
        }
    assert len(scored) == PLACES * len(people)
    for action in ("submission.accept", "submission.score"):
        counts = Counter(event.subject for event in events if event.action == action)
        assert counts == Counter(scored)
    assert {path.name for path in board.layout.submissions.iterdir()} == kept
    assert not list(board.layout.incoming.iterdir())
    assert len(shown) == len(people)
    rescore(board.folder, release=None, reason="without load")
    with reading(board.engine) as connection:
        again = entries(connection, version=2, part="public")
    assert {entry.submission.id: entry.scores for entry in again} == shown


def _tell(watch: Watch, seconds: float, pages: list[float], size: int) -> None:
    uploads = watch.uploads
    LOG.warning(
        "%d received in all, %.0f s until the last score; files of %d bytes; answers %s;"
        " upload p50 %.2f s, p95 %.2f s; %.1f requests a second; pages: %.1f a second,"
        " p50 %.3f s, p95 %.3f s",
        len(uploads),
        seconds,
        size,
        dict(watch.answers),
        crowd.quantile(uploads, 0.5),
        crowd.quantile(uploads, 0.95),
        sum(watch.answers.values()) / seconds,
        len(pages) / seconds,
        crowd.quantile(pages, 0.5),
        crowd.quantile(pages, 0.95),
    )
