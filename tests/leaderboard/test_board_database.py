from __future__ import annotations

import os
import signal
import sqlite3
import stat
import sys
from pathlib import Path

import boards
import forks
import pytest
from boards import Board
from sqlalchemy import bindparam, insert, inspect, select, text, update
from sqlalchemy.exc import IntegrityError

from pipeline.core.errors import InputError, MissingDependencyError, RetryError, StoreError
from pipeline.leaderboard import database
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.settings import Settings
from pipeline.leaderboard.tables import METADATA, SESSIONS, SUBMITTERS


def _open(folder: Path, url: str) -> object:
    return database.open_engine(folder, Settings(title="가상", database=url))


def _place(folder: Path) -> Path:
    """Return where a board's SQLite database lies; its folder is there."""
    path = Layout(folder).database
    path.parent.mkdir(exist_ok=True)
    return path


def test_all_tables_and_columns_are_there(board: Board) -> None:
    with database.reading(board.engine) as connection:
        seen = inspect(connection)
        columns = {
            table: {column["name"] for column in seen.get_columns(table)}
            for table in seen.get_table_names()
        }
    assert columns == {t.name: set(t.columns.keys()) for t in METADATA.sorted_tables}


def test_writers_take_turns_so_that_no_change_is_lost(board: Board) -> None:
    number = board.submitter().id

    def raise_by_one() -> None:
        with database.writing(board.engine) as connection:
            at = SUBMITTERS.c.id == number
            now = connection.execute(select(SUBMITTERS.c.created_at).where(at)).scalar_one()
            connection.execute(update(SUBMITTERS).where(at).values(created_at=now + 1))

    assert boards.at_once([raise_by_one] * 24) == [None] * 24
    with database.reading(board.engine) as connection:
        assert connection.execute(select(SUBMITTERS.c.created_at)).scalar_one() == 24


def test_a_reader_sees_one_state_while_others_write(board: Board) -> None:
    query = select(SUBMITTERS.c.name)
    with database.reading(board.engine) as connection:
        assert connection.execute(query).all() == []
        board.submitter("한도담")
        assert connection.execute(query).all() == []
    with database.reading(board.engine) as connection:
        assert connection.execute(query).scalars().all() == ["한도담"]


def test_an_exception_rolls_all_of_a_transaction_back(board: Board) -> None:
    with pytest.raises(ZeroDivisionError), database.writing(board.engine) as connection:
        connection.execute(insert(SUBMITTERS).values(name="한도담", created_at=1))
        raise ZeroDivisionError
    with database.reading(board.engine) as connection:
        assert connection.execute(select(SUBMITTERS)).all() == []


def test_rows_need_what_they_refer_to(board: Board) -> None:
    row = {"digest": "d", "token": 7, "csrf": "c", "expires_at": 1}
    with pytest.raises(IntegrityError) as caught, database.writing(board.engine) as connection:
        connection.execute(insert(SESSIONS).values(**row))
    assert "[parameters" not in str(caught.value)


def test_errors_name_no_value_that_was_asked_for(board: Board) -> None:
    secret = "klb_" + "s" * 43
    with pytest.raises(StoreError) as caught, database.writing(board.engine) as connection:
        query = text("SELECT * FROM nowhere WHERE a = :a").bindparams(bindparam("a", secret))
        connection.execute(query)
    assert "holds no board" in str(caught.value)
    assert secret not in str(caught.value)


def test_a_board_in_use_is_never_made_anew(board: Board) -> None:
    board.submitter()
    with pytest.raises(InputError, match="holds a board with submitters"):
        database.create(board.engine)
    with database.reading(board.engine) as connection:
        assert connection.execute(select(SUBMITTERS.c.name)).scalars().all() == ["한도담"]


def test_a_board_that_nobody_used_is_made_anew(board: Board) -> None:
    database.create(board.engine)
    assert boards.add_version(board.engine) == 1


def test_tables_of_something_else_are_not_touched(board: Board) -> None:
    with database.writing(board.engine) as connection:
        METADATA.drop_all(connection)
        connection.execute(text("CREATE TABLE sessions (theirs INTEGER)"))
        connection.execute(text("INSERT INTO sessions VALUES (7)"))
    with pytest.raises(InputError, match=r"holds tables of something else \(sessions\)"):
        database.create(board.engine)
    with database.reading(board.engine) as connection:
        assert connection.execute(text("SELECT theirs FROM sessions")).scalar_one() == 7


def test_commits_of_sqlite_are_synchronous_and_readers_do_not_wait(tmp_path: Path) -> None:
    board = boards.make(tmp_path / "board").reopened()
    with database.reading(board.engine) as connection:
        values = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert values == ["wal", 2, 1, database.PATIENCE * 1000]


def test_only_its_owner_may_open_the_database(tmp_path: Path) -> None:
    board = boards.make(tmp_path / "board")
    path = board.layout.database
    files = list(path.parent.glob(f"{path.name}*"))
    assert len(files) == 3  # with the log and its index
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"board\.db: no such file"):
        _open(tmp_path, "")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_an_error_without_its_content(tmp_path: Path) -> None:
    _place(tmp_path).write_bytes(b"secret " * 1000)
    engine = database.open_engine(tmp_path, Settings(title="가상"))
    with pytest.raises(StoreError, match="damaged") as caught, database.reading(engine) as one:
        one.execute(select(SUBMITTERS))
    assert "secret" not in str(caught.value)


def test_a_database_of_another_user_says_who_may_write_it(board: Board) -> None:
    if board.engine.dialect.name != "sqlite":
        pytest.skip("a server has users of its own")
    with (
        pytest.raises(InputError, match="run as the user who made the board"),
        database.writing(board.engine) as connection,
    ):
        connection.exec_driver_sql("PRAGMA query_only = 1")
        connection.execute(insert(SUBMITTERS).values(name="한도담", created_at=0))


def test_an_empty_database_is_no_board(tmp_path: Path) -> None:
    database.create_file(_place(tmp_path))
    engine = database.open_engine(tmp_path, Settings(title="가상"))
    with pytest.raises(StoreError, match="holds no board"), database.reading(engine) as one:
        one.execute(select(SUBMITTERS))


def test_a_turn_that_does_not_come_is_an_error_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0)
    board = boards.make(tmp_path / "board")
    other = sqlite3.connect(board.layout.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RetryError, match="locked; try again"):
        board.submitter()
    other.close()
    assert board.submitter().name == "한도담"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://klue@127.0.0.1/board", r"board\.yaml: database: mysql is not known"),
        ("sqlite:////tmp/x.db", "sqlite is not known"),
        ("postgresql+asyncpg://klue@127.0.0.1/x", "asyncpg is not known"),
        ("no URL", "not a URL"),
    ],
)
def test_other_databases_are_refused(tmp_path: Path, url: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        _open(tmp_path, url)


def test_a_wrong_url_does_not_show_its_password(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _open(tmp_path, "mysql://klue:hush@127.0.0.1/board")
    assert "hush" not in str(caught.value)


def test_a_missing_driver_names_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingDependencyError, match=r"install .*\[postgresql\]"):
        _open(tmp_path, "postgresql://klue@127.0.0.1/board")


def test_a_server_that_does_not_answer_is_an_error_to_try_again(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    engine = database.open_engine(
        tmp_path, Settings(title="가상", database="postgresql://klue:hush@127.0.0.1:1/board")
    )
    with pytest.raises(RetryError, match="try again") as caught, database.writing(engine):
        pass
    assert "hush" not in str(caught.value)


def test_a_process_that_dies_in_a_transaction_leaves_nothing_of_it(board: Board) -> None:
    def begin() -> None:
        with database.writing(board.reopened().engine) as connection:
            connection.execute(insert(SUBMITTERS).values(name="한도담", created_at=1))
            os.kill(os.getpid(), signal.SIGKILL)

    assert not forks.run(begin)
    assert board.submitter("가람").name == "가람"  # its lock went with it
    with database.reading(board.engine) as connection:
        assert connection.execute(select(SUBMITTERS.c.name)).scalars().all() == ["가람"]
