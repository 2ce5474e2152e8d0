"""The database of a run's server is a copy of one that is made once, whatever is found."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import mini
import pytest

from flows.engine import database


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty cache folder, and a stand-in for Prefect's migrations, which take seconds."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(database, "_make", _make)
    return tmp_path / "cache" / "klue-rebuild"


def _make(path: Path, revision: str = "new") -> None:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE alembic_version (version_num TEXT)")
        made.execute("CREATE TABLE flow_run (name TEXT)")
        made.execute("INSERT INTO alembic_version VALUES (?)", [revision])


def _runs(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as opened:
        return [name for (name,) in opened.execute("SELECT name FROM flow_run")]


def _record(path: Path) -> None:
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute("INSERT INTO flow_run VALUES ('build')")


def test_it_is_made_once_and_copied(cache: Path, tmp_path: Path) -> None:
    for n in range(2):
        assert database.prepare_database(tmp_path / f"{n}.db")
        _record(tmp_path / f"{n}.db")
    (kept,) = cache.iterdir()
    assert _runs(kept) == []


def test_runs_of_earlier_builds_stay(cache: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.db"
    assert database.prepare_database(own)
    _record(own)
    assert database.prepare_database(own)
    assert _runs(own) == ["build"]


def test_an_older_one_is_left_for_the_server_to_migrate(cache: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.db"
    _make(own, "old")
    _record(own)
    assert not database.prepare_database(own)
    assert _runs(own) == ["build"]


@pytest.mark.parametrize("damage", ["garbage", "cut", "empty", "half made"])
def test_damaged_ones_are_made_anew(cache: Path, tmp_path: Path, damage: str) -> None:
    own = tmp_path / "own.db"
    assert database.prepare_database(own)
    (kept,) = cache.iterdir()
    for path in (own, kept):
        whole = path.read_bytes()
        if damage == "half made":
            with closing(sqlite3.connect(path)) as opened, opened:
                opened.execute("DELETE FROM alembic_version")
        else:
            kinds = {"garbage": b"x" * 8192, "cut": whole[: len(whole) // 2], "empty": b""}
            path.write_bytes(kinds[damage])
    assert database.prepare_database(own)
    for path in (own, kept):
        assert _runs(path) == []


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_make", _make)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert database.prepare_database(tmp_path / "own.db")


@pytest.mark.full
def test_it_is_what_prefect_itself_makes(tmp_path: Path) -> None:
    """The same tables, indexes and rows; a set decides the order of the foreign keys of a table."""
    made, by_prefect = tmp_path / "made.db", tmp_path / "by_prefect.db"
    database.migrate(made)
    database.migrate_by_prefect(by_prefect)
    assert _content(made) == _content(by_prefect)
    assert len(_content(made)) > 100


def _content(path: Path) -> list[object]:
    """Return what a database holds: the lines of every definition in order, and all rows."""
    with closing(sqlite3.connect(path)) as opened:
        parts = opened.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
        rows = [
            (name, opened.execute(f'SELECT * FROM "{name}"').fetchall())
            for kind, name, _, _ in parts
            if kind == "table"
        ]
    definitions = [(*ids, sorted(re.split(r",?\s*\n", sql or ""))) for *ids, sql in parts]
    return sorted(definitions) + sorted(rows)


def test_prefect_makes_it_where_its_migrations_cannot_be_run_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def migrate(file: Path) -> None:
        file.write_text("half")
        raise AttributeError("another version of Alembic")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(database, "migrate", migrate)
    monkeypatch.setattr(database, "migrate_by_prefect", _make)
    assert database.prepare_database(tmp_path / "own.db")
    assert _runs(tmp_path / "own.db") == []


@pytest.mark.full
def test_two_runs_that_make_it_at_once_both_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prefect's own migrations, in two processes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    code = (
        "import sys; from pathlib import Path; from flows.engine.database import prepare_database\n"
        "assert prepare_database(Path(sys.argv[1]))"
    )
    files = [tmp_path / f"{n}.db" for n in range(2)]
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(file)], cwd=mini.ROOT) for file in files
    ]
    assert [run.wait() for run in runs] == [0, 0]
    (kept,) = (tmp_path / "cache" / "klue-rebuild").iterdir()
    for path in (kept, *files):
        assert _runs(path) == []
