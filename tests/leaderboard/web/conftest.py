"""Boards with their web application, and what a browser and a program send."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import web_boards


@pytest.fixture
def web(tmp_path: Path) -> Iterator[web_boards.WebBoard]:
    """Return an empty board of two tasks that limits a submitter to two files a day."""
    limits = {"day": 2, "month": 20, "total": 100}
    made = web_boards.make(
        tmp_path / "board",
        tasks=("tc", "ner"),
        settings={"limits": limits, "upload": {"bytes": 50_000}},
    )
    yield made
    made.board.engine.dispose()
    made.app.state.board.engine.dispose()


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[web_boards.WebBoard]:
    """Return a board of all tasks with nine systems on it; tests only read it."""
    made = web_boards.make(tmp_path_factory.mktemp("full") / "board")
    web_boards.fill(made, web_boards.METRICS)
    yield made
    made.board.engine.dispose()
    made.app.state.board.engine.dispose()
