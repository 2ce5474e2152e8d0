"""What tests of a board share: a board of the sample, submissions, and workers without a server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from flows.leaderboard.board import Board, open_board
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.workers import checker, scorer
from pipeline.contracts.splits import Split
from pipeline.core.ids import draw
from pipeline.leaderboard import submissions, tokens
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.intake import IncomingFile, new_key
from pipeline.leaderboard.records import ModelInfo, Submission, Submitter, Upload
from pipeline.release.reading import read_split
from pipeline.scoring.scorer import scorer_of

Row = dict[str, Any]
MODEL = ModelInfo("가람-base", 110_000_000, "encoder")


@dataclass(frozen=True)
class Sent:
    """What somebody sends: bytes or rows for test, rows for dev, and of what model."""

    content: bytes
    dev: bytes | None = None
    model: ModelInfo = MODEL


def answers(release: Path, task: str, split: Split = "test") -> list[Row]:
    """Return the right predictions of a split, as the release has them."""
    columns = ("guid", "label", *scorer_of(task).columns)
    table = read_split(release, task, split, labels=True)
    return [{name: row[name] for name in columns if name in row} for row in table.to_pylist()]


def worse(rows: Iterable[Row], share: float, labels: list[str], seed: int = 0) -> list[Row]:
    """Return rows of which so many, by a keyed draw, have another label."""
    found = []
    for row in rows:
        others = [label for label in labels if label != row["label"]]
        is_wrong = draw(seed, "wrong", row["guid"]) < share
        found.append({**row, "label": others[0]} if is_wrong else row)
    return found


def lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as JSONL."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


@contextmanager
def opened(folder: Path, clock: Callable[[], int] | None = None) -> Iterator[Board]:
    """Open a board whose clock stands still unless one is given."""
    with open_board(folder, clock=clock or (lambda: 1_700_000_000)) as board:
        yield board


def submitter(board: Board, name: str = "달빛연구실") -> Submitter:
    """Return a submitter with a token."""
    now = board.clock()
    with writing(board.engine) as connection:
        token = tokens.issue(connection, name, now=now, expires_at=now + 10**8)
        return tokens.find(connection, token, now=now)


def send(board: Board, who: Submitter, task: str, sent: Sent, ending: str = "") -> Submission:
    """Receive a submission as the web process does; with `ending` past the intake."""
    key = new_key()
    with writing(board.engine) as connection:
        return submissions.receive(
            connection,
            who,
            sent.model,
            task,
            _kept(board, key, sent.content, ending),
            _kept(board, key, sent.dev, ending, dev=True) if sent.dev else None,
            key=key,
            limits=board.settings.limits,
            now=board.clock(),
        )


def _kept(board: Board, key: str, content: bytes, ending: str, *, dev: bool = False) -> Upload:
    if ending:
        path = board.layout.submissions / f"{key}.{ending}"
        path.write_bytes(content)
        return Upload(path.name, len(content), sha256(content).hexdigest())
    with IncomingFile(board.layout, most=10**12) as file:
        file.write(content)
        return file.keep(key, dev=dev)


def settle(board: Board, jobs: JobClient, *, score: bool = True) -> None:
    """Check, score and rank all that waits, in this process."""
    steps = [checker(board, jobs), *([scorer(board, jobs)] if score else [])]
    for step in steps:
        while step():
            pass


def now(board: Board, submission: Submission) -> Submission:
    """Return a submission as it is now."""
    with reading(board.engine) as connection:
        return submissions.get(connection, submission.key)


def copy(folder: Path, target: Path) -> Path:
    """Return a copy of a board, to be changed."""
    shutil.copytree(folder, target, symlinks=True)
    return target
