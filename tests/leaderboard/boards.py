"""Boards without a release, for tests of what they store; people and models are fictional."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from sqlalchemy import Engine, event

from pipeline.leaderboard import database, intake, submissions, tokens, versions
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import ModelInfo, Score, Submission, Submitter
from pipeline.leaderboard.settings import Limits, load_settings

HASH = "a" * 64
SCORER = "b" * 64
LIMITS = Limits(day=3, month=20, total=100)
MODEL = ModelInfo("가람-base", 110_000_000, "encoder")


@dataclass
class Board:
    """A board with version 1; `number` makes files differ."""

    folder: Path
    engine: Engine
    number: count[int] = field(default_factory=count)

    @property
    def layout(self) -> Layout:
        return Layout(self.folder)

    def reopened(self) -> Board:
        """Return the board as another process opens it."""
        engine = database.open_engine(self.folder, load_settings(self.folder))
        return Board(self.folder, engine, self.number)

    def submitter(self, name: str = "한도담", *, now: int = 0) -> Submitter:
        """Return a submitter, who got a token."""
        with database.writing(self.engine) as connection:
            return tokens.find(connection, tokens.issue(connection, name, now=now), now=now)

    def send(
        self,
        submitter: Submitter,
        *,
        now: int,
        task: str = "tc",
        model: ModelInfo = MODEL,
        content: bytes | None = None,
        limits: Limits = LIMITS,
        key: str | None = None,
        dev: bytes | None = None,
    ) -> Submission:
        """Receive a file as the web process does."""
        content = json.dumps({"guid": next(self.number)}).encode() if content is None else content
        key = key or intake.new_key()
        with intake.IncomingFile(self.layout, most=10**6) as incoming:
            incoming.write(content)
            upload = incoming.keep(key, form="jsonl")
            dev_upload = None
            if dev is not None:
                with intake.IncomingFile(self.layout, most=10**6) as more:
                    more.write(dev)
                    dev_upload = more.keep(key, form="jsonl", dev=True)
            with database.writing(self.engine) as connection:
                return submissions.receive(
                    connection,
                    submitter,
                    model,
                    task,
                    upload,
                    dev_upload,
                    key=key,
                    limits=limits,
                    now=now,
                )

    def accept(self, number: int, *, now: int, limits: Limits = LIMITS) -> Submission:
        with database.writing(self.engine) as connection:
            return submissions.accept(connection, number, limits=limits, now=now)

    def record(
        self,
        number: int,
        *scores: Score,
        now: int,
        version: int = 1,
        message: str = "",
    ) -> Submission:
        with database.writing(self.engine) as connection:
            return submissions.record(
                connection,
                number,
                version,
                scores,
                scorer_version=SCORER,
                release_hash=HASH,
                message=message,
                now=now,
            )

    def scored(self, submitter: Submitter, *, now: int, best: bool = True, **more: object) -> str:
        """Send, accept and score a file; return its key."""
        submission = self.send(submitter, now=now, **more)  # type: ignore[arg-type]
        self.accept(submission.id, now=now)
        return self.record(submission.id, shown(0.5) if best else HIDDEN, now=now).key


#: A score that its ladder does not show.
HIDDEN = Score("public", 10, shown=False, best=False, metrics={})


def shown(value: float | None, *, part: str = "public", best: bool = True) -> Score:
    """Return a score that its ladder shows."""
    reasons = {"f1": "too few examples"} if value is None else {}
    return Score(part, 10, shown=True, best=best, metrics={"f1": value}, reasons=reasons)  # type: ignore[arg-type]


def make(folder: Path, url: str = "") -> Board:
    """Make the folder and the database of a board; PostgreSQL's is at `url`.

    Nothing of it waits for a disk: that a killed process loses nothing is the system's to keep.
    """
    layout = Layout(folder)
    for place in (layout.incoming, layout.submissions, layout.database.parent):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
    layout.settings.write_text(f"title: 가상 순위표\ndatabase: {json.dumps(url)}\n", "utf-8")
    if not url:
        database.create_file(layout.database)
    engine = database.open_engine(folder, load_settings(folder))
    if not url:
        event.listen(
            engine, "connect", lambda opened, _: opened.execute("PRAGMA synchronous = OFF")
        )
    database.create(engine)
    add_version(engine)
    return Board(folder, engine)


def add_version(engine: Engine, *, now: int = 0) -> int:
    with database.writing(engine) as connection:
        return versions.add(
            connection,
            release_name="가상",
            release_version="1.0.0",
            release_hash=HASH,
            scorer_version=SCORER,
            reason="first version",
            now=now,
        ).number


def at_once(works: list[Callable[[], object]]) -> list[object]:
    """Do works in threads that begin together; return what each returned or raised."""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier

    barrier = Barrier(len(works))

    def run(work: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return work()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))
