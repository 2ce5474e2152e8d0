"""Random stories of a board, compared with a model that is written as plainly as the rules are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import boards
import pytest
from boards import HIDDEN, Board, shown
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete

from pipeline.leaderboard import database, entries, ladders, marks, quotas, submissions
from pipeline.leaderboard.records import ModelInfo, RefusedError, Submitter
from pipeline.leaderboard.settings import Limits
from pipeline.leaderboard.tables import METADATA

DAY, MONTH = 24 * 3600, 30 * 24 * 3600
LIMITS = Limits(day=2, month=3, total=5)
SIZES = (10, 2 * 10**9)


@dataclass
class Row:
    """What the model knows of a submission."""

    number: int
    who: int
    task: str
    size: int
    content: int
    state: str = "received"
    accepted_at: int | None = None
    is_shown: bool = False
    mark: str | None = None


class Model:
    """The rules, by lists alone."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def charged(self, who: int, task: str) -> list[int]:
        return [
            row.accepted_at
            for row in self.rows
            if (row.who, row.task) == (who, task) and row.accepted_at is not None
            if row.state != "failed"
        ]

    def used(self, who: int, task: str, now: int) -> tuple[int, int, int]:
        times = self.charged(who, task)
        day, month = (sum(t > now - window for t in times) for window in (DAY, MONTH))
        return day, month, len(times)

    def pending(self, who: int, task: str) -> int:
        return sum((r.who, r.task, r.state) == (who, task, "received") for r in self.rows)

    def room(self, who: int, task: str, now: int) -> int:
        limits = (LIMITS.day, LIMITS.month, LIMITS.total)
        return min(
            limit - used for limit, used in zip(limits, self.used(who, task, now), strict=True)
        )

    def send(self, row: Row, now: int) -> int:
        """Return the status of the answer."""
        same = [
            r
            for r in self.rows
            if (r.who, r.task, r.content) == (row.who, row.task, row.content)
            if r.state not in ("refused", "failed")
        ]
        if same:
            return 409
        if self.room(row.who, row.task, now) - self.pending(row.who, row.task) <= 0:
            return 429
        self.rows.append(row)
        return 202

    def ladder(self, row: Row) -> list[Row]:
        key = (row.who, row.task, row.size)
        return [r for r in self.rows if (r.who, r.task, r.size) == key]

    def best(self, row: Row) -> int | None:
        on = [r.number for r in self.ladder(row) if r.is_shown and r.mark != "disqualified"]
        return on[-1] if on else None

    def entries(self) -> set[int]:
        bests = {self.best(row) for row in self.rows} - {None}
        return {r.number for r in self.rows if r.is_shown and (r.number in bests or r.mark)}


#: A step: what, which submission or content (by number), who, which task, size, whether it shows.
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["send", "send", "send", "accept", "accept", "refuse", "fail", "score", "score", "mark"]
        ),
        st.integers(0, 11),
        st.integers(0, 1),
        st.sampled_from(["tc", "nli"]),
        st.integers(0, 1),
        st.booleans(),
        st.sampled_from([0, 1, 3_600, DAY - 1, DAY, MONTH]),
    ),
    min_size=10,
    max_size=30,
)


@contextmanager
def _board(url: str) -> Iterator[Board]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        board = boards.make(Path(folder) / "board", url)
        yield board
        _empty(board)
        board.engine.dispose()


def _empty(board: Board) -> None:
    """Let the next story begin with an empty database: those of PostgreSQL are few."""
    with database.writing(board.engine) as connection:
        for table in reversed(METADATA.sorted_tables):
            connection.execute(delete(table))


@given(steps=STEPS)
def test_a_board_does_what_the_rules_say(shared_url: str, steps: list[tuple[object, ...]]) -> None:
    with _board(shared_url) as board:
        people = [board.submitter(name) for name in ("한도담", "가람")]
        model, now = Model(), 1_800_000_000
        for what, number, who, task, size, flag, later in steps:
            now += later  # type: ignore[operator]
            _step(board, model, people, str(what), (number, who, task, size, flag), now)  # type: ignore[arg-type]
            if what in ("score", "mark"):
                _compare(board, model, people, now)
        _compare(board, model, people, now)


def _step(
    board: Board,
    model: Model,
    people: list[Submitter],
    what: str,
    more: tuple[int, int, str, int, bool],
    now: int,
) -> None:
    number, who, task, size, flag = more
    if what == "send":
        row = Row(len(model.rows), who, task, size, number)
        info = ModelInfo(f"model {size}", SIZES[size])
        try:
            content = f'"{number}"'.encode()
            board.send(people[who], now=now, task=task, model=info, content=content, limits=LIMITS)
            status = 202
        except RefusedError as error:
            status = error.status
        assert status == model.send(row, now)
        return
    if number >= len(model.rows):
        return
    row, identity = model.rows[number], _ids(board)[number]
    for _ in range(2):  # the second time changes nothing
        if what == "mark":
            _mark(board, row, identity, is_organiser=flag, who=people[row.who], now=now)
        else:
            _work(board, model, row, identity, what, flag, now)


def _work(
    board: Board, model: Model, row: Row, identity: int, what: str, flag: bool, now: int
) -> None:
    with database.writing(board.engine) as connection:
        if what == "accept":
            has_room = model.room(row.who, row.task, now) > 0
            submissions.accept(connection, identity, limits=LIMITS, now=now)
            if row.state == "received":
                row.state = "accepted" if has_room else "refused"
                row.accepted_at = now if has_room else None
        elif what == "refuse":
            submissions.refuse(connection, identity, "why", now=now)
            row.state = "refused" if row.state == "received" else row.state
        elif what == "fail":
            submissions.fail(connection, identity, "why", now=now)
            row.state = "failed" if row.state in ("received", "accepted") else row.state
        else:
            earlier = [r for r in model.ladder(row) if r.number < row.number]
            if any(r.state in ("received", "accepted") for r in earlier):
                return  # a ladder is scored in order
            submissions.record(
                connection,
                identity,
                1,
                [shown(0.5) if flag else HIDDEN],
                scorer_version=boards.SCORER,
                release_hash=boards.HASH,
                message="",
                now=now,
            )
            if row.state == "accepted":
                row.state, row.is_shown = "scored", flag


def _mark(
    board: Board, row: Row, identity: int, *, is_organiser: bool, who: Submitter, now: int
) -> None:
    what = "disqualified" if is_organiser else "withdrawn"
    is_fine = row.state == "scored" and row.mark in (None, "withdrawn", what)
    is_fine &= not (row.mark == "disqualified" and what == "withdrawn")
    try:
        with database.writing(board.engine) as connection:
            key = connection.exec_driver_sql(
                f"SELECT key FROM submissions WHERE id = {identity}"
            ).scalar_one()
            actor = None if is_organiser else who
            marks.mark(connection, key, what, "why", actor=actor, now=now)  # type: ignore[arg-type]
        assert is_fine
        row.mark = what
    except RefusedError as error:
        assert (error.status, is_fine) == (409, False)


def _ids(board: Board) -> list[int]:
    with database.reading(board.engine) as connection:
        rows = connection.exec_driver_sql("SELECT id FROM submissions ORDER BY id")
        return list(rows.scalars())


def _compare(board: Board, model: Model, people: list[Submitter], now: int) -> None:
    ids = _ids(board)
    places = dict(zip(ids, count(), strict=False))
    with database.reading(board.engine) as connection:
        stored = {s.id: s for who in people for s in submissions.history(connection, who)}
        assert [(stored[i].state, stored[i].mark) for i in ids] == [
            (row.state, row.mark) for row in model.rows
        ]
        for place, who in enumerate(people):
            for task in ("tc", "nli"):
                quota = quotas.quota_of(connection, who, task, LIMITS, now=now)
                used = (quota.day[0], quota.month[0], quota.total[0])
                assert used == model.used(place, task, now)
                assert all(u <= limit for u, limit in (quota.day, quota.month, quota.total))
                assert quota.pending == model.pending(place, task)
        for row, number in zip(model.rows, ids, strict=True):
            best = ladders.best_of(connection, stored[number], 1)
            assert (None if best is None else places[best.id]) == model.best(row)
        listed = entries.entries(connection, version=1, part="public")
        assert {places[entry.submission.id] for entry in listed} == model.entries()
