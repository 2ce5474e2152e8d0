"""Workers killed by SIGKILL at any line: no accepted submission is lost, none is counted twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import board_stories as boards
import forks
import pytest
from board_stories import Sent, lines

from flows.leaderboard.board import Board
from flows.leaderboard.limited_process import Limits, Outcome, run_limited
from flows.leaderboard.workers import checker, scorer
from pipeline.core.ids import draw
from pipeline.leaderboard import audit_log, quotas, submissions
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.entries import entries
from pipeline.leaderboard.records import Submission
from pipeline.leaderboard.scores import scores_of

NLI = ["entailment", "contradiction", "neutral"]
#: The way of a submission runs about so many lines of pipeline/leaderboard.
MANY = 420


class Inline:
    """Runs jobs in a fork of this process: a server would take a second for each death."""

    def run(self, job: str, arguments: Any, limits: Limits) -> Outcome:
        from pkgutil import resolve_name

        found = resolve_name(job)
        return run_limited(partial(found.run, found.prepare(arguments), arguments), limits)


def _work(folder: Path) -> None:
    """Do what checker and scorer do, until nothing waits."""
    with boards.opened(folder) as board:
        for step in (checker(board, Inline()), scorer(board, Inline())):  # type: ignore[arg-type]
            while step():
                pass


def _restart(board: Board) -> None:
    """Do what the start of a server does."""
    with writing(board.engine) as connection:
        submissions.release_all(connection)


def _require_once(board: Board, sent: Submission) -> None:
    with reading(board.engine) as connection:
        events = Counter(
            event.action
            for _, event in audit_log.events(connection, most=10**6)
            if event.subject == sent.key
        )
        scores = scores_of(connection, sent.id, 1)
        limits = board.settings.limits
        quota = quotas.quota_of(connection, sent.submitter, sent.task, limits, now=board.clock())
        shown = [entry.submission.id for entry in entries(connection, version=1, part="public")]
    assert events == {
        "submission.receive": 1,
        "submission.accept": 1,
        "submission.score": 1,
    }
    assert [score.part for score in scores] == ["dev", "public"]
    assert (quota.day[0], quota.pending) == (1, 0)
    assert shown.count(sent.id) == 1


def _kill(board: Board, release: Path, die_at: int) -> bool:
    """Kill the workers at a line, restart them, and check; tells whether they died."""
    rows = boards.worse(boards.answers(release, "nli"), 0.3, NLI, seed=die_at)
    dev = lines(boards.answers(release, "nli", "dev"))
    who = boards.submitter(board, f"사람 {die_at}")
    sent = boards.send(board, who, "nli", Sent(lines(rows), dev))
    work: Callable[[], None] = partial(_work, board.folder)
    ended = forks.run(work, die_at=die_at)
    if not ended:
        _restart(board)
        assert forks.run(work)
    _require_once(board, sent)
    return not ended


def test_a_kill_at_a_line_changes_nothing(board: Board, release: Path) -> None:
    """At keyed lines of the way from receipt to rank."""
    points = sorted({int(MANY * draw(1, "kill", str(place))) for place in range(6)})
    died = [_kill(board, release, point) for point in points]
    assert sum(died) >= 3


@pytest.mark.full
def test_a_kill_at_every_line_changes_nothing(board: Board, release: Path) -> None:
    point, died = 1, 0
    while _kill(board, release, point):
        died += 1
        point += 7
    assert died > 20
