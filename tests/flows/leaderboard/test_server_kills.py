"""A server whose processes are killed again and again: nothing is lost, nothing counts twice."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import board_stories as boards
import pytest
import servers
from board_stories import Sent, lines

from flows.leaderboard.board import Board
from flows.leaderboard.rescoring import rescore
from pipeline.core.ids import draw
from pipeline.leaderboard import audit_log
from pipeline.leaderboard.database import reading
from pipeline.leaderboard.entries import entries
from pipeline.leaderboard.records import Submission

NLI = ["entailment", "contradiction", "neutral"]
ROUNDS, PEOPLE = 6, 5


def _send(board: Board, release: Path, turn: int) -> list[Submission]:
    right, sent = boards.answers(release, "nli"), []
    for person in range(PEOPLE):
        share = 0.6 - 0.1 * turn + 0.01 * person
        content = lines(boards.worse(right, share, NLI, seed=person))
        who = boards.submitter(board, f"사람 {turn} {person}")
        sent.append(boards.send(board, who, "nli", Sent(content)))
    return sent


def _kill_one(server: servers.Server, turn: int) -> None:
    """Kill a process of the server, which one and when by keyed draws."""
    time.sleep(6 * draw(3, "when", str(turn)))
    numbers = [server.process.pid, *servers.descendants(server.process.pid)]
    with suppress(ProcessLookupError):
        os.kill(numbers[int(draw(3, "which", str(turn)) * len(numbers))], signal.SIGKILL)


@pytest.mark.full
def test_kills_of_a_server_lose_and_double_nothing(board: Board, release: Path) -> None:
    sent: list[Submission] = []
    for turn in range(ROUNDS):
        sent += _send(board, release, turn)
        with servers.running(board.folder) as server:
            servers.wait_for(lambda s=server: len(s.children()) == 3, "three processes run")
            _kill_one(server, turn)
    with servers.running(board.folder) as server:
        servers.wait_for(
            lambda: {boards.now(board, one).state for one in sent} == {"scored"}, "all are scored"
        )
        server.stop()
    with reading(board.engine) as connection:
        events = [event for _, event in audit_log.events(connection, most=10**6)]
        shown = {
            entry.submission.id: entry.scores
            for entry in entries(connection, version=1, part="public")
        }
    for action in ("submission.accept", "submission.score"):
        counts = Counter(event.subject for event in events if event.action == action)
        assert counts == Counter(one.key for one in sent)
    assert list(shown) == [one.id for one in sent]
    rescore(board.folder, release=None, reason="without kills")
    with reading(board.engine) as connection:
        again = entries(connection, version=2, part="public")
    assert {entry.submission.id: entry.scores for entry in again} == shown
