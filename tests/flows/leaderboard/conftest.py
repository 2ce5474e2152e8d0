"""Fixtures of tests of a leaderboard's processes: a board of the sample, made once a session."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "leaderboard"))

import board_stories as boards
import pytest
import release_stories as stories
from filelock import FileLock
from shared_folder import shared_folder

from flows.leaderboard.board import Board
from flows.leaderboard.creation import create_board
from flows.leaderboard.job_server import JobClient
from pipeline.leaderboard.layout import Layout


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes import the jobs of this folder."""
    folders = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, folders)))


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the release of the sample; nobody changes it."""
    return stories.sample(tmp_path_factory).release


@pytest.fixture(scope="session")
def untouched(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a board of the sample that nobody changes."""
    base = shared_folder(tmp_path_factory)
    folder = base / "untouched-board"
    with FileLock(base / "untouched-board.lock"):
        if not folder.exists():
            create_board(folder, release, title="Board", database_url="", now=1_600_000_000)
            Layout(folder).half_key.write_text("0123456789abcdef" * 4, "ascii")  # not by chance
    return folder


@pytest.fixture
def board(untouched: Path, tmp_path: Path) -> Iterator[Board]:
    """Return a board of the sample of a test's own, whose clock stands still."""
    with boards.opened(boards.copy(untouched, tmp_path / "board")) as opened:
        yield opened


@pytest.fixture(scope="session")
def jobs() -> Iterator[JobClient]:
    """Return what runs jobs, for all boards: a start takes a second."""
    with JobClient() as client:
        yield client
