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
def url(request: pytest.FixtureRequest) -> str:
    """Return the URL of an empty database, '' for SQLite in the folder of the board."""
    return _new_url(request)


@pytest.fixture(scope="module", params=DATABASES)
def shared_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a database of all tests of a module, which leave it empty."""
    return _new_url(request)


def _new_url(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return ""
    return postgres.new_database(request.getfixturevalue("postgresql"), f"board{next(_NUMBERS)}")


@pytest.fixture
def board(url: str, tmp_path: Path) -> Iterator[boards.Board]:
    made = boards.make(tmp_path / "board", url)
    yield made
    made.engine.dispose()
