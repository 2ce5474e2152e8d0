"""Boards on both databases; those on PostgreSQL are made by `make test-full`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import boards
import postgres

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.full)]
_NUMBERS = count()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Return the URL of a server; skips where PostgreSQL is not installed."""
    with postgres.running() as server:
        yield server


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Return the URL of an empty database, '' for SQLite in the folder of the board."""
    if request.param == "sqlite":
        yield ""
        return
    server = request.getfixturevalue("postgresql")
    with postgres.database(server, f"board{next(_NUMBERS)}") as address:
        yield address


@pytest.fixture
def board(url: str, tmp_path: Path) -> Iterator[boards.Board]:
    made = boards.make(tmp_path / "board", url)
    yield made
    made.engine.dispose()
